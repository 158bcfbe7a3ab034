#pragma once
#include <type_traits>
#include <utility>
#include <functional>
#include <tuple>
template <int N> using C = std::integral_constant<int, N>;
template <class F> void pick(F f, int n) { if (n > 32) f(C<64>{}); else f(C<32>()); }
template <class F> struct Holder { F f; void run() { f(C<64>{}); } };
template <class F> void shadow(F f) { { auto f = [](auto c) {}; f(C<64>{}); } f(C<32>{}); }
template <class F> void over(F f, int) { f(C<32>{}); }
template <class F> void over(F f, long) { f(C<64>{}); }
struct Obj { template <class F> void run(F f) { f(C<96>{}); } template <class F> static void go(F f) { f(C<160>{}); } };
void any(auto &&f) { f(C<32>{}); }
template <int N, class F> void down(F f) { f(C<N>{}); if constexpr (N > 32) down<N / 2>(f); }
template <bool B, class F> void when(F f) { if constexpr (B) f(C<64>{}); else f(C<32>{}); }
template <class F> void swap2(F f) { auto g = f; g(C<64>{}); f(C<32>{}); }
template <class F> void ref2(F &&f) { auto &g = f; g(C<64>{}); f(C<32>{}); }
template <class F, class G> void two(F f, G g) { f(C<32>{}); g(C<64>{}); }
struct Tag { static constexpr int value = 32; };
#define CALL(F, N) F(C<N>{})
