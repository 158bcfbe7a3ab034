#include "k.cuh"
#define SIZE 999
#include "k.cuh"
int main() { k<<<1, SIZE_OF_K>>>(nullptr); }
