#include "dispatch.cuh"
template <int N> __global__ void __launch_bounds__(N) k0(int *p) { *p = N; }
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
template <int N> __global__ void __launch_bounds__(N) k13(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k14(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k15(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k16(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k17(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k18(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k19(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k20(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k21(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k22(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k23(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k24(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k25(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k26(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k27(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k28(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k29(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k30(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k31(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k32(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k33(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k34(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k35(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k36(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k37(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k38(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k39(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k40(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k41(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k42(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k43(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k44(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k45(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k46(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k47(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k48(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k49(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k50(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k51(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k52(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k53(int *p) { *p = N; }
template <int N> __global__ void __launch_bounds__(N) k54(int *p) { *p = N; }
void t0(int *p, int n) { auto f = [=](auto c) { k0<c.value><<<1, 1>>>(p); }; f(C<32>{}); auto h = [g = f] { g(C<64>{}); }; h(); }
void t1(int *p, int n) { auto f = [=](auto c) { k1<c.value><<<1, 1>>>(p); }; f(C<32>{}); auto &r = f; r(C<64>{}); }
void t2(int *p, int n) { auto f = [=](auto c) { k2<c.value><<<1, 1>>>(p); }; f(C<32>{}); f.operator()(C<64>{}); }
void t3(int *p, int n) { auto f = [=](auto c) { k3<c.value><<<1, 1>>>(p); }; f(C<32>{}); (f)(C<64>{}); }
void t4(int *p, int n) { auto f = [=](auto c) { k4<c.value><<<1, 1>>>(p); }; f(C<32>{}); (*&f)(C<64>{}); }
void t5(int *p, int n) { auto f = [=](auto c) { k5<c.value><<<1, 1>>>(p); }; f(C<32>{}); std::invoke(f, C<64>{}); }
void t6(int *p, int n) { auto f = [=](auto c) { k6<c.value><<<1, 1>>>(p); }; f(C<32>{}); std::apply(f, std::make_tuple(C<64>{})); }
void t7(int *p, int n) { auto f = [=](auto c) { k7<c.value><<<1, 1>>>(p); }; over(f, 1); }
void t8(int *p, int n) { auto f = [=](auto c) { k8<c.value><<<1, 1>>>(p); }; over(f, 1L); }
void t9(int *p, int n) { auto f = [=](auto c) { k9<c.value><<<1, 1>>>(p); }; shadow(f); }
void t10(int *p, int n) { auto f = [=](auto c) { k10<c.value><<<1, 1>>>(p); }; f(C<32>{}); Holder<decltype(f)> h{f}; h.run(); }
void t11(int *p, int n) { auto f = [=](auto c) { k11<c.value><<<1, 1>>>(p); }; f(C<32>{}); Holder h{f}; h.run(); }
void t12(int *p, int n) { auto f = [=](auto c) { k12<c.value><<<1, 1>>>(p); }; Obj o; o.run(f); }
void t13(int *p, int n) { auto f = [=](auto c) { k13<c.value><<<1, 1>>>(p); }; Obj::go(f); }
void t14(int *p, int n) { auto f = [=](auto c) { k14<c.value><<<1, 1>>>(p); }; any(f); }
void t15(int *p, int n) { auto f = [=](auto c) { k15<c.value><<<1, 1>>>(p); }; down<128>(f); }
void t16(int *p, int n) { auto f = [=](auto c) { k16<c.value><<<1, 1>>>(p); }; when<true>(f); }
void t17(int *p, int n) { auto f = [=](auto c) { k17<c.value><<<1, 1>>>(p); }; when<false>(f);  }
void t18(int *p, int n) { auto f = [=](auto c) { k18<c.value><<<1, 1>>>(p); }; swap2(f); }
void t19(int *p, int n) { auto f = [=](auto c) { k19<c.value><<<1, 1>>>(p); }; ref2(f); }
void t20(int *p, int n) { two([=](auto c) { k20<c.value><<<1, 1>>>(p); }, [](auto c) {}); }
void t21(int *p, int n) { two([](auto c) {}, [=](auto c) { k21<c.value><<<1, 1>>>(p); }); }
void t22(int *p, int n) { auto f = [=](auto c) { k22<c.value><<<1, 1>>>(p); }; two(f, f); }
void t23(int *p, int n) { auto f = [=](auto c) { k23<c.value><<<1, 1>>>(p); }; CALL(f, 96); }
void t24(int *p, int n) { auto f = [=](auto c) { k24<c.value><<<1, 1>>>(p); }; pick<decltype(f)>(f, n); }
void t25(int *p, int n) { auto f = [=](auto c) { k25<c.value><<<1, 1>>>(p); }; f(C<32>{}); auto t = std::make_tuple(f); std::get<0>(t)(C<64>{}); }
void t26(int *p, int n) { auto f = [=](const auto &c) { k26<c.value><<<1, 1>>>(p); }; f(C<32>{}); }
void t27(int *p, int n) { auto f = [=](auto &&c) { k27<std::decay_t<decltype(c)>::value><<<1, 1>>>(p); }; f(C<32>{}); }
void t28(int *p, int n) { auto f = [=]<int N>(C<N> c) { k28<N><<<1, 1>>>(p); }; f(C<32>{}); }
void t29(int *p, int n) { auto f = [=](C<32> c) { k29<c.value><<<1, 1>>>(p); }; f({}); }
void t30(int *p, int n) { auto f = [=](auto c) { constexpr auto n = c.value * 2; k30<n><<<1, n>>>(p); }; f(C<32>{}); }
void t31(int *p, int n) { auto f = [=](auto c) { using T = decltype(c); k31<T::value><<<1, 1>>>(p); }; f(C<32>{}); }
void t32(int *p, int n) { auto f = [=](auto c) { int b = c.value; b *= 2; k32<c.value><<<1, b>>>(p); }; f(C<32>{}); }
void t33(int *p, int n) { auto f = [=](auto c) { for (auto c : {1, 2}) { (void)c; } k33<c.value><<<1, 1>>>(p); }; f(C<32>{}); }
void t34(int *p, int n) { auto f = [=](auto a) { auto g = [=](auto c) { k34<c.value + a.value><<<1, 1>>>(p); }; g(C<32>{}); g(a); }; f(C<64>{}); }
void t35(int *p, int n) { auto f = [=](auto c) { auto g = [=](auto c) { k35<c.value><<<1, 1>>>(p); }; g(C<c.value * 2>{}); }; f(C<64>{}); }
void t36(int *p, int n) { std::function<void(C<64>)> f = [=](auto c) { k36<c.value><<<1, 1>>>(p); }; f({}); }
void t37(int *p, int n) { auto f = [=](auto c) { k37<c.value><<<1, 1>>>(p); }; void (*q)(C<64>) = nullptr; f(C<32>{}); }
void t38(int *p, int n) { auto f = [=](auto c) { k38<c.value><<<1, 1>>>(p); }; if (n) { auto f = [](auto c) {}; f(C<64>{}); } f(C<32>{}); }
void t39(int *p, int n) { auto f = [=](auto c) { k39<c.value><<<1, 1>>>(p); }; Tag t; f(t); f(Tag()); }
void t40(int *p, int n) { auto f = [=](auto c) { k40<c.value><<<1, 1>>>(p); }; C<32> t; f(t); auto u = C<64>{}; f(u); }
void t41(int *p, int n) { auto f = [=](auto c) { k41<c.value><<<1, 1>>>(p); }; constexpr auto t = C<32>{}; f(t); }
void t42(int *p, int n) { auto f = [=](auto c, auto d = C<64>{}) { k42<c.value><<<1, 1>>>(p); }; f(C<32>{}, 1); }
void t43(int *p, int n) { auto f = [=](auto c) { k43<c.value><<<1, 1>>>(p); }; f(std::integral_constant<bool, true>{}); f(std::integral_constant<unsigned char, 200>{}); }
void t44(int *p, int n) { auto f = [=](auto c) { k44<c.value><<<1, 1>>>(p); }; f(std::integral_constant<size_t, sizeof(double) * 4>{}); }
void t45(int *p, int n) { auto f = [=](auto c) { k45<c.value><<<1, 1>>>(p); }; [&](auto g) { g(C<32>{}); }(f); f(C<64>{}); }
void t46(int *p, int n) { auto f = [=](auto c) { k46<c.value><<<1, 1>>>(p); }; auto g = [=](auto c) { k46<c.value + 32><<<1, 1>>>(p); }; f(C<32>{}); g(C<64>{}); }
void t47(int *p, int n) { auto f = [=](auto c) { k47<c.value><<<1, 1>>>(p); }; f(C<32>{}); }
void t48(int *p, int n) { const auto f = [=](auto c) { k48<c.value><<<1, 1>>>(p); }; f(C<32>{}), f(C<64>{}); }
void t49(int *p, int n) { static auto f = [](auto c, int *p) { k49<c.value><<<1, 1>>>(p); }; f(C<32>{}, p); }
void t50(int *p, int n) { auto f = [=](auto c) { k50<c.value><<<1, 1>>>(p); }; for (int i = 0; i < 2; ++i) f(C<32>{}); if (n == 2) return f(C<64>{}); }
void t51(int *p, int n) { auto f = [=](auto c) { k51<c.value><<<1, 1>>>(p); }; n ? f(C<32>{}) : f(C<64>{}); }
void t52(int *p, int n) { auto f = [=](auto c) -> int { k52<c.value><<<1, 1>>>(p); return c.value; }; int m = f(C<32>{}) + f(C<96>{}); }
void t53(int *p, int n) { struct { int value = 64; } s; auto f = [=](auto c) { k53<c.value><<<1, 1>>>(p); }; f(C<32>{}); f(std::conditional_t<true, C<96>, C<64>>{}); }
void t54(int *p, int n) { auto f = [=](auto c) { k54<c.value><<<1, 1>>>(p); }; auto z = C<32>{}; f(C<decltype(z)::value * 2>{}); }
