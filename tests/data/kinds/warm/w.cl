__kernel void c(__global float *x) { x[0] = 1; }
