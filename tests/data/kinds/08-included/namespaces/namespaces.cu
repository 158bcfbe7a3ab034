namespace single {
using real = float;
constexpr int block = 128;
#include "step.inc"
}
namespace dbl {
using real = double;
constexpr int block = 64;
#include "step.inc"
}
int main() { single::step<<<1, single::block>>>(nullptr); dbl::step<<<1, dbl::block>>>(nullptr); }
