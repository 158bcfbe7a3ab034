// What the compilers keep of shared variables: "Used … bytes smem" of nvcc 13.0 for sm_90 and the LDS of clang 22 for gfx90a are in
// tests/source/test_shrinking.py.
#define T threadIdx.x
__global__ void atomc(int*o){__shared__ int a[1024]; if(!T)a[0]=0; __syncthreads(); atomicAdd(&a[0],1); __syncthreads(); o[T]=a[0];}
struct Scratch { float mean, sigma, spare[1024]; };
struct Two { float a; float b; };
struct Mix { char c; float f; };
__device__ float at0(float* p) { return p[0]; }
__device__ float atn(float* p, int n) { return p[n]; }
__global__ void loop16(float* o, int i) { __shared__ float a[16]; if (threadIdx.x == 0) for (int k = 0; k < 16; k++) a[k] = o[i+k]; __syncthreads(); float s=0; for (int k = 0; k < 16; k++) s += a[k]; o[threadIdx.x]=s; }
__global__ void loop4(float* o, int i) { __shared__ float a[1024]; if (threadIdx.x == 0) for (int k = 0; k < 4; k++) a[k] = o[i+k]; __syncthreads(); float s=0; for (int k = 0; k < 4; k++) s += a[k]; o[threadIdx.x]=s; }
__global__ void loopu(float* o, int i) { __shared__ float a[1024]; if (threadIdx.x == 0) _Pragma("unroll") for (int k = 0; k < 4; k++) a[k] = o[i+k]; __syncthreads(); float s=0; _Pragma("unroll") for (int k = 0; k < 4; k++) s += a[k]; o[threadIdx.x]=s; }
__global__ void write_var_read0(float* o, int i) { __shared__ float a[1024]; a[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = a[0]; }
__global__ void write0_read_var(float* o, int i) { __shared__ float a[1024]; if (threadIdx.x==0) a[0] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = a[i]; }
__global__ void ptr_alias(float* o, int i) { __shared__ float a[1024]; float* p = a; if (threadIdx.x==0) p[0] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = p[0]; }
__global__ void ptr_alias_var(float* o, int i) { __shared__ float a[1024]; float* p = a + i; if (threadIdx.x==0) p[0] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = p[0]; }
__global__ void callc(float* o, int i) { __shared__ float a[1024]; if (threadIdx.x==0) a[1] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = at0(a)+a[1]; }
__global__ void callv(float* o, int i) { __shared__ float a[1024]; if (threadIdx.x==0) a[1] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = atn(a, i); }
__global__ void callcc(float* o, int i) { __shared__ float a[1024]; if (threadIdx.x==0) a[1] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = atn(a, 1); }
__global__ void var_i0(float* o, int i) { __shared__ float a[1024]; int k = 3; if (threadIdx.x==0) a[k] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = a[k]; }
__global__ void cond_idx(float* o, int i) { __shared__ float a[1024]; int k = i > 3 ? 1 : 2; if (threadIdx.x==0) a[k] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = a[1]; }
__global__ void many(float* o, int i) { __shared__ float a[64]; if (threadIdx.x==0) {a[0]=o[0];a[1]=o[1];a[2]=o[2];a[3]=o[3];a[4]=o[4];a[5]=o[5];a[6]=o[6];a[7]=o[7];a[8]=o[8];a[9]=o[9];a[10]=o[10];a[11]=o[11];a[12]=o[12];a[13]=o[13];a[14]=o[14];a[15]=o[15];a[16]=o[16];a[17]=o[17];} __syncthreads(); o[threadIdx.x]=a[0]+a[1]+a[2]+a[3]+a[4]+a[5]+a[6]+a[7]+a[8]+a[9]+a[10]+a[11]+a[12]+a[13]+a[14]+a[15]+a[16]+a[17]; }
__global__ void mix(float* o, int i) { __shared__ Mix m; if (threadIdx.x==0) {m.c = o[0]; m.f = o[1];} __syncthreads(); o[threadIdx.x] = m.c + m.f; }
__global__ void whole_struct(float* o, int i) { __shared__ Two m; if (threadIdx.x==0) m = ((Two*)o)[i]; __syncthreads(); o[threadIdx.x] = m.a; }
__global__ void struct_copy_out(float* o, int i) { __shared__ Scratch m; m.spare[threadIdx.x] = o[threadIdx.x]; m.mean = o[1]; __syncthreads(); Scratch l = m; o[threadIdx.x] = l.mean; }
__global__ void arr2d(float* o, int i) { __shared__ float a[32][33]; a[threadIdx.x][0] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = a[0][0]; }
__global__ void arr2dc(float* o, int i) { __shared__ float a[32][33]; if (threadIdx.x==0) a[3][0] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = a[3][0]; }
__global__ void byteptr(float* o, int i) { __shared__ float a[1024]; char* p = (char*)a; if (threadIdx.x==0) p[5] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = p[5]; }
__global__ void f4(float* o, int i) { __shared__ float a[1024]; if (threadIdx.x==0) *(float4*)a = ((float4*)o)[i]; __syncthreads(); o[threadIdx.x] = a[0]+a[1]+a[2]+a[3]; }
__global__ void written_var_const_read_none(float* o, int i) { __shared__ float a[1024]; __shared__ float b[4]; a[threadIdx.x] = o[threadIdx.x]; b[0]=o[1]; __syncthreads(); o[threadIdx.x] = b[0]; }
__global__ void sizeofuse(float* o, int i) { __shared__ float a[1024]; if (threadIdx.x==0) a[0] = sizeof(a); __syncthreads(); o[threadIdx.x] = a[0]; }
__global__ void ptr_sel(float* o, int i) { __shared__ float a[512]; __shared__ float b[512]; float* p = i ? a : b; if (threadIdx.x==0) p[0] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = p[0]; }
__global__ void ptr_store(float* o, int i) { __shared__ float a[512]; if (threadIdx.x==0) a[0] = o[threadIdx.x]; __syncthreads(); ((float**)o)[threadIdx.x] = a; o[threadIdx.x+99] = a[0]; }
__global__ void loopn(float* o, int i) { __shared__ float a[1024]; if (threadIdx.x == 0) for (int k = 0; k < i; k++) a[k] = o[i+k]; __syncthreads(); float s=0; for (int k = 0; k < i; k++) s += a[k]; o[threadIdx.x]=s; }
__global__ void and31(float* o, int i) { __shared__ float a[1024]; a[threadIdx.x & 31] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = a[0]; }
__global__ void ymod1(float* o, int i) { __shared__ float a[1024]; a[threadIdx.x % 1] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = a[0]; }
__global__ void atomc(int*o){__shared__ int a[1024]; if(!T)a[0]=0; __syncthreads(); atomicAdd(&a[0],1); __syncthreads(); o[T]=a[0];}
__global__ void cvta(float*o){__shared__ float a[1024]; if(!T)a[0]=0; __syncthreads(); unsigned u=__cvta_generic_to_shared(a); o[T]=a[0]+u;}
__global__ void asmu(float*o){__shared__ float a[1024]; if(!T)a[0]=0; __syncthreads(); float r; asm volatile("ld.shared.f32 %0,[%1];":"=f"(r):"l"(a)); o[T]=a[0]+r;}
__device__ __noinline__ float ni(float*p){return p[0];}
__global__ void noinl(float*o){__shared__ float a[1024]; if(!T)a[0]=0; __syncthreads(); o[T]=a[0]+ni(a);}
__global__ void vola(float*o){__shared__ volatile float a[1024]; if(!T)a[0]=0; __syncthreads(); o[T]=a[0];}
__global__ void volp(float*o){__shared__ float a[1024]; volatile float*p=a; if(!T)p[0]=o[5]; __syncthreads(); o[T]=p[0];}
__shared__ float gl[1024];
__global__ void globs(float*o){ if(!T)gl[0]=o[5]; __syncthreads(); o[T]=gl[0];}
template<int N> __global__ void tm(float*o){__shared__ float a[1024]; if(!T)a[N]=o[5]; __syncthreads(); o[T]=a[N];}
template __global__ void tm<3>(float*);
__global__ void __launch_bounds__(1) lb1(float*o){__shared__ float a[1024]; a[threadIdx.x]=o[5]; __syncthreads(); o[T]=a[0];}
__global__ void wrp(float*o,int i){__shared__ float a[32]; if(!(T&31))a[T>>5]=o[5]; __syncthreads(); o[T]=a[0];}
__global__ void memc(float*o){__shared__ float a[1024]; memcpy(a,o,16); __syncthreads(); o[T+100]=a[0];}
__global__ void ty(float*o){__shared__ float a[1024]; a[threadIdx.y]=o[5]; __syncthreads(); o[T]=a[0];}
__global__ void shfl(float*o){__shared__ float a[1024]; a[__shfl_sync(~0u,T,0)]=o[5]; __syncthreads(); o[T]=a[0];}
