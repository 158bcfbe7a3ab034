// What the global size is made of, the text does not show.
__kernel void arrays(int n, __global float *x) {
    if (get_global_id(0) < n) x[get_global_id(0)] += 1;
}
