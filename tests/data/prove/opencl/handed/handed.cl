// Launched through an object that another function is given.
__kernel void handed(int n, __global float *x) {
    if (get_global_id(0) < n) x[get_global_id(0)] = 1;
}
