#include <type_traits>
template <int N> struct C { static constexpr int value = N; C<N + 32> next() const; template <int M> constexpr C<N + M> operator+(C<M>) const { return {}; } };
template <int N> __global__ void __launch_bounds__(N) k1(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k2(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k3(int *p) { *p = N; }
template <class T> __global__ void __launch_bounds__(32 * sizeof(T)) k4(T a) { __shared__ T s[32]; s[threadIdx.x] = a; ((T *)1)[0] = s[3]; }
template <class T> __global__ void __launch_bounds__(32 * sizeof(T)) k5(T a) { }
template <class T> __global__ void __launch_bounds__(32 * sizeof(T)) k6(T *a) { }
template <class T> __global__ void __launch_bounds__(32 * sizeof(T)) k7(T a) { }
void t1(int *p, int n) { auto f = [=](auto c) { k1<c.value><<<1, 1>>>(p); }; f(C<32>{}.next()); }
void t2(int *p, int n) { auto f = [=](auto c) { k2<c.value><<<1, 1>>>(p); }; f(C<32>{} + C<64>{}); }
struct B { static constexpr int value = 32; }; struct D : B { static constexpr int value = 64; };
void t3(int *p, int n) { auto f = [=](auto c) { k3<c.value><<<1, 1>>>(p); }; f.template operator()<B>(D{}); }
void t4(int n, char *q) { k4<<<1, 1>>>((char)1 + 1); k4<<<1, 1>>>((short)n); k5<<<1, 1>>>((char)(n) + (n)); k5<<<1, 1>>>((short)(n)); k6<<<1, 1>>>((char *)q + 4); k7<<<1, 1>>>(static_cast<char>(n) + (n)); k7<<<1, 1>>>(static_cast<short>(n)); }
