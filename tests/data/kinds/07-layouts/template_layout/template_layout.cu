#define KEEP(x) asm volatile("" :: "l"(&(x)))
template <class T, int N> struct alignas(sizeof(T) * N) Vec { T v[N]; };
template <class T> struct Box { char tag; Vec<T, 4> v; };
template <class T> __global__ void k(T *p) { __shared__ Box<T> b[8]; KEEP(b); }
int main()
{
  k<float><<<1, sizeof(Box<float>)>>>(nullptr);
  k<double><<<1, sizeof(Box<double>)>>>(nullptr);
  k<char><<<1, sizeof(Box<char>) * 4>>>(nullptr);
}
