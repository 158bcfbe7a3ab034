// A CUDA runtime that runs nothing: it prints each launch that the host's code asks for, with the kernel's name.
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>

namespace {
struct Extent {
  unsigned x, y, z;
};
struct Configuration {  // the head of cudaLaunchConfig_t
  Extent grid, block;
  std::size_t dynamic;
};
Configuration pushed;
void *pushed_stream;

std::map<const void *, std::string> &names() {
  static std::map<const void *, std::string> all;
  return all;
}

int note(const void *kernel, Extent grid, Extent block, std::size_t dynamic) {
  std::printf("LAUNCH %s %u %u %u %u %zu\n", names()[kernel].c_str(), grid.x, block.x, block.y, block.z, dynamic);
  std::fflush(stdout);
  return 0;
}
}  // namespace

extern "C" {
void **__cudaRegisterFatBinary(void *) {
  static void *handle;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
char __cudaInitModule(void **) { return 0; }
void __cudaRegisterVar(void **, char *, char *, const char *, int, std::size_t, int, int) {}
void __cudaRegisterFunction(void **, const char *stub, char *, const char *name, int, void *, void *, void *, void *, int *) {
  names()[stub] = name;
}
unsigned __cudaPushCallConfiguration(Extent grid, Extent block, std::size_t dynamic, void *stream) {
  pushed = {grid, block, dynamic};
  pushed_stream = stream;
  return 0;
}
int __cudaPopCallConfiguration(Extent *grid, Extent *block, std::size_t *dynamic, void **stream) {
  *grid = pushed.grid;
  *block = pushed.block;
  *dynamic = pushed.dynamic;
  *stream = pushed_stream;
  return 0;
}
int __cudaGetKernel(void **kernel, const void *stub) {
  *kernel = const_cast<void *>(stub);
  return 0;
}
int __cudaLaunchKernel(const void *kernel, Extent grid, Extent block, void **, std::size_t dynamic, void *) {
  return note(kernel, grid, block, dynamic);
}
int cudaLaunchKernel(const void *kernel, Extent grid, Extent block, void **, std::size_t dynamic, void *) {
  return note(kernel, grid, block, dynamic);
}
int cudaLaunchCooperativeKernel(const void *kernel, Extent grid, Extent block, void **, std::size_t dynamic, void *) {
  return note(kernel, grid, block, dynamic);
}
int cudaLaunchKernelExC(const Configuration *how, const void *kernel, void **) {
  return note(kernel, how->grid, how->block, how->dynamic);
}
int cudaFuncSetAttribute(const void *, int, int) { return 0; }
int cudaGetLastError() { return 0; }
int cudaPeekAtLastError() { return 0; }
int cudaDeviceSynchronize() { return 0; }
int cudaMalloc(void **, std::size_t) { return 0; }
int cudaFree(void *) { return 0; }
int cudaGetDevice(int *device) { return *device = 0; }
const char *cudaGetErrorString(int) { return ""; }
}
