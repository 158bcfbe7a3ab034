template <class T> struct Tune { static constexpr int threads = 128; };
template <> struct Tune<double> { static constexpr int threads = 64; };
template <class T> struct Tune<T *> : Tune<T> { static constexpr int rows = 2; };
template <class T> __global__ void __launch_bounds__(Tune<T>::threads) k(T *p) { p[threadIdx.x] = 1; }
int main()
{
  k<float><<<1, Tune<float>::threads>>>(nullptr);
  k<double><<<1, Tune<double *>::threads * Tune<double *>::rows / 2>>>(nullptr);
}
