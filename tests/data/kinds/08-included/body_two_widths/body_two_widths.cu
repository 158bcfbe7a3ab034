#define KERNEL filter3
#define TAPS 3
#include "filter.inl"
#undef KERNEL
#undef TAPS
#define KERNEL filter7
#define TAPS 7
#include "filter.inl"
int main() { filter3<<<1, 32 * 3>>>(nullptr); filter7<<<1, 32 * 7>>>(nullptr); }
