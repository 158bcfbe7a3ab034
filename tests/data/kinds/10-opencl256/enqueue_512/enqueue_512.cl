__kernel void blur(__global float *x) { x[get_global_id(0)] *= 0.5f; }
