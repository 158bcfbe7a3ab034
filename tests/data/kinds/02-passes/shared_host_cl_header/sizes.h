#ifdef __OPENCL_VERSION__
#define WG 128
#else
#define WG 64
#endif
