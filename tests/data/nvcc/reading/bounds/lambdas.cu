#include <type_traits>
#include <utility>
#include <functional>
template <int N> using C = std::integral_constant<int, N>;
template <int N> __global__ void __launch_bounds__(N) k1(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k2(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k3(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k4(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k5(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k6(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k7(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k8(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k9(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k10(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k11(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k12(int *p) { *p = N; }
template <int N, int M> __global__ void __launch_bounds__(N * M) k13(int *p) { *p = N; }
template <int N, bool B> __global__ void __launch_bounds__(B ? N : N / 2) k14(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k15(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k16(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k17(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k18(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k19(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k20(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k21(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k22(int *p) { *p = N; }
template <class F> void pick(F f, int n) { if (n > 32) f(C<64>{}); else f(C<32>()); }
template <class F> void pass(F &&f, int n) { pick(std::forward<F>(f), n); }
template <class F> void fwd(F &&f) { std::forward<F>(f)(C<96>{}); }
template <int A, int B, class F> void both(F f) { f(C<A>{}); f(C<B>{}); }
struct Store { std::function<void(C<128>)> f; };
void t1(int *p, int n) { auto f = [=](auto c) { k1<c.value><<<1, 1>>>(p); }; f(C<32>{}); if (n) f(C<64>{}); }
void t2(int *p, int n) { pick([=](auto c) { constexpr int n = c.value; k2<n><<<1, n>>>(p); }, n); }
void t3(int *p, int n) { [=](auto c) { k3<c.value * 2><<<1, 1>>>(p); }(C<32>{}); }
void t4(int *p, int n) { auto f = [=](auto c) { k4<c.value><<<1, 1>>>(p); }; pass(f, n); }
void t5(int *p, int n) { auto f = [=](auto c) { k5<c.value><<<1, 1>>>(p); }; f(C<32>{}); Store s{f}; }
void t6(int *p, int n) { auto f = [=](auto c) { k6<c.value><<<1, 1>>>(p); }; f(C<32>{}); auto g = f; g(C<64>{}); }
void t7(int *p, int n) { auto f = [=](auto c) { k7<c.value><<<1, 1>>>(p); }; fwd(f); }
void t8(int *p, int n) { auto f = [=](auto c) { k8<c.value><<<1, 1>>>(p); }; both<32, 96>(f); both<64, 96>(f); }
void t9(int *p, int n) { auto f = [=](auto c) { k9<decltype(c)::value><<<1, 1>>>(p); k10<c><<<1, 1>>>(p); k11<c()><<<1, c()>>>(p); }; f(C<32>{}); f(std::integral_constant<unsigned, 64>{}); }
void t12(int *p, int n) { auto f = [=](auto c) { k12<c.value><<<1, 1>>>(p); }; { auto f = [=](auto c) { k12<c.value + 1><<<1, 1>>>(p); }; f(C<64>{}); } f(C<32>{}); }
void t13(int *p, int n) { pick([=](auto a) { pick([=](auto b) { k13<a.value, b.value / 32><<<1, 1>>>(p); }, n); }, n); }
void t14(int *p, int n) { auto g = [=](auto a, auto b) { k14<a.value, b.value><<<1, 1>>>(p); }; g(C<64>{}, std::true_type{}); g(C<64>{}, std::bool_constant<false>{}); }
#define GO f(C<96>{})
void t15(int *p, int n) { auto f = [=](auto c) { k15<c.value><<<1, 1>>>(p); }; f(C<32>{}); GO; }
void t16(int *p, int n) { auto f = [=](auto c) { if constexpr (c.value > 32) k16<c.value><<<1, 1>>>(p); else k16<c.value + 8><<<1, 1>>>(p); }; f(C<32>{}); f(C<64>{}); }
void t17(int *p, int n) { auto f = [=](auto c) { { constexpr int c = 96; k17<c><<<1, 1>>>(p); } k17<c.value><<<1, 1>>>(p); }; f(C<32>{}); }
auto make(int *p) { return [=](auto c) { k18<c.value><<<1, 1>>>(p); }; }
void t18(int *p, int n) { make(p)(C<32>{}); }
template <int N> void t19(int *p, int n) { auto f = [=](auto c) { k19<c.value + N><<<1, 1>>>(p); }; f(C<N>{}); }
void u19(int *p) { t19<32>(p, 1); t19<64>(p, 1); }
template <class F, int... N> void each(F f) { (f(C<N>{}), ...); }
void t20(int *p, int n) { auto f = [=](auto c) { k20<c.value><<<1, 1>>>(p); }; each<decltype(f), 32, 64>(f); }
struct Tag { static constexpr int value = 32; int n = 64; }; struct Tag2 : Tag { enum { value = 96 }; }; struct Tag3 : C<160> {};
void t21(int *p, int n) { auto f = [=](auto c) { k21<c.value><<<1, 1>>>(p); }; f(Tag{}); f(Tag2{}); f(Tag3{}); }
void t22(int *p, int n) { auto f = [=](auto c, int d) { k22<c.value><<<1, d>>>(p); }; auto h = [&](int m) { f(C<64>{}, m); }; h(3); f(C<32>{}, n); }
template <int N, int M> __global__ void __launch_bounds__(N + M) k23(int *p) { *p = N; }
void t23(int *p, int n) { auto f = [=](auto a) { auto g = [=](auto b) { k23<a.value, b.value><<<1, b.value>>>(p); }; g(C<a.value * 2>{}); }; f(C<32>{}); f(C<64>{}); }
