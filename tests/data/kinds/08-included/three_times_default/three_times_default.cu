#include "d.h"
#define DEPTH 6
#include "d.h"
#undef NAME
#define NAME deep2
#undef DEPTH
#define DEPTH 12
#include "d.h"
int main() { d0<<<1, 64>>>(nullptr); d1<<<1, 64>>>(nullptr); deep2<<<1, 64>>>(nullptr); }
