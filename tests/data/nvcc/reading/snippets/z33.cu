#include <type_traits>
template <int n> __global__ void k(float *o) { __shared__ float s[n]; s[threadIdx.x] = 3; __syncthreads(); o[0] = s[1]; }
void g(float *o) { auto f = [&](auto c) { k<decltype(c)::value><<<1, 1>>>(o); }; f(std::integral_constant<int, 33>{}); f(std::integral_constant<int, 99>{}); k<4><<<1, 1>>>(o); }
