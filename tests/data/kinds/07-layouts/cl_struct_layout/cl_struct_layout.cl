typedef struct __attribute__((packed)) { char tag; double value; } Wire;
typedef struct { float3 a; char b; } Padded;
typedef struct { int id; } __attribute__((aligned(16))) Slot;
__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void k(__global float *p)
{
  __local char a[sizeof(Wire) * 10];
  __local Padded b[4];
  __local Slot c[4];
  int l = get_local_id(0);
  a[l] = p[0]; b[l & 3].b = p[1]; b[(l + 1) & 3].a = (float3)(p[4]); c[l & 3].id = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  p[0] = a[l ^ 1] + b[l & 1].b + b[l & 2].a.x + c[l & 2].id;
}
