kernel __attribute__((reqd_work_group_size(128, 2, 1))) void a(global int *x);
kernel void b(global int *x);
