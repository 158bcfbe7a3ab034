// Enough of OpenCL C to compile a kernel for its counts on AMD's devices without their library: what comes to the same
// instructions. The rest (mathematics, images, pipes) is left out: a kernel that needs it does not compile, rather than
// giving counts of something else.
#pragma once

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
#define __VECTORS(type) \
    typedef type type##2 __attribute__((ext_vector_type(2))); \
    typedef type type##3 __attribute__((ext_vector_type(3))); \
    typedef type type##4 __attribute__((ext_vector_type(4))); \
    typedef type type##8 __attribute__((ext_vector_type(8))); \
    typedef type type##16 __attribute__((ext_vector_type(16)));
__VECTORS(char)
__VECTORS(uchar)
__VECTORS(short)
__VECTORS(ushort)
__VECTORS(int)
__VECTORS(uint)
__VECTORS(long)
__VECTORS(ulong)
__VECTORS(float)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__VECTORS(double)
#undef __VECTORS

#ifndef NULL
#define NULL ((void*)0)
#endif
#define as_int(x) __builtin_astype((x), int)
#define as_uint(x) __builtin_astype((x), uint)
#define as_float(x) __builtin_astype((x), float)
#define as_long(x) __builtin_astype((x), long)
#define as_ulong(x) __builtin_astype((x), ulong)
#define as_double(x) __builtin_astype((x), double)

typedef uint cl_mem_fence_flags;
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2

// Sizes as AMD's device library reads them from the implicit arguments (code object 5 and later): counts of groups at 0,
// sizes of whole groups at 12, of those at the end at 18, offsets at 40, dimensions at 64.
#define __OURS static inline __attribute__((always_inline, overloadable))
#define __IMPLICIT(type, at) (*(__constant type*)((__constant char*)__builtin_amdgcn_implicitarg_ptr() + (at)))
// A switch, as there: how a dimension that is not written out is optimised depends on it.
#define __OF_DIMENSION(name, of, otherwise) \
    __OURS size_t name(uint dimension) { \
        switch (dimension) { \
            case 0: return of(x, 0); \
            case 1: return of(y, 1); \
            case 2: return of(z, 2); \
            default: return otherwise; \
        } \
    }
#define __LOCAL_ID(name, d) __builtin_amdgcn_workitem_id_##name()
#define __GROUP_ID(name, d) __builtin_amdgcn_workgroup_id_##name()
#define __GROUPS(name, d) __IMPLICIT(uint, 4 * d)
#define __WHOLE(name, d) __IMPLICIT(ushort, 12 + 2 * d)
#define __LEFT(name, d) __IMPLICIT(ushort, 18 + 2 * d)
#define __OFFSET(name, d) __IMPLICIT(ulong, 40 + 8 * d)
#define __SIZE(name, d) __IMPLICIT(ushort, (__GROUP_ID(name, d) < __GROUPS(name, d) ? 12 : 18) + 2 * d)
#define __ALL_GROUPS(name, d) (__GROUPS(name, d) + (__LEFT(name, d) > 0))
#define __ALL_ITEMS(name, d) (__GROUPS(name, d) * (uint)__WHOLE(name, d) + __LEFT(name, d))
#define __GLOBAL_ID(name, d) (__GROUP_ID(name, d) * (uint)__WHOLE(name, d) + __LOCAL_ID(name, d) + __OFFSET(name, d))
__OF_DIMENSION(get_local_id, __LOCAL_ID, 0)
__OF_DIMENSION(get_group_id, __GROUP_ID, 0)
__OF_DIMENSION(get_enqueued_local_size, __WHOLE, 1)
__OF_DIMENSION(get_local_size, __SIZE, 1)
__OF_DIMENSION(get_num_groups, __ALL_GROUPS, 1)
__OF_DIMENSION(get_global_size, __ALL_ITEMS, 1)
__OF_DIMENSION(get_global_offset, __OFFSET, 0)
__OF_DIMENSION(get_global_id, __GLOBAL_ID, 0)
__OURS uint get_work_dim(void) { return __IMPLICIT(ushort, 64); }

__OURS __attribute__((convergent)) void barrier(cl_mem_fence_flags flags) {
    if (flags) __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    if (flags) __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#define work_group_barrier barrier
__OURS void mem_fence(cl_mem_fence_flags flags) { __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup"); }

// Relaxed, and among the device's threads (4), as the library has them.
#define __ATOMIC(name, operation, space, type) \
    __OURS type name(volatile space type* at, type by) { \
        return __hip_atomic_##operation(at, by, __ATOMIC_RELAXED, 4); \
    }
#define __ATOMICS(space, type) \
    __ATOMIC(atomic_add, fetch_add, space, type) \
    __ATOMIC(atomic_min, fetch_min, space, type) \
    __ATOMIC(atomic_max, fetch_max, space, type) \
    __ATOMIC(atomic_and, fetch_and, space, type) \
    __ATOMIC(atomic_or, fetch_or, space, type) \
    __ATOMIC(atomic_xor, fetch_xor, space, type) \
    __ATOMIC(atomic_xchg, exchange, space, type) \
    __OURS type atomic_inc(volatile space type* at) { return atomic_add(at, (type)1); } \
    __OURS type atomic_dec(volatile space type* at) { return atomic_add(at, (type)-1); }
__ATOMICS(__global, int)
__ATOMICS(__global, uint)
__ATOMICS(__local, int)
__ATOMICS(__local, uint)
#undef __ATOMICS
#undef __ATOMIC

#define __EITHER(type) \
    __OURS type min(type a, type b) { return b < a ? b : a; } \
    __OURS type max(type a, type b) { return a < b ? b : a; }
__EITHER(int)
__EITHER(uint)
__EITHER(long)
__EITHER(ulong)
#undef __EITHER
__OURS float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__OURS double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
__OURS float fabs(float a) { return __builtin_fabsf(a); }
__OURS double fabs(double a) { return __builtin_fabs(a); }
