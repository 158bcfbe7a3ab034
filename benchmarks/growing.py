"""Constructs that a text may have any number of: for each, what makes a text with so many. A construct is a line."""

# ruff: noqa: E501
# fmt: off

from __future__ import annotations

from collections.abc import Callable, Mapping

_K = "__global__ void k(int*p){ __shared__ int s[N0]; p[0]=s[1]; }\n"
_PLAIN = "__global__ void k(int*p){ p[0]=1; }\n"
_TRITON = "import triton\nimport triton.language as tl\n"
_NUMBA = "from numba import cuda, float32\n"
_WARP = "import warp as wp\n"
_CUTILE = "import cuda.tile as ct\n"
_CUTE = "import cutlass\nimport cutlass.cute as cute\n"


def _in_instances(n: int, piece: str) -> str:
    body, launches = ''.join(piece.format(i=i) for i in range(n)), ''.join(f'k<{i+1}><<<1, 64>>>(p, {i});\n' for i in range(n))
    return f'template <int N> __global__ void k(int *p, int n) {{ __shared__ int s[N]; {body} }}\nvoid h(int *p) {{ {launches} }}\n'


def _in_called(n: int, piece: str) -> str:
    body, calls = ''.join(piece.format(i=i) for i in range(n)), ''.join(f'd<{i+1}>(p, n);\n' for i in range(n))
    return f'template <int N> __device__ void d(int *p, int n) {{ __shared__ int s[N]; {body} }}\n__global__ void k(int *p, int n) {{ {calls} }}\n'


