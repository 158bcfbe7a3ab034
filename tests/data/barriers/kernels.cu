#define SYNC __syncthreads()
#define SYNCF() __syncthreads()
#define BAR(id) asm volatile("bar.sync " #id ", 64;" ::: "memory")
#define ASM3 asm volatile("bar.sync 3, 64;" ::: "memory")
__device__ void named(int id, int n) { asm volatile("bar.sync %0, %1;" :: "r"(id), "r"(n) : "memory"); }
__device__ void arrive(int id) { asm volatile("bar.arrive %0, 128;" :: "r"(id) : "memory"); }
__device__ void outer(int id) { named(id, 64); }
template <int ID> __device__ void fixed() { asm volatile("bar.sync %0;" :: "n"(ID) : "memory"); }
__device__ void helper() { __syncthreads(); }
__device__ void deep() { helper(); }
__device__ void when(bool x) { if (x) __syncthreads(); }
__device__ float plain(float x) { return x * 2.0f; }
template <bool B> __device__ void maybe() { if constexpr (B) __syncthreads(); }
struct Guard { __device__ ~Guard() { __syncthreads(); } };
struct Team { int id; __device__ void wait() { __syncthreads(); } __device__ static void meet(int n) { named(n, 64); } };
enum Ids { FULL = 1, EMPTY = 2, LAST = 7 };
constexpr int kBarrier = 4;
__device__ __noinline__ void apart(int id) { named(id, 64); }
__global__ void k0(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k1(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k2(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k3(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) {  }
  a[l] = t[B - 1 - l];
}
void run3(int *a) { k3<128><<<1, 128>>>(a, 1); }
__global__ void k4(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  __syncthreads();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k5(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  __syncthreads();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k6(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  __syncthreads();
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k7(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { __syncthreads(); }
  a[l] = t[B - 1 - l];
}
void run7(int *a) { k7<64><<<1, 128>>>(a, 1); }
__global__ void k8(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  SYNC;
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k9(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  SYNC;
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k10(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  SYNC;
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k11(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { SYNC; }
  a[l] = t[B - 1 - l];
}
void run11(int *a) { k11<128><<<1, 128>>>(a, 1); }
__global__ void k12(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  SYNCF();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k13(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  SYNCF();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k14(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  SYNCF();
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k15(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { SYNCF(); }
  a[l] = t[B - 1 - l];
}
void run15(int *a) { k15<64><<<1, 128>>>(a, 1); }
__global__ void k16(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  BAR(2);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k17(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  BAR(2);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k18(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  BAR(2);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k19(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { BAR(2); }
  a[l] = t[B - 1 - l];
}
void run19(int *a) { k19<128><<<1, 128>>>(a, 1); }
__global__ void k20(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  ASM3;
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k21(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  ASM3;
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k22(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  ASM3;
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k23(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { ASM3; }
  a[l] = t[B - 1 - l];
}
void run23(int *a) { k23<64><<<1, 128>>>(a, 1); }
__global__ void k24(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  named(5, 64);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k25(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  named(5, 64);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k26(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  named(5, 64);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k27(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { named(5, 64); }
  a[l] = t[B - 1 - l];
}
void run27(int *a) { k27<128><<<1, 128>>>(a, 1); }
__global__ void k28(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  named(n, 64);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k29(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  named(n, 64);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k30(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  named(n, 64);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k31(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { named(n, 64); }
  a[l] = t[B - 1 - l];
}
void run31(int *a) { k31<64><<<1, 128>>>(a, 1); }
__global__ void k32(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  outer(6);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k33(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  outer(6);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k34(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  outer(6);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k35(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { outer(6); }
  a[l] = t[B - 1 - l];
}
void run35(int *a) { k35<128><<<1, 128>>>(a, 1); }
__global__ void k36(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  arrive(3);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k37(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  arrive(3);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k38(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  arrive(3);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k39(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { arrive(3); }
  a[l] = t[B - 1 - l];
}
void run39(int *a) { k39<64><<<1, 128>>>(a, 1); }
__global__ void k40(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  fixed<2>();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k41(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  fixed<2>();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k42(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  fixed<2>();
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k43(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { fixed<2>(); }
  a[l] = t[B - 1 - l];
}
void run43(int *a) { k43<128><<<1, 128>>>(a, 1); }
__global__ void k44(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  fixed<kBarrier>();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k45(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  fixed<kBarrier>();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k46(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  fixed<kBarrier>();
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k47(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { fixed<kBarrier>(); }
  a[l] = t[B - 1 - l];
}
void run47(int *a) { k47<64><<<1, 128>>>(a, 1); }
__global__ void k48(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  helper();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k49(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  helper();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k50(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  helper();
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k51(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { helper(); }
  a[l] = t[B - 1 - l];
}
void run51(int *a) { k51<128><<<1, 128>>>(a, 1); }
__global__ void k52(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  deep();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k53(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  deep();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k54(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  deep();
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k55(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { deep(); }
  a[l] = t[B - 1 - l];
}
void run55(int *a) { k55<64><<<1, 128>>>(a, 1); }
__global__ void k56(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  when(true);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k57(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  when(true);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k58(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  when(true);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k59(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { when(true); }
  a[l] = t[B - 1 - l];
}
void run59(int *a) { k59<128><<<1, 128>>>(a, 1); }
__global__ void k60(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  when(false);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k61(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  when(false);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k62(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  when(false);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k63(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { when(false); }
  a[l] = t[B - 1 - l];
}
void run63(int *a) { k63<64><<<1, 128>>>(a, 1); }
__global__ void k64(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  when(n);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k65(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  when(n);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k66(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  when(n);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k67(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { when(n); }
  a[l] = t[B - 1 - l];
}
void run67(int *a) { k67<128><<<1, 128>>>(a, 1); }
__global__ void k68(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  t[l] = plain(t[l]);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k69(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  t[l] = plain(t[l]);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k70(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  t[l] = plain(t[l]);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k71(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { t[l] = plain(t[l]); }
  a[l] = t[B - 1 - l];
}
void run71(int *a) { k71<64><<<1, 128>>>(a, 1); }
__global__ void k72(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  maybe<true>();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k73(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  maybe<true>();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k74(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  maybe<true>();
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k75(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { maybe<true>(); }
  a[l] = t[B - 1 - l];
}
void run75(int *a) { k75<128><<<1, 128>>>(a, 1); }
__global__ void k76(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  maybe<false>();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k77(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  maybe<false>();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k78(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  maybe<false>();
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k79(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { maybe<false>(); }
  a[l] = t[B - 1 - l];
}
void run79(int *a) { k79<64><<<1, 128>>>(a, 1); }
__global__ void k80(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  Guard g;
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k81(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  Guard g;
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k82(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  Guard g;
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k83(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { Guard g; }
  a[l] = t[B - 1 - l];
}
void run83(int *a) { k83<128><<<1, 128>>>(a, 1); }
__global__ void k84(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  Team team{0}; team.wait();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k85(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  Team team{0}; team.wait();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k86(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  Team team{0}; team.wait();
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k87(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { Team team{0}; team.wait(); }
  a[l] = t[B - 1 - l];
}
void run87(int *a) { k87<64><<<1, 128>>>(a, 1); }
__global__ void k88(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  Team::meet(LAST);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k89(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  Team::meet(LAST);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k90(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  Team::meet(LAST);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k91(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { Team::meet(LAST); }
  a[l] = t[B - 1 - l];
}
void run91(int *a) { k91<128><<<1, 128>>>(a, 1); }
__global__ void k92(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  named(FULL, 64); named(EMPTY, 64);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k93(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  named(FULL, 64); named(EMPTY, 64);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k94(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  named(FULL, 64); named(EMPTY, 64);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k95(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { named(FULL, 64); named(EMPTY, 64); }
  a[l] = t[B - 1 - l];
}
void run95(int *a) { k95<64><<<1, 128>>>(a, 1); }
__global__ void k96(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  __barrier_sync(9);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k97(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  __barrier_sync(9);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k98(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  __barrier_sync(9);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k99(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { __barrier_sync(9); }
  a[l] = t[B - 1 - l];
}
void run99(int *a) { k99<128><<<1, 128>>>(a, 1); }
__global__ void k100(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  __barrier_sync_count(kBarrier, 64);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k101(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  __barrier_sync_count(kBarrier, 64);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k102(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  __barrier_sync_count(kBarrier, 64);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k103(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { __barrier_sync_count(kBarrier, 64); }
  a[l] = t[B - 1 - l];
}
void run103(int *a) { k103<64><<<1, 128>>>(a, 1); }
__global__ void k104(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  if (n > 3) __syncthreads();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k105(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  if (n > 3) __syncthreads();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k106(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  if (n > 3) __syncthreads();
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k107(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { if (n > 3) __syncthreads(); }
  a[l] = t[B - 1 - l];
}
void run107(int *a) { k107<128><<<1, 128>>>(a, 1); }
__global__ void k108(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  if (threadIdx.x < 32) named(1, 32); else named(2, 32);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k109(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  if (threadIdx.x < 32) named(1, 32); else named(2, 32);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k110(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  if (threadIdx.x < 32) named(1, 32); else named(2, 32);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k111(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { if (threadIdx.x < 32) named(1, 32); else named(2, 32); }
  a[l] = t[B - 1 - l];
}
void run111(int *a) { k111<64><<<1, 128>>>(a, 1); }
__global__ void k112(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  for (int s = 64; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; __syncthreads(); }
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k113(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  for (int s = 64; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; __syncthreads(); }
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k114(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  for (int s = 64; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; __syncthreads(); }
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k115(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { for (int s = 64; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; __syncthreads(); } }
  a[l] = t[B - 1 - l];
}
void run115(int *a) { k115<128><<<1, 128>>>(a, 1); }
__global__ void k116(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  for (int s = blockDim.x / 2; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; __syncthreads(); }
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k117(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  for (int s = blockDim.x / 2; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; __syncthreads(); }
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k118(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  for (int s = blockDim.x / 2; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; __syncthreads(); }
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k119(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { for (int s = blockDim.x / 2; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; __syncthreads(); } }
  a[l] = t[B - 1 - l];
}
void run119(int *a) { k119<64><<<1, 128>>>(a, 1); }
__global__ void k120(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  for (int i = 0; i < n; ++i) { t[l] += a[i]; SYNC; }
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k121(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  for (int i = 0; i < n; ++i) { t[l] += a[i]; SYNC; }
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k122(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  for (int i = 0; i < n; ++i) { t[l] += a[i]; SYNC; }
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k123(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { for (int i = 0; i < n; ++i) { t[l] += a[i]; SYNC; } }
  a[l] = t[B - 1 - l];
}
void run123(int *a) { k123<128><<<1, 128>>>(a, 1); }
__global__ void k124(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  for (int i = 0; i < 0; ++i) SYNC;
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k125(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  for (int i = 0; i < 0; ++i) SYNC;
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k126(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  for (int i = 0; i < 0; ++i) SYNC;
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k127(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { for (int i = 0; i < 0; ++i) SYNC; }
  a[l] = t[B - 1 - l];
}
void run127(int *a) { k127<64><<<1, 128>>>(a, 1); }
__global__ void k128(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  while (n > 0) { n -= l + 1; __syncthreads(); }
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k129(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  while (n > 0) { n -= l + 1; __syncthreads(); }
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k130(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  while (n > 0) { n -= l + 1; __syncthreads(); }
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k131(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { while (n > 0) { n -= l + 1; __syncthreads(); } }
  a[l] = t[B - 1 - l];
}
void run131(int *a) { k131<128><<<1, 128>>>(a, 1); }
__global__ void k132(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  do { SYNC; } while (n-- > 0);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k133(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  do { SYNC; } while (n-- > 0);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k134(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  do { SYNC; } while (n-- > 0);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k135(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { do { SYNC; } while (n-- > 0); }
  a[l] = t[B - 1 - l];
}
void run135(int *a) { k135<64><<<1, 128>>>(a, 1); }
__global__ void k136(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  switch (n) { case 1: __syncthreads(); break; case 2: named(3, 64); break; default: t[l] = 1; }
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k137(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  switch (n) { case 1: __syncthreads(); break; case 2: named(3, 64); break; default: t[l] = 1; }
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k138(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  switch (n) { case 1: __syncthreads(); break; case 2: named(3, 64); break; default: t[l] = 1; }
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k139(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { switch (n) { case 1: __syncthreads(); break; case 2: named(3, 64); break; default: t[l] = 1; } }
  a[l] = t[B - 1 - l];
}
void run139(int *a) { k139<128><<<1, 128>>>(a, 1); }
__global__ void k140(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  a[l + 1] = __syncthreads_count(n);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k141(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  a[l + 1] = __syncthreads_count(n);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k142(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  a[l + 1] = __syncthreads_count(n);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k143(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { a[l + 1] = __syncthreads_count(n); }
  a[l] = t[B - 1 - l];
}
void run143(int *a) { k143<64><<<1, 128>>>(a, 1); }
__global__ void k144(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  a[l + 1] = __syncthreads_or(n) ? 1 : 2;
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k145(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  a[l + 1] = __syncthreads_or(n) ? 1 : 2;
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k146(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  a[l + 1] = __syncthreads_or(n) ? 1 : 2;
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k147(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { a[l + 1] = __syncthreads_or(n) ? 1 : 2; }
  a[l] = t[B - 1 - l];
}
void run147(int *a) { k147<128><<<1, 128>>>(a, 1); }
__global__ void k148(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  __syncwarp();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k149(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  __syncwarp();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k150(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  __syncwarp();
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k151(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { __syncwarp(); }
  a[l] = t[B - 1 - l];
}
void run151(int *a) { k151<64><<<1, 128>>>(a, 1); }
__global__ void k152(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  __threadfence_block();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k153(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  __threadfence_block();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k154(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  __threadfence_block();
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k155(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { __threadfence_block(); }
  a[l] = t[B - 1 - l];
}
void run155(int *a) { k155<128><<<1, 128>>>(a, 1); }
__global__ void k156(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  auto f = [&] { __syncthreads(); }; f();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k157(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  auto f = [&] { __syncthreads(); }; f();
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k158(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  auto f = [&] { __syncthreads(); }; f();
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k159(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { auto f = [&] { __syncthreads(); }; f(); }
  a[l] = t[B - 1 - l];
}
void run159(int *a) { k159<64><<<1, 128>>>(a, 1); }
__global__ void k160(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  auto f = [&] { __syncthreads(); };
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k161(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  auto f = [&] { __syncthreads(); };
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k162(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  auto f = [&] { __syncthreads(); };
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k163(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { auto f = [&] { __syncthreads(); }; }
  a[l] = t[B - 1 - l];
}
void run163(int *a) { k163<128><<<1, 128>>>(a, 1); }
__global__ void k164(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  
#if 0
 SYNC;
#endif

  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k165(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  
#if 0
 SYNC;
#endif

  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k166(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  
#if 0
 SYNC;
#endif

  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k167(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { 
#if 0
 SYNC;
#endif
 }
  a[l] = t[B - 1 - l];
}
void run167(int *a) { k167<64><<<1, 128>>>(a, 1); }
__global__ void k168(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
 named(8, 64);
#else
 SYNC;
#endif

  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k169(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
 named(8, 64);
#else
 SYNC;
#endif

  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k170(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
 named(8, 64);
#else
 SYNC;
#endif

  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k171(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { 
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
 named(8, 64);
#else
 SYNC;
#endif
 }
  a[l] = t[B - 1 - l];
}
void run171(int *a) { k171<128><<<1, 128>>>(a, 1); }
__global__ void k172(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  const bool off = false; if (off) SYNC;
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k173(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  const bool off = false; if (off) SYNC;
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k174(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  const bool off = false; if (off) SYNC;
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k175(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { const bool off = false; if (off) SYNC; }
  a[l] = t[B - 1 - l];
}
void run175(int *a) { k175<64><<<1, 128>>>(a, 1); }
__global__ void k176(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  for (int i = 0; i < 4; ++i) named(i + 1, 64);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k177(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  for (int i = 0; i < 4; ++i) named(i + 1, 64);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k178(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  for (int i = 0; i < 4; ++i) named(i + 1, 64);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k179(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { for (int i = 0; i < 4; ++i) named(i + 1, 64); }
  a[l] = t[B - 1 - l];
}
void run179(int *a) { k179<128><<<1, 128>>>(a, 1); }
__global__ void k180(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 2, 64, p; }" : "=r"(a[1]) : "r"(n));
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k181(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 2, 64, p; }" : "=r"(a[1]) : "r"(n));
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k182(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 2, 64, p; }" : "=r"(a[1]) : "r"(n));
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k183(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 2, 64, p; }" : "=r"(a[1]) : "r"(n)); }
  a[l] = t[B - 1 - l];
}
void run183(int *a) { k183<64><<<1, 128>>>(a, 1); }
__global__ void k184(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  asm volatile("barrier.sync 10;"); asm volatile("bar.warp.sync 0xffffffff;");
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k185(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  asm volatile("barrier.sync 10;"); asm volatile("bar.warp.sync 0xffffffff;");
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k186(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  asm volatile("barrier.sync 10;"); asm volatile("bar.warp.sync 0xffffffff;");
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k187(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { asm volatile("barrier.sync 10;"); asm volatile("bar.warp.sync 0xffffffff;"); }
  a[l] = t[B - 1 - l];
}
void run187(int *a) { k187<128><<<1, 128>>>(a, 1); }
__global__ void k188(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  asm volatile("barrier.cta.arrive 11, 64;");
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k189(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  asm volatile("barrier.cta.arrive 11, 64;");
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k190(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  asm volatile("barrier.cta.arrive 11, 64;");
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k191(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { asm volatile("barrier.cta.arrive 11, 64;"); }
  a[l] = t[B - 1 - l];
}
void run191(int *a) { k191<64><<<1, 128>>>(a, 1); }
__global__ void k192(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  apart(3);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k193(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  apart(3);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k194(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  apart(3);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k195(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { apart(3); }
  a[l] = t[B - 1 - l];
}
void run195(int *a) { k195<128><<<1, 128>>>(a, 1); }
__global__ void k196(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  if (n) return; SYNC;
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k197(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  if (n) return; SYNC;
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k198(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  if (n) return; SYNC;
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k199(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { if (n) return; SYNC; }
  a[l] = t[B - 1 - l];
}
void run199(int *a) { k199<64><<<1, 128>>>(a, 1); }
__global__ void k200(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  __shared__ int flag; if (l == 0) flag = n; __syncthreads(); if (flag) named(2, 64);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k201(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  __shared__ int flag; if (l == 0) flag = n; __syncthreads(); if (flag) named(2, 64);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k202(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  __shared__ int flag; if (l == 0) flag = n; __syncthreads(); if (flag) named(2, 64);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k203(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { __shared__ int flag; if (l == 0) flag = n; __syncthreads(); if (flag) named(2, 64); }
  a[l] = t[B - 1 - l];
}
void run203(int *a) { k203<128><<<1, 128>>>(a, 1); }
__global__ void k204(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  asm volatile("bar.sync 15;");
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k205(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  asm volatile("bar.sync 15;");
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k206(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  asm volatile("bar.sync 15;");
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k207(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { asm volatile("bar.sync 15;"); }
  a[l] = t[B - 1 - l];
}
void run207(int *a) { k207<64><<<1, 128>>>(a, 1); }
__global__ void k208(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  asm volatile("bar.sync %0, %1;" :: "r"(n & 3), "r"(64));
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k209(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  asm volatile("bar.sync %0, %1;" :: "r"(n & 3), "r"(64));
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k210(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  asm volatile("bar.sync %0, %1;" :: "r"(n & 3), "r"(64));
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k211(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { asm volatile("bar.sync %0, %1;" :: "r"(n & 3), "r"(64)); }
  a[l] = t[B - 1 - l];
}
void run211(int *a) { k211<128><<<1, 128>>>(a, 1); }
__global__ void k212(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  asm("mov.u32 %0, %%laneid;" : "=r"(n)); a[l] = n;
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k213(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  asm("mov.u32 %0, %%laneid;" : "=r"(n)); a[l] = n;
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k214(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  asm("mov.u32 %0, %%laneid;" : "=r"(n)); a[l] = n;
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k215(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { asm("mov.u32 %0, %%laneid;" : "=r"(n)); a[l] = n; }
  a[l] = t[B - 1 - l];
}
void run215(int *a) { k215<64><<<1, 128>>>(a, 1); }
__global__ void k216(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  named(static_cast<int>(LAST), 64);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(32) k217(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  named(static_cast<int>(LAST), 64);
  a[l] = t[blockDim.x - 1 - l];
}
__global__ void __launch_bounds__(256, 2) k218(int *a, int n) {
  __shared__ int t[320]; int l = threadIdx.x; t[l] = a[blockIdx.x * blockDim.x + l];
  named(static_cast<int>(LAST), 64);
  a[l] = t[blockDim.x - 1 - l];
}
template <int B> __global__ void k219(int *a, int n) {
  __shared__ int t[B + 64]; int l = threadIdx.x; t[l] = a[blockIdx.x * B + l];
  if (B > 64) { named(static_cast<int>(LAST), 64); }
  a[l] = t[B - 1 - l];
}
void run219(int *a) { k219<128><<<1, 128>>>(a, 1); }
