template <class T> __global__ void k(T *o) { __shared__ typename T::value_type s[T::n]; s[threadIdx.x] = o->v; __syncthreads(); o->v = s[1]; }
struct A { typedef int value_type; enum { n = 4 }; int v; }; struct Bq { using value_type = double; static constexpr int n = 6; double v; };
void h(A *a, Bq *b) { k<<<1,1>>>(a); k<<<1,1>>>(b); }
