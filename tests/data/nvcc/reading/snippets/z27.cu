#include "body.inc"
__global__ void e11(float *o) {
#include "body2.inc"
}
