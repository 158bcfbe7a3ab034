#define TILE 32
#define PAD 1
#include "inc/k.h"
void f(float *o) { hk1<<<1, 1>>>(o); hk2<<<1, 1>>>(o); }
