#define T float
#define N 64
#include "sum.h"
#define T double
#define N 32
#include "sum.h"
int main() { sum_float<<<1, 64>>>(nullptr); sum_double<<<1, 32>>>(nullptr); }
