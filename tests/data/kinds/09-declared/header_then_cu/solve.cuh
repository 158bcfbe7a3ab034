#pragma once
__global__ void __launch_bounds__(192, 6) solve(float *x, int n);
