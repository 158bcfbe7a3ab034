#define T 64
#include "outer.inc"
#undef T
#define T 96
#include "outer.inc"
int main() { run_64_1<<<1, 64>>>(nullptr); run_64_2<<<1, 128>>>(nullptr); run_96_1<<<1, 96>>>(nullptr); run_96_2<<<1, 192>>>(nullptr); }
