// What local variables take: single ones, several of one alignment, mixed alignments, vectors of three, structures.
struct pair { char tag; long value; };
struct packed_ { char tag; int value; } __attribute__((packed));
#define USE(T, v) for (uint i = l; i < (sizeof(v) / 4); i += 64) ((__local volatile T *)&v)[i] = a[i]; \
  barrier(CLK_LOCAL_MEM_FENCE); a[l] += ((__local volatile T *)&v)[(l * 7) % ((sizeof(v) / 4))];
__kernel void one(__global int *a) { __local int t[100]; uint l = get_local_id(0); USE(int, t) }
__kernel void odd(__global int *a) { __local char t[43 * 4]; uint l = get_local_id(0); USE(int, t) }
__kernel void two(__global int *a) { __local int t[33]; __local float u[7]; uint l = get_local_id(0); USE(int, t) USE(int, u) }
__kernel void mixed(__global int *a) { __local int t[1]; __local long u[3]; __local int v[3]; uint l = get_local_id(0); USE(int, t) USE(int, u) USE(int, v) }
__kernel void three(__global int *a) { __local float3 t[5]; uint l = get_local_id(0); USE(int, t) }
__kernel void four(__global int *a) { __local float4 t[5]; uint l = get_local_id(0); USE(int, t) }
__kernel void nested(__global int *a) { __local int t[3][5][7]; uint l = get_local_id(0); USE(int, t) }
__kernel void record(__global int *a) { __local struct pair t[6]; uint l = get_local_id(0); USE(int, t) }
__kernel void tight(__global int *a) { __local struct packed_ t[64]; uint l = get_local_id(0); USE(int, t) }
__kernel void wide(__global int *a) { __local long t[17]; __local long8 u[2]; uint l = get_local_id(0); USE(int, t) USE(int, u) }
__kernel void unused(__global int *a) { __local int t[1000]; a[get_local_id(0)] = 1; }
__kernel __attribute__((reqd_work_group_size(8, 4, 2))) __attribute__((intel_reqd_sub_group_size(8))) void shaped(__global int *a) { __local short t[128]; uint l = get_local_id(0); USE(int, t) }
__kernel __attribute__((work_group_size_hint(64, 1, 1))) void hinted(__global int *a) { a[get_local_id(0)] = 1; }
