#pragma once
namespace cfg {
#if defined(__CUDA_ARCH__)
constexpr int max_threads = 512, blocks = 2, cache = 1024;
#else
constexpr int max_threads = 384, blocks = 1, cache = 512;
#endif
}
