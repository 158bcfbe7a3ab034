// A stand-in for SYCL's header with which g++ runs the host code of a program: it runs no kernel, and prints of each
// launch its line, the sizes that it is given and the bytes of the accessors that its command group makes.
#pragma once
#include <array>
#include <cstddef>
#include <cstdio>
#include <utility>

namespace sycl {

template <int D> struct range {
  std::array<std::size_t, D> n;
  range(std::size_t a) requires(D == 1) : n{a} {}
  range(std::size_t a, std::size_t b) requires(D == 2) : n{a, b} {}
  range(std::size_t a, std::size_t b, std::size_t c) requires(D == 3) : n{a, b, c} {}
  std::size_t &operator[](int i) { return n[i]; }
  std::size_t operator[](int i) const { return n[i]; }
  std::size_t get(int i) const { return n[i]; }
  std::size_t size() const { std::size_t all = 1; for (auto it : n) all *= it; return all; }
  friend range operator*(const range &a, const range &b) { range r = a; for (int i = 0; i < D; i++) r.n[i] *= b.n[i]; return r; }
  friend range operator*(const range &a, std::size_t b) { range r = a; for (int i = 0; i < D; i++) r.n[i] *= b; return r; }
  range &operator*=(std::size_t b) { return *this = *this * b; }
};
range(std::size_t) -> range<1>;
range(std::size_t, std::size_t) -> range<2>;
range(std::size_t, std::size_t, std::size_t) -> range<3>;
template <int D> struct id : range<D> { using range<D>::range; operator std::size_t() const { return this->n[0]; } };
template <int D> struct nd_range { range<D> all, group; nd_range(range<D> a, range<D> b) : all(a), group(b) {} };
template <int D> nd_range(range<D>, range<D>) -> nd_range<D>;

struct sub_group { std::size_t get_local_id() const { return 0; } };
template <int D> struct group { std::size_t get_group_id(int = 0) const { return 0; } };
template <int D> struct nd_item {
  std::size_t get_local_id(int = 0) const { return 0; }
  std::size_t get_global_id(int = 0) const { return 0; }
  sycl::group<D> get_group() const { return {}; }
  sycl::sub_group get_sub_group() const { return {}; }
  void barrier() const {}
};
template <class G> void group_barrier(G) {}
template <class T> struct plus {};
template <class G, class T, class F> T reduce_over_group(G, T x, F) { return x; }

template <class T, int N> struct vec { alignas(sizeof(T) * (N == 3 ? 4 : N)) T v[N == 3 ? 4 : N]; T &x() { return v[0]; } };
using float2 = vec<float, 2>; using float3 = vec<float, 3>; using float4 = vec<float, 4>;
using uchar4 = vec<unsigned char, 4>; using double2 = vec<double, 2>;

namespace access { enum class mode { read, write, read_write }; enum class target { device, local }; }

class handler {
 public:
  std::size_t bytes = 0;
  template <class K = void, int D, class F> void parallel_for(nd_range<D> r, F &&, int line = __builtin_LINE()) { tell(r, bytes, line); }
  template <class K = void, int D, class F> void parallel_for(range<D>, F &&) {}
  template <int D> static void tell(nd_range<D> r, std::size_t bytes, int line) {
    std::printf("{\"line\": %d, \"size\": [", line);
    for (int i = 0; i < D; i++) std::printf("%s%zu", i ? ", " : "", r.group.n[i]);
    std::printf("], \"bytes\": %zu}\n", bytes);
  }
};
struct queue {
  template <class F> void submit(F &&f) { handler h; f(h); }
  template <class K = void, int D, class F> void parallel_for(nd_range<D> r, F &&, int line = __builtin_LINE()) { handler::tell(r, 0, line); }
};

template <class T, int D = 1> struct local_accessor {
  local_accessor(range<(D > 0 ? D : 1)> r, handler &h) { h.bytes += r.size() * sizeof(T); }
  local_accessor(handler &h) requires(D == 0) { h.bytes += sizeof(T); }
  T &operator[](std::size_t) const requires(D == 1);
  T *operator[](std::size_t) const requires(D == 2);
  T &operator[](id<(D > 0 ? D : 1)>) const;
  operator T &() const requires(D == 0);
  const local_accessor &operator=(const T &) const requires(D == 0);
  T *get_pointer() const;
};
template <class T, int D, access::mode M, access::target A> struct accessor : local_accessor<T, D> { using local_accessor<T, D>::local_accessor; };

}  // namespace sycl
