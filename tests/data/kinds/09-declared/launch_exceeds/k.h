#ifndef K_H
#define K_H
constexpr int kMax = 256;
extern __global__ __launch_bounds__(kMax) void advance(float *);
#endif
