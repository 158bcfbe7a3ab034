#include <hip/hip_runtime.h>
#define WAVES 2
#define K row2
#include "row.h"
#undef WAVES
#undef K
#define WAVES 8
#define K row8
#include "row.h"
int main() { row2<<<1, 128>>>(nullptr); row8<<<1, 512>>>(nullptr); }
