#include "protos.h"
kernel void a(global int *x) { x[get_global_id(0)] = 1; }
kernel void b(global int *x) { x[get_global_id(0)] = 2; }
