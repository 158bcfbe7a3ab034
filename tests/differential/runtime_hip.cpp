// A HIP runtime that runs nothing: it prints each launch that the host's code asks for, with the kernel's name.
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>

namespace {
struct Extent {
  unsigned x, y, z;
};
Extent pushed_grid, pushed_block;
std::size_t pushed_dynamic;
void *pushed_stream;

std::map<const void *, std::string> &names() {
  static std::map<const void *, std::string> all;
  return all;
}
}  // namespace

extern "C" {
char __hip_fatbin[8];
void **__hipRegisterFatBinary(void *) {
  static void *handle;
  return &handle;
}
void __hipUnregisterFatBinary(void **) {}
void __hipRegisterVar(void **, void *, char *, char *, int, std::size_t, int, int) {}
void __hipRegisterFunction(void **, const void *stub, char *, const char *name, unsigned, void *, void *, void *, void *, int *) {
  names()[stub] = name;
}
int __hipPushCallConfiguration(Extent grid, Extent block, std::size_t dynamic, void *stream) {
  pushed_grid = grid;
  pushed_block = block;
  pushed_dynamic = dynamic;
  pushed_stream = stream;
  return 0;
}
int __hipPopCallConfiguration(Extent *grid, Extent *block, std::size_t *dynamic, void **stream) {
  *grid = pushed_grid;
  *block = pushed_block;
  *dynamic = pushed_dynamic;
  *stream = pushed_stream;
  return 0;
}
int hipLaunchKernel(const void *kernel, Extent grid, Extent block, void **, std::size_t dynamic, void *) {
  std::printf("LAUNCH %s %u %u %u %u %zu\n", names()[kernel].c_str(), grid.x, block.x, block.y, block.z, dynamic);
  std::fflush(stdout);
  return 0;
}
}
