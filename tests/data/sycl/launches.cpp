// Host code of many forms, of which a run with the stand-in for SYCL's header tells the truth: launches.jsonl.
#include <sycl/sycl.hpp>
#include <cstdlib>

#define BLOCK 128
#define TILE(n) ((n) * 2)
constexpr int WG = 64;
static const size_t LARGE = 4 * WG;
struct Particle { float x, y, z; double mass; };
enum { LANES = 32 };

void literals(sycl::queue &q, float *p) {
  q.submit([&](sycl::handler &h) {
    h.parallel_for<class Literals>(sycl::nd_range<1>(4096, 64), [=](sycl::nd_item<1> it) { p[it.get_global_id(0)] = 1; });
  });
  q.submit([&](sycl::handler &h) {
    h.parallel_for<class InTwo>(sycl::nd_range<2>(sycl::range<2>(64, 64), sycl::range<2>(8, 16)), [=](sycl::nd_item<2> it) { p[0] = 1; });
  });
  q.submit([&](sycl::handler &h) {
    h.parallel_for(sycl::nd_range<3>({1, 1, 1024}, {1, 2, 128}), [=](sycl::nd_item<3> it) { p[0] = 2; });
  });
  q.parallel_for(sycl::nd_range(sycl::range(512, 4), sycl::range(32, 4)), [=](sycl::nd_item<2> it) { p[0] = 3; });
  q.parallel_for(sycl::nd_range<1>{sycl::range<1>{1024}, sycl::range<1>{LANES}}, [=](sycl::nd_item<1> it) { p[0] = 4; });
}

void constants(sycl::queue &q, float *p, int n) {
  sycl::range<1> gws (n * BLOCK);
  sycl::range<1> lws (BLOCK);
  q.submit([&](sycl::handler &h) {
    h.parallel_for<class Constants>(sycl::nd_range<1>(gws, lws), [=](sycl::nd_item<1> it) { p[0] = 1; });
  });
  const int threads = WG * 2;
  q.submit([&](sycl::handler &cgh) {
    cgh.parallel_for<class Products>(
      sycl::nd_range<1>(n * threads, threads), [=](sycl::nd_item<1> it) {
      p[0] = 1;
    });
  });
  auto block = sycl::range<3>(1, TILE(2), LARGE / 4);
  q.submit([&](sycl::handler &cgh) {
    cgh.parallel_for(sycl::nd_range<3>(sycl::range<3>(1, 1, n) * block, block), [=](sycl::nd_item<3> it) { p[0] = 1; });
  });
  sycl::range<2> changed(4, 4);
  changed[1] = n > 3 ? 8 : 16;
  q.submit([&](sycl::handler &cgh) {
    cgh.parallel_for(sycl::nd_range<2>(changed, changed), [=](sycl::nd_item<2> it) { p[0] = 1; });
  });
  sycl::range<1> doubled(64);
  doubled *= 2;
  q.parallel_for(sycl::nd_range<1>(doubled, doubled), [=](sycl::nd_item<1> it) { p[0] = 1; });
  sycl::range<1> again(64);
  again = sycl::range<1>(32);
  q.parallel_for(sycl::nd_range<1>(again, again), [=](sycl::nd_item<1> it) { p[0] = 1; });
  for (int size = 32; size <= 128; size *= 2)
    q.parallel_for(sycl::nd_range<1>(1024, size), [=](sycl::nd_item<1> it) { p[0] = 1; });
  q.parallel_for(sycl::nd_range<1>(1024, n), [=](sycl::nd_item<1> it) { p[0] = 1; });
}

void memory(sycl::queue &q, float *p, int n) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> t(sycl::range<1>(256), h);
    h.parallel_for<class OneArray>(sycl::nd_range<1>(1024, 256), [=](sycl::nd_item<1> it) {
      int i = it.get_local_id(0);
      t[i] = p[i];
      it.barrier();
      p[i] = t[255 - i];
    });
  });
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<double, 2> a(sycl::range<2>(16, 17), h);
    sycl::local_accessor<Particle> b(WG, h);
    sycl::local_accessor<int, 0> flag(h);
    h.parallel_for<class Several>(sycl::nd_range<2>({64, 64}, {16, 16}), [=](sycl::nd_item<2> it) {
      a[it.get_local_id(1)][0] = p[0];
      b[it.get_local_id(0)].mass = 1;
      if (n > 4) flag = 1;
      it.barrier();
      p[0] = a[0][1] + b[1].mass + flag;
    });
  });
  q.submit([&](sycl::handler &h) {
    sycl::accessor<float, 1, sycl::access::mode::read_write, sycl::access::target::local> old(sycl::range<1>(LARGE), h);
    sycl::local_accessor<sycl::float3, 1> wide(sycl::range<1>(BLOCK), h);
    sycl::local_accessor<sycl::vec<unsigned char, 4>, 1> bytes{BLOCK, h};
    h.parallel_for<class OldAndWide>(sycl::nd_range<1>(1024, 128), [=](sycl::nd_item<1> it) {
      if (p[0] > 0) {
        old[it.get_local_id(0)] = p[1];
        wide[0] = {};
        bytes[1] = {};
      }
      p[2] = old[0];
    });
  });
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> given(n * 4, h);
    h.parallel_for<class Given>(sycl::nd_range<1>(1024, 128), [=](sycl::nd_item<1> it) { given[0] = 1; p[0] = given[1]; });
  });
}

template <typename T, int N> void typed(sycl::queue &q, T *p) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<T, 1> t(sycl::range<1>(N * 2), h);
    h.parallel_for(sycl::nd_range<1>(1024, N), [=](sycl::nd_item<1> it) { t[0] = p[0]; it.barrier(); p[1] = t[1]; });
  });
}

struct Solver {
  static constexpr int width = 96;
  int depth = 3;
  void run(sycl::queue &q, float *p) {
    q.submit([&](auto &h) {
      sycl::local_accessor<float, 1> t(width, h);
      h.template parallel_for<class InMethod>(sycl::nd_range<1>(960, width), [=](sycl::nd_item<1> it) { t[0] = p[0]; p[1] = t[2]; });
    });
  }
};

void by_size(sycl::queue &q, float *p, size_t size) {
  q.parallel_for(sycl::nd_range<1>(1024, size), [=](sycl::nd_item<1> it) { p[0] = 1; });
}

namespace unqualified {
using namespace sycl;
void run(queue &q, float *p) {
  range<2> group{4, 32};
  q.submit([&](handler &h) {
    local_accessor<float2, 2> t(group, h);
    h.parallel_for(nd_range<2>(range<2>(128, 128), group), [=](nd_item<2> it) { t[it.get_local_id(0)][1] = {}; p[0] = t[0][2].x(); });
  });
}
}  // namespace unqualified

int main() {
  sycl::queue q;
  static float p[4096];
  static double d[4096];
  const int n = std::abs(-5);
  literals(q, p);
  constants(q, p, n);
  memory(q, p, n);
  typed<float, 64>(q, p);
  typed<double, 32>(q, d);
  Solver().run(q, p);
  by_size(q, p, 48);
  by_size(q, p, 80);
  unqualified::run(q, p);
}
