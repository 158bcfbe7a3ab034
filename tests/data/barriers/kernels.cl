#define WAIT barrier(CLK_LOCAL_MEM_FENCE)
#define WAITF() barrier(CLK_LOCAL_MEM_FENCE)
#define MAYBE(x) if (x) barrier(CLK_LOCAL_MEM_FENCE)
void helper(void) { barrier(CLK_LOCAL_MEM_FENCE); }
void when(int x) { if (x) barrier(CLK_LOCAL_MEM_FENCE); }
void deep(void) { helper(); }
float plain(float x) { return x * 2.0f; }
__kernel void k0(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k1(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k2(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k3(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k4(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k5(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k6(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k7(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k8(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k9(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k10(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k11(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k12(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k13(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k14(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k15(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k16(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k17(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k18(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k19(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k20(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k21(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k22(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k23(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k24(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k25(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k26(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k27(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k28(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k29(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k30(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k31(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k32(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k33(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k34(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k35(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k36(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k37(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k38(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k39(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k40(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k41(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k42(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k43(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k44(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k45(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k46(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k47(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k48(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k49(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k50(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAITF();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k51(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAITF();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k52(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAITF();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k53(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAITF();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k54(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAITF();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k55(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAITF();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k56(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAITF();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k57(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAITF();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k58(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAITF();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k59(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  WAITF();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k60(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  MAYBE(n);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k61(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  MAYBE(n);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k62(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  MAYBE(n);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k63(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  MAYBE(n);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k64(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  MAYBE(n);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k65(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  MAYBE(0);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k66(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  MAYBE(0);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k67(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  MAYBE(0);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k68(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  MAYBE(0);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k69(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  MAYBE(0);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k70(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  helper();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k71(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  helper();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k72(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  helper();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k73(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  helper();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k74(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  helper();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k75(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  deep();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k76(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  deep();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k77(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  deep();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k78(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  deep();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k79(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  deep();
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k80(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  when(1);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k81(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  when(1);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k82(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  when(1);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k83(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  when(1);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k84(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  when(1);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k85(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  when(0);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k86(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  when(0);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k87(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  when(0);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k88(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  when(0);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k89(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  when(0);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k90(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  when(n);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k91(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  when(n);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k92(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  when(n);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k93(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  when(n);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k94(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  when(n);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k95(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  t[l] = plain(t[l]);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k96(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  t[l] = plain(t[l]);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k97(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  t[l] = plain(t[l]);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k98(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  t[l] = plain(t[l]);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k99(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  t[l] = plain(t[l]);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k100(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (n > 3) barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k101(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (n > 3) barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k102(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (n > 3) barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k103(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (n > 3) barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k104(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (n > 3) barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k105(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (0) barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k106(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (0) barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k107(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (0) barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k108(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (0) barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k109(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (0) barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k110(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int s = 64; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k111(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int s = 64; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k112(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int s = 64; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k113(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int s = 64; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k114(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int s = 64; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k115(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int i = 0; i < n; ++i) { t[l] += a[i]; WAIT; }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k116(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int i = 0; i < n; ++i) { t[l] += a[i]; WAIT; }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k117(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int i = 0; i < n; ++i) { t[l] += a[i]; WAIT; }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k118(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int i = 0; i < n; ++i) { t[l] += a[i]; WAIT; }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k119(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int i = 0; i < n; ++i) { t[l] += a[i]; WAIT; }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k120(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int i = 0; i < 0; ++i) { WAIT; }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k121(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int i = 0; i < 0; ++i) { WAIT; }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k122(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int i = 0; i < 0; ++i) { WAIT; }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k123(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int i = 0; i < 0; ++i) { WAIT; }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k124(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int i = 0; i < 0; ++i) { WAIT; }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k125(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  while (n > 0) { n -= l; barrier(CLK_LOCAL_MEM_FENCE); }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k126(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  while (n > 0) { n -= l; barrier(CLK_LOCAL_MEM_FENCE); }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k127(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  while (n > 0) { n -= l; barrier(CLK_LOCAL_MEM_FENCE); }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k128(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  while (n > 0) { n -= l; barrier(CLK_LOCAL_MEM_FENCE); }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k129(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  while (n > 0) { n -= l; barrier(CLK_LOCAL_MEM_FENCE); }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k130(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  switch (n) { case 1: barrier(CLK_LOCAL_MEM_FENCE); break; default: t[l] = 1; }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k131(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  switch (n) { case 1: barrier(CLK_LOCAL_MEM_FENCE); break; default: t[l] = 1; }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k132(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  switch (n) { case 1: barrier(CLK_LOCAL_MEM_FENCE); break; default: t[l] = 1; }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k133(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  switch (n) { case 1: barrier(CLK_LOCAL_MEM_FENCE); break; default: t[l] = 1; }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k134(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  switch (n) { case 1: barrier(CLK_LOCAL_MEM_FENCE); break; default: t[l] = 1; }
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k135(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  do { WAIT; } while (n-- > 0);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k136(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  do { WAIT; } while (n-- > 0);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k137(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  do { WAIT; } while (n-- > 0);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k138(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  do { WAIT; } while (n-- > 0);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k139(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  do { WAIT; } while (n-- > 0);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k140(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  mem_fence(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k141(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  mem_fence(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k142(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  mem_fence(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k143(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  mem_fence(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k144(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  mem_fence(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k145(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (n) return; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k146(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (n) return; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k147(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (n) return; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k148(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (n) return; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k149(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (n) return; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k150(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  return; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k151(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  return; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k152(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  return; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k153(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  return; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k154(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  return; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k155(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k156(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k157(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k158(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k159(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k160(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  int y = n > 3 ? 1 : 2; t[l] = y; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k161(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  int y = n > 3 ? 1 : 2; t[l] = y; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k162(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  int y = n > 3 ? 1 : 2; t[l] = y; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k163(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  int y = n > 3 ? 1 : 2; t[l] = y; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k164(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  int y = n > 3 ? 1 : 2; t[l] = y; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k165(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  a[l] = work_group_reduce_add(n);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k166(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  a[l] = work_group_reduce_add(n);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k167(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  a[l] = work_group_reduce_add(n);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k168(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  a[l] = work_group_reduce_add(n);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k169(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  a[l] = work_group_reduce_add(n);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k170(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  event_t e = async_work_group_copy(t, a, 64, 0); wait_group_events(1, &e);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k171(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  event_t e = async_work_group_copy(t, a, 64, 0); wait_group_events(1, &e);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k172(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  event_t e = async_work_group_copy(t, a, 64, 0); wait_group_events(1, &e);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k173(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  event_t e = async_work_group_copy(t, a, 64, 0); wait_group_events(1, &e);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k174(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  event_t e = async_work_group_copy(t, a, 64, 0); wait_group_events(1, &e);
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k175(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
#if 0
 WAIT;
#endif

  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k176(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
#if 0
 WAIT;
#endif

  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k177(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
#if 0
 WAIT;
#endif

  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k178(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
#if 0
 WAIT;
#endif

  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k179(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
#if 0
 WAIT;
#endif

  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k180(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
#if 1
 WAIT;
#endif

  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k181(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
#if 1
 WAIT;
#endif

  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k182(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
#if 1
 WAIT;
#endif

  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k183(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
#if 1
 WAIT;
#endif

  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k184(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
#if 1
 WAIT;
#endif

  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k185(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
#ifdef __SOMETHING__
 WAIT;
#else
 t[l] = 2;
#endif

  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k186(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
#ifdef __SOMETHING__
 WAIT;
#else
 t[l] = 2;
#endif

  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k187(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
#ifdef __SOMETHING__
 WAIT;
#else
 t[l] = 2;
#endif

  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k188(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
#ifdef __SOMETHING__
 WAIT;
#else
 t[l] = 2;
#endif

  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k189(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  
#ifdef __SOMETHING__
 WAIT;
#else
 t[l] = 2;
#endif

  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k190(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  const int on = 1; if (on) WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k191(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  const int on = 1; if (on) WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k192(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  const int on = 1; if (on) WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k193(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  const int on = 1; if (on) WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k194(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  const int on = 1; if (on) WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel void k195(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  const int off = 0; if (off) WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k196(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  const int off = 0; if (off) WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k197(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  const int off = 0; if (off) WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k198(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  const int off = 0; if (off) WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void k199(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  const int off = 0; if (off) WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((intel_reqd_sub_group_size(16))) void k200(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (get_local_id(0) == 0 && n) t[0] = 1; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k201(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (get_local_id(0) == 0 && n) t[0] = 1; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k202(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (get_local_id(0) == 0 && n) t[0] = 1; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k203(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (get_local_id(0) == 0 && n) t[0] = 1; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
__kernel __attribute__((reqd_work_group_size(4, 8, 1))) __attribute__((intel_reqd_sub_group_size(16))) void k204(__global int *a, __local int *t, int n) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  if (get_local_id(0) == 0 && n) t[0] = 1; WAIT;
  a[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
