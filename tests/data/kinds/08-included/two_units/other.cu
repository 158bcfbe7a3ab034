#define BLOCK 512
namespace second {
#include "shared_body.h"
}
void other() { second::work<<<1, BLOCK>>>(nullptr); }
