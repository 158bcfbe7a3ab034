__kernel void tile(__global float *x) { x[get_global_id(0)] *= get_local_id(1); }
