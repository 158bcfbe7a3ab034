#pragma once
#define BS 64
#ifdef USE_DOUBLE
typedef double real;
#else
typedef float real;
#endif
#define KERN __global__ __launch_bounds__(BS)
#define BOUNDS __launch_bounds__(BS, 2)
constexpr int WARPS = BS / 32;
template <int N> struct Smem { float data[N]; int flag; };
