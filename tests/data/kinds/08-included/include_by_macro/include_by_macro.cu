#define VARIANT small
#define STR2(x) #x
#define STR(x) STR2(x)
#define FILE(x) STR(x.cuh)
#include FILE(VARIANT)
#undef VARIANT
#define VARIANT large
#include FILE(VARIANT)
int main() { small<<<1, small_t>>>(nullptr); large<<<1, large_t>>>(nullptr); }
