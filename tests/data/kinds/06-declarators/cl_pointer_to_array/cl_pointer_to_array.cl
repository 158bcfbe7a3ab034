__attribute__((reqd_work_group_size(32, 1, 1)))
__kernel void k(__global float *p)
{
  __local float tile[4][32];
  __local float (*row)[32] = tile;
  __local float *cols[3];
  row[get_local_id(0) & 3][get_local_id(0)] = p[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  cols[0] = tile[1];
  p[0] = tile[get_local_id(0) & 3][5] + cols[0][get_local_id(0)];
}