CONSTRUCTS: Mapping[str, Callable[[int], str]] = {
    'c_overload_tmpl': lambda n: '#define N0 4\n'+''.join(f'template<class T,int I{i}> KOKKOS_INLINE_FUNCTION auto f(T x{i}, A<{i}> a) -> decltype(x{i}+a) {{ return f(x{i}, a); }}\n' for i in range(n))+_K,
    'c_macro_fn_chain': lambda n: '#define M0(x) x\n'+''.join(f'#define M{i}(x) M{i-1}(x)\n' for i in range(1,n))+f'#define N0 M{n-1}(4)\n'+_K,
    'c_macro_many_use': lambda n: '#define N0 4\n#define FN inline __device__\n'+''.join(f'FN int f{i}(int a) {{ return a + N0; }}\n' for i in range(n))+_K,
    'c_ifdef_nest': lambda n: '#define N0 4\n'+''.join(f'#if defined(A{i}) || B{i} > {i}\n#define Q{i} 1\n#elif defined(C{i})\nint z{i};\n#endif\n' for i in range(n))+_K,
    'c_ifdef_around_kernel': lambda n: '#define N0 4\n'+''.join(f'#ifdef A{i}\n__global__ void k(int*p, int q{i}){{ __shared__ int s[{i+1}]; p[0]=s[1]; }}\n#endif\n' for i in range(n)),
    'c_same_name_const': lambda n: ''.join(f'namespace n{i} {{ constexpr int N0 = {i+1}; {_K}}}\n' for i in range(n)),
    'c_launch_param_calls': lambda n: '#define N0 4\n'+_K+'static void go(int t,int*p){ k<<<1,t>>>(p); }\n'+'void h(int*p){ '+''.join(f'go({i+1},p); ' for i in range(n))+'}\n',
    'c_call_chain': lambda n: '#define N0 4\n'+_K+'static void g0(int t,int*p){ k<<<1,t>>>(p); }\n'+''.join(f'static void g{i}(int t,int*p){{ g{i-1}(t,p); }}\n' for i in range(1,n))+f'void h(int*p){{ g{n-1}(64,p); }}\n',
    'c_device_chain': lambda n: '__device__ void d0(){ __shared__ int s[4]; s[0]=1; __syncthreads(); }\n'+''.join(f'__device__ void d{i}(){{ d{i-1}(); d{i-1}(); }}\n' for i in range(1,n))+f'__global__ void k(){{ d{n-1}(); }}\n',
    'c_tmpl_dev_fan': lambda n: 'template<int N> __device__ void d(){ __shared__ int s[N]; s[0]=1; }\n__global__ void k(){ '+''.join(f'd<{i+1}>(); ' for i in range(n))+'}\n',
    'c_inst': lambda n: 'template<int N> __global__ void k(int*p){ __shared__ int s[N]; p[0]=s[1]; }\nvoid h(int*p){ '+''.join(f'k<{i+1}><<<1,{i%32*32+32}>>>(p); ' for i in range(n))+'}\n',
    'c_dispatch_nest': lambda n: 'template<int N,int M> __global__ void k(int*p){ __shared__ int s[N+M]; p[0]=s[1]; }\ntemplate<int N> void g(int m,int*p){ switch(m){'+''.join(f'case {i}: k<N,{i}><<<1,64>>>(p); break;' for i in range(n))+'} }\nvoid h(int a,int b,int*p){ switch(a){'+''.join(f'case {i}: g<{i}>(b,p); break;' for i in range(n))+'} }\n',
    'c_struct_chain': lambda n: 'struct S0 { int a; };\n'+''.join(f'struct S{i} {{ S{i-1} a; char c; }};\n' for i in range(1,n))+f'__global__ void k(int*p){{ __shared__ S{n-1} s; p[0]=s.c; }}\n',
    'c_struct_base_chain': lambda n: 'struct S0 { int a; };\n'+''.join(f'struct S{i} : S{i-1} {{ char c; }};\n' for i in range(1,n))+f'__global__ void k(int*p){{ __shared__ S{n-1} s; p[0]=s.c; }}\n',
    'c_using_alias_chain': lambda n: 'using T0 = int;\n'+''.join(f'using T{i} = T{i-1};\n' for i in range(1,n))+f'__global__ void k(int*p){{ __shared__ T{n-1} s[4]; p[0]=s[1]; }}\n',
    'c_constexpr_chain': lambda n: 'constexpr int c0 = 1;\n'+''.join(f'constexpr int c{i} = c{i-1} + 1;\n' for i in range(1,n))+f'__global__ void k(int*p){{ __shared__ int s[c{n-1}]; p[0]=s[1]; }}\n',
    'c_constexpr_double': lambda n: 'constexpr int c0 = 1;\n'+''.join(f'constexpr int c{i} = c{i-1} * c{i-1};\n' for i in range(1,n))+f'__global__ void k(int*p){{ __shared__ int s[c{n-1}]; p[0]=s[1]; }}\n',
    'c_shared_decls': lambda n: '__global__ void k(int*p){ '+''.join(f'__shared__ int s{i}[4]; p[{i}]=s{i}[1]; ' for i in range(n))+'}\n',
    'c_if_blocks': lambda n: '__global__ void k(int*p){ '+''.join(f'if(p[{i}]) {{ __syncthreads(); p[0]={i}; }} ' for i in range(n))+'}\n',
    'c_nested_if': lambda n: '__global__ void k(int*p){ '+'if(p[0]) { '*n+'__syncthreads(); '+'} '*n+'}\n',
    'c_assign_before_launch': lambda n: '#define N0 4\n'+_K+'void h(int*p,int q){ int n=32; '+''.join(f'if(q=={i}) n={i%30*32+32}; ' for i in range(n))+'k<<<1,n>>>(p); }\n',
    'c_ternary_chain': lambda n: '#define N0 4\n'+_K+'void h(int*p,int q){ k<<<1,'+''.join(f'q=={i}?{i+1}:' for i in range(n))+'64>>>(p); }\n',
    'c_long_expr': lambda n: '#define N0 ('+'+'.join(['1']*n)+')\n'+_K,
    'c_min_nest': lambda n: '#define N0 4\n'+_K+'void h(int*p,int q){ k<<<1,'+'min('*n+'q'+',1024)'*n+'>>>(p); }\n',
    'c_lambdas': lambda n: '#define N0 4\n'+_K+'void h(int*p){ '+''.join(f'auto l{i}=[&](auto c){{ k<<<1,c.value>>>(p); }}; l{i}(std::integral_constant<int,{i%32*32+32}>()); ' for i in range(n))+'}\n',
    'c_comment_dirs': lambda n: '// occupancy: regs=40\n'*n+'__global__ void k(){}\n',
    'c_unclosed_lt': lambda n: '__global__ void k(){ int a = '+'b<'*n+'1; }\n',
    'c_unclosed_paren': lambda n: '__global__ void k(){ f('+'g(h, '*n+'; }\n',
    'c_attr_repeat': lambda n: '__global__ '+'__attribute__((unused)) '*n+'void k(){}\n',
    'c_tmpl_params': lambda n: 'template<'+','.join(f'int A{i}={i}' for i in range(n))+'> __global__ void k(){ __shared__ int s[A0+1]; s[0]=1; }\nvoid h(){ k<1><<<1,32>>>(); }\n',
    'c_spec_many': lambda n: 'template<int N> struct P { static constexpr int v = N; };\n'+''.join(f'template<> struct P<{i}> {{ static constexpr int v = {i+5}; }};\n' for i in range(n))+'__global__ void k(){ __shared__ int s['+'+'.join(f'P<{i}>::v' for i in range(0,n,max(1,n//50)))+']; s[0]=1; }\n',
    'c_hpp_ops': lambda n: '#define N0 4\nnamespace Kokkos { namespace Impl {\n'+''.join(f'template <class D{i}, class... P> struct V{i} : public B{i}<D{i}, P...> {{\n  using t{i} = typename T<D{i}, P...>::x;\n  template <class I0, class... Is>\n  KOKKOS_FORCEINLINE_FUNCTION std::enable_if_t<(is_int<I0>::value && (0 == t{i}::rank) && !is_left<{i}>), r&> operator()(I0 i0, Is... is) const {{ CHK(((i0, is...))) return m.ref(i0); }}\n}};\n' for i in range(n))+'}}\n'+_K,
    'c_extern_c': lambda n: '#define N0 4\n'+''.join(f'extern "C" void f{i}(int a[{i+1}], int (*b)(int, char), unsigned c = N0);\n' for i in range(n))+_K,
    'c_vaargs': lambda n: '#define L(...) __VA_ARGS__\n#define N0 4\n'+_K+'void h(int*p){ L('+','.join(f'x{i}' for i in range(n))+'); k<<<1,32>>>(p); }\n',
    'c_macro_expand_double': lambda n: '#define X0 1\n'+''.join(f'#define X{i} X{i-1}+X{i-1}\n' for i in range(1,n))+f'#define N0 (X{n-1})\n'+_K,
    'c_undef_redef': lambda n: ''.join(f'#undef N0\n#define N0 {i+1}\n' for i in range(n))+_K,
    'c_redef_kernels': lambda n: ''.join(f'#undef N0\n#define N0 {i+1}\n'+_K.replace('k(',f'k{i}(') for i in range(n)),
    'py_triton_configs': lambda n: 'import triton\nimport triton.language as tl\n@triton.autotune(configs=['+','.join(f'triton.Config({{"B": {i}}}, num_warps=4)' for i in range(n))+'], key=["n"])\n@triton.jit\ndef k(x, n, B: tl.constexpr):\n    tl.store(x, 1)\n',
    'py_triton_kernels': lambda n: _TRITON+''.join(f'@triton.jit\ndef k{i}(x, B: tl.constexpr):\n    tl.store(x, 1)\n\ndef g{i}(x):\n    k{i}[(1,)](x, B=2, num_warps=8)\n' for i in range(n)),
    'py_triton_launches': lambda n: 'import triton\nimport triton.language as tl\n@triton.jit\ndef k(x, B: tl.constexpr):\n    tl.store(x, 1)\ndef g(x):\n'+''.join(f'    k[(1,)](x, B={i}, num_warps=8)\n' for i in range(n)),
    'py_triton_append': lambda n: 'import triton\nimport triton.language as tl\ncs = []\n'+''.join(f'cs += [triton.Config({{"B": {i}}}, num_warps=4)]\n' for i in range(n))+'@triton.autotune(configs=cs, key=["n"])\n@triton.jit\ndef k(x, n, B: tl.constexpr):\n    tl.store(x, 1)\n',
    'py_numba_calls': lambda n: 'from numba import cuda, float32\n@cuda.jit(device=True)\ndef d0(a):\n    s = cuda.shared.array(4, float32)\n    s[0] = a\n'+''.join(f'@cuda.jit(device=True)\ndef d{i}(a):\n    d{i-1}(a)\n    d{i-1}(a)\n' for i in range(1,n))+f'@cuda.jit\ndef k(a):\n    d{n-1}(a[0])\n',
    'py_numba_launches': lambda n: 'from numba import cuda\n@cuda.jit\ndef k(a):\n    a[0] = 1\n'+''.join(f'def g{i}(a, b={i+1}):\n    k[1, b](a)\n' for i in range(n)),
    'py_const_chain': lambda n: 'from numba import cuda, float32\nc0 = 1\n'+''.join(f'c{i} = c{i-1} + 1\n' for i in range(1,n))+f'@cuda.jit\ndef k(a):\n    s = cuda.shared.array(c{n-1}, float32)\n    s[0] = 1\n',
    'py_warp_tiles': lambda n: 'import warp as wp\n@wp.kernel\ndef k(a: wp.array(dtype=float)):\n'+''.join(f'    t{i} = wp.tile_zeros(shape=({i+1},), dtype=float, storage="shared")\n' for i in range(n)),
    'py_strings': lambda n: 'import cupy\n'+''.join(f'k{i} = cupy.RawKernel(r"""extern "C" __global__ void k{i}(int*p){{ __shared__ int s[{i+1}]; p[0]=s[1]; }}""", "k{i}")\nk{i}((1,), (64,), (p,))\n' for i in range(n)),
    'py_nested_def': lambda n: _TRITON+''.join('    '*i+f'def f{i}():\n' for i in range(min(n,90)))+'    '*min(n,90)+'pass\n'+'@triton.jit\ndef k(x):\n    tl.store(x, 1)\n',
    'py_broken': lambda n: _TRITON+''.join(f'@triton.jit\ndef k{i}(x:\n    tl.store(x, 1)\n' for i in range(n)),
    'py_open_brackets': lambda n: 'import triton\n@triton.jit\ndef k(x):\n    y = '+'('*n+'\n',
    'py_lines_x': lambda n: _TRITON+'x = 1\n'*n+'@triton.jit\ndef k(x):\n    tl.store(x, 1)\n',
    'py_ifexpr': lambda n: 'import triton\nimport triton.language as tl\n@triton.jit\ndef k(x, B: tl.constexpr):\n    tl.store(x, 1)\ndef g(x, m):\n    w = '+' '.join(f'{2**(i%5)} if m == {i} else' for i in range(n))+' 4\n    k[(1,)](x, B=2, num_warps=w)\n',
    'py_dot_loops': lambda n: 'import triton\nimport triton.language as tl\n@triton.jit\ndef k(a, b, B: tl.constexpr):\n'+''.join(f'    for i{i} in range(0, 10):\n        x = tl.load(a)\n        y = tl.load(b)\n        acc = tl.dot(x, y)\n' for i in range(n))+'def g(a,b):\n    k[(1,)](a, b, B=64, num_warps=4, num_stages=3)\n',
    'cl_kernels': lambda n: ''.join(f'__kernel void k{i}(__global int*p){{ __local int l[{i+1}]; l[0]=p[0]; barrier(CLK_LOCAL_MEM_FENCE); p[1]=l[1]; }}\n' for i in range(n)),
    'values_of_structs': lambda n: ''.join(f'struct S{i} {{ static constexpr int v = {i+1}; }};\n' for i in range(n))+''.join(f'__global__ void k{i}(int*p){{ __shared__ int s[S{i}::v]; p[0]=s[1]; }}\n' for i in range(n)),
    'types_of_structs': lambda n: ''.join(f'struct S{i} {{ struct T {{ int a[{i+1}]; }}; }};\n' for i in range(n))+''.join(f'__global__ void k{i}(int*p){{ __shared__ S{i}::T s; p[0]=s.a[0]; }}\n' for i in range(n)),
    'kernels_in_namespaces': lambda n: ''.join(f'namespace n{i} {{ {_PLAIN}void h(int*p){{ k<<<1,{i%32*32+32}>>>(p); }} }}\n' for i in range(n)),
    'functions_in_namespaces': lambda n: ''.join(f'namespace n{i} {{ __device__ void f(){{ __shared__ int s[{i+1}]; s[0]=1; __syncthreads(); }}\n__global__ void k{i}(int*p){{ f(); p[0]=1; }} }}\n' for i in range(n)),
    'methods_of_one_name': lambda n: ''.join(f'struct S{i} {{ __device__ void f(int a){{ __shared__ int s[{i+1}]; s[a]=1; __syncthreads(); }} }};\n__global__ void k{i}(int*p){{ S{i} o; o.f(1); p[0]=1; }}\n' for i in range(n)),
    'overloads_called': lambda n: ''.join(f'struct S{i} {{ int a; }};\n__device__ int f(S{i} s){{ return s.a; }}\n__global__ void k{i}(int*p){{ S{i} o; p[0]=f(o); }}\n' for i in range(n)),
    'specialised_traits': lambda n: 'template<class T> struct P;\n'+''.join(f'struct T{i} {{}};\ntemplate<> struct P<T{i}> {{ static constexpr int v = {i+5}; }};\n__global__ void k{i}(int*p){{ __shared__ int s[P<T{i}>::v]; p[0]=s[1]; }}\n' for i in range(n)),
    'kernels_launched': lambda n: ''.join(f'__global__ void k{i}(int*p){{ p[threadIdx.x]=1; }}\nvoid h{i}(int*p,int n){{ k{i}<<<(n+127)/128,128>>>(p); }}\n' for i in range(n)),
    'kernels_one_host': lambda n: ''.join(f'__global__ void k{i}(int*p){{ p[threadIdx.x]=1; }}\n' for i in range(n))+'void h(int*p,int n){ '+''.join(f'k{i}<<<n/128,128>>>(p); ' for i in range(n))+'}\n',
    'too_many_threads': lambda n: ''.join(f'__global__ void k{i}(int*p){{ p[threadIdx.x]=1; }}\nvoid h{i}(int*p){{ k{i}<<<4,2048>>>(p); }}\n' for i in range(n)),
    'ignores': lambda n: ''.join(f'// occupancy: ignore[OCC102] intended 4\n__global__ void k{i}(int*p){{ p[0]=1; }}\n' for i in range(n)),
    'chain_of_templates': lambda n: 'template<int N> __global__ void k(int*p){ p[0]=N; }\ntemplate<int N> void g0(int*p){ k<N><<<1,64>>>(p); }\n'+''.join(f'template<int N> void g{i}(int*p){{ g{i-1}<N>(p); }}\n' for i in range(1,n))+'void h(int*p){ '+''.join(f'g{n-1}<{i}>(p); ' for i in range(n))+'}\n',
    'dispatch_bools': lambda n: 'template<int N,bool A,bool B> __global__ void k(int*p){ __shared__ int s[N]; p[0]=s[A+B]; }\ntemplate<int N,bool A> void g1(bool b,int*p){ if(b) k<N,A,true><<<1,64>>>(p); else k<N,A,false><<<1,64>>>(p); }\ntemplate<int N> void g(bool a,bool b,int*p){ if(a) g1<N,true>(b,p); else g1<N,false>(b,p); }\nvoid h(int m,bool a,bool b,int*p){ switch(m){ '+''.join(f'case {i}: g<{i+1}>(a,b,p); break; ' for i in range(n))+'} }\n',
    'macro_kernels': lambda n: '#define MAKE(N) __global__ void k##N(int*p){ __shared__ int s[N+1]; p[0]=s[1]; }\n'+''.join(f'MAKE({i})\n' for i in range(n)),
    'macro_launches': lambda n: '#define RUN(K,N) K<<<1,N>>>(p)\n'+_PLAIN+'void h(int*p){ '+''.join(f'RUN(k,{i%32*32+32}); ' for i in range(n))+'}\n',
    'lambdas_handed': lambda n: _PLAIN+'template<class F> void run(F f){ f(std::integral_constant<int,64>()); }\nvoid h(int*p){ '+''.join('run([&](auto c){ k<<<1,c.value>>>(p); }); ' for i in range(n))+'}\n',
    'consts_under_ifs': lambda n: ''.join(f'#if A{i}\nconst int N0 = {i+1};\n#endif\n__global__ void k{i}(int*p){{ __shared__ int s[N0]; p[0]=s[1]; }}\n' for i in range(n)),
    'usings': lambda n: ''.join(f'namespace n{i} {{ const int A{i} = {i+1}; }}\nusing namespace n{i};\n__global__ void k{i}(int*p){{ __shared__ int s[A{i}]; p[0]=s[1]; }}\n' for i in range(n)),
    'attribute_sets': lambda n: ''.join(f'__global__ void k{i}(int*p){{ extern __shared__ int s[]; p[0]=s[1]; }}\n' for i in range(n))+'void h(int*p){ '+''.join(f'cudaFuncSetAttribute(k{i},cudaFuncAttributeMaxDynamicSharedMemorySize,{65536+i*16}); k{i}<<<1,64,{65536+i*16}>>>(p); ' for i in range(n))+'}\n',
    'device_diamonds': lambda n: '__device__ void d0(){ __syncthreads(); }\n'+''.join(f'__device__ void d{i}(){{ d{i//2}(); d{(i-1)//2}(); }}\n' for i in range(1,n))+''.join(f'__global__ void k{i}(){{ d{i}(); }}\n' for i in range(n)),
    'swizzled_loads': lambda n: '__global__ void k(int*p){ __shared__ int s[1024]; int t=threadIdx.x; '+''.join(f'int v{i}=s[t*{i+1}]; s[t+{i}]=v{i}; __syncthreads(); ' for i in range(n))+'}\n',
    'hi_kernels': lambda n: '#include <hip/hip_runtime.h>\n'+''.join(f'__global__ __launch_bounds__(256) void k{i}(float*p){{ __shared__ float s[{i+1}]; float a[8]; a[threadIdx.x%8]=p[0]; s[0]=a[1]; p[1]=s[0]; }}\nvoid h{i}(float*p){{ hipLaunchKernelGGL(k{i}, dim3(1), dim3(256), 0, 0, p); }}\n' for i in range(n)),
    'cl_macros': lambda n: ''.join(f'#ifndef W{i}\n#define W{i} {i%16+1}\n#endif\n__kernel __attribute__((reqd_work_group_size(W{i},1,1))) void k{i}(__global int*p){{ __local int l[W{i}]; l[0]=p[0]; barrier(CLK_LOCAL_MEM_FENCE); p[1]=l[1]; }}\n' for i in range(n)),
    'py_triton_autotuned': lambda n: _TRITON+''.join(f'@triton.autotune(configs=[triton.Config({{"B": 64}}, num_warps=4), triton.Config({{"B": 128}}, num_warps=8)], key=["n"])\n@triton.jit\ndef k{i}(x, n, B: tl.constexpr):\n    tl.store(x, 1)\n\ndef g{i}(x, n):\n    k{i}[(n,)](x, n)\n' for i in range(n)),
    'py_triton_one_function': lambda n: _TRITON+''.join(f'@triton.jit\ndef k{i}(x, B: tl.constexpr):\n    tl.store(x, 1)\n' for i in range(n))+'def g(x):\n'+''.join(f'    w{i} = {2**(i%4)}\n    k{i}[(1,)](x, B=2, num_warps=w{i})\n' for i in range(n)),
    'py_numba_kernels': lambda n: _NUMBA+''.join(f'@cuda.jit\ndef k{i}(a):\n    s = cuda.shared.array({i+1}, float32)\n    s[0] = a[0]\n\ndef g{i}(a):\n    k{i}[1, {i%32*32+32}](a)\n' for i in range(n)),
    'py_warp_kernels': lambda n: _WARP+''.join(f'@wp.kernel\ndef k{i}(a: wp.array(dtype=float)):\n    t = wp.tile_zeros(shape=({i+1},), dtype=float, storage="shared")\n    a[0] = 1.0\n\ndef g{i}(a):\n    wp.launch(k{i}, dim=64, inputs=[a], block_dim={i%4*32+32})\n' for i in range(n)),
    'py_cutile_kernels': lambda n: _CUTILE+''.join(f'@ct.kernel(occupancy=2)\ndef k{i}(a):\n    x = ct.load(a, index=(0,), shape=(16,))\n    ct.store(a, index=(0,), tile=x)\n\ndef g{i}(a, s):\n    ct.launch(s, (1, 1, 1), k{i}, (a,))\n' for i in range(n)),
    'py_cute_kernels': lambda n: _CUTE+''.join(f'@cute.kernel\ndef k{i}(a):\n    pass\n\n@cute.jit\ndef r{i}(a, n):\n    k{i}(a).launch(grid=[n, 1, 1], block=[{i%32*32+32}, 1, 1], smem={i*16})\n' for i in range(n)),
    'py_cuda_strings_one': lambda n: 'import cupy\nsrc = r"""\n'+''.join(f'extern "C" __global__ void k{i}(int*p){{ __shared__ int s[{i+1}]; p[0]=s[1]; }}\n' for i in range(n))+'"""\nm = cupy.RawModule(code=src)\n'+''.join(f'm.get_function("k{i}")((1,), ({i%32*32+32},), (p,))\n' for i in range(n)),
    'py_numba_hip_kernels': lambda n: 'from numba import hip, float32\n'+''.join(f'@hip.jit\ndef k{i}(a):\n    a[0] = 1\n\ndef g{i}(a):\n    k{i}[1, {i%16*64+64}](a)\n' for i in range(n)),
    'c_inst_branches': lambda n: _in_instances(n, 'if (n > {i}) {{ p[{i}] = s[n]; }}\n'),
    'c_inst_branches_by_parameter': lambda n: _in_instances(n, 'if (N > {i}) {{ p[{i}] = s[n]; }}\n'),
    'c_inst_arrays': lambda n: _in_instances(n, 'if (n > {i}) {{ __shared__ int s{i}[N]; p[{i}] = s{i}[n]; }}\n'),
    'c_inst_calls': lambda n: _in_instances(n, 'if (n > {i}) {{ f(p, {i}); }}\n'),
    'c_called_branches_by_parameter': lambda n: _in_called(n, 'if (N > {i}) {{ p[{i}] = s[n]; }}\n'),
    'c_called_arrays': lambda n: _in_called(n, 'if (n > {i}) {{ __shared__ int s{i}[N]; p[{i}] = s{i}[n]; }}\n'),
    'c_host_branches_by_parameter': lambda n: 'template <int N> __global__ void k(int *p) { __shared__ int s[N]; p[0] = s[1]; }\ntemplate <int N> void g(int *p) { '+''.join(f'if (N > {i}) k<{i+1}><<<1, N>>>(p);\n' for i in range(n))+'}\nvoid h(int *p) { '+''.join(f'g<{i+1}>(p);\n' for i in range(n))+'}\n',
    'yaml_budgets': lambda n: 'budgets:\n'+''.join(f'  - {{kernel: "k{i}*", min_groups: {i%8+1}, devices: [h100], reason: "r{i}", until: 2099-01-01}}\n' for i in range(n)),
    'yaml_launch': lambda n: 'launch:\n'+''.join(f'  k{i}: {{block: {i%32*32+32}, dynamic_shared: {i%48}KiB}}\n' for i in range(n)),
    'yaml_assume': lambda n: 'assume:\n  block: 256\n'+''.join(f'  "k{i}": {{block: {i%32*32+32}}}\n' for i in range(n)),
    'yaml_contracts': lambda n: 'contracts:\n'+''.join(f'  "k{i}*": [">= 50% on h100", ">= 25% on sm_80"]\n' for i in range(n)),
    'yaml_macros': lambda n: 'macros:\n'+''.join(f'  N{i}: "N{i+1} + {i}"\n' for i in range(n)),
    'yaml_languages': lambda n: 'languages:\n'+''.join(f'  "src{i}/**/*.h": hip\n' for i in range(n)),
    'yaml_faults': lambda n: 'thresold: 5\nrules:\n'+''.join(f'  OCC{i}: of\n' for i in range(n)),
    'yaml_broken': lambda n: 'budgets:\n'+'  - {kernel: [\n'*n,
    'yaml_globs': lambda n: 'sidecars:\n'+''.join(f'  - "build{i}/**/*.log"\n' for i in range(n)),
    'counts_kernels': lambda n: 'kernels:\n'+''.join(f'  k{i}: {{registers: {i%200+16}, shared: {i}, sm_90: {{registers: 64}}}}\n' for i in range(n)),
}
