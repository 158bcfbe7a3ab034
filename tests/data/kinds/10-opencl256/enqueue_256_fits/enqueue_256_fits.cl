__kernel void copy(__global float *o, __global const float *i) { o[get_global_id(0)] = i[get_global_id(0)]; }
