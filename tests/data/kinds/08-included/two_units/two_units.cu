#define BLOCK 128
#include "shared_body.h"
int main() { work<<<1, BLOCK>>>(nullptr); extern void other(); other(); }
