// nvcc 13.0 -std=c++17 accepts this file, so every static_assert in it is true.
enum Type { F16 = 1, Q4 = 7, Q8 };
template <int N> struct Shape { static constexpr int rows = N * 2; enum { columns = rows + 1 }; };
template <> struct Shape<4> { static constexpr int rows = 100; enum { columns = 3 }; };
template <typename T> struct Traits { static constexpr int width = 16 / sizeof(T); };
template <> struct Traits<double> { static constexpr int width = 9; };
template <typename T, int N> using Wide = Shape<N + sizeof(T)>;
struct Base { static constexpr int depth = 5; };
struct Derived : Base { static constexpr int twice = 2 * 11; };
#define SQUARE(x) ((x) * (x))
#define LOOSE(x) x + 1
#define SUM 2 + 3
#define DIFFERENCE 7 - 2
#define PRODUCT 2 * 3
constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
constexpr int log2_of(int n) { int r = 0; while (n > 1) { n /= 2; ++r; } return r; }
constexpr int sum_to(int n) { int s = 0; for (int i = 1; i <= n; ++i) { if (i == 3) continue; s += i; if (s > 40) break; } return s; }
constexpr int warps(Type t, int n = 2) { switch (t) { case F16: case Q4: return 4 * n; case Q8: return 1; default: return 0; } }
constexpr int even(int n) { return n == 0 ? 1 : !even(n - 1); }
template <int N> constexpr int twice() { if constexpr (N > 8) { return N; } else { return 2 * N; } }
template <typename T> constexpr int bytes_of(int n) { return n * int(sizeof(T)); }
constexpr int chosen() {
#if defined(NEVER)
  return 1;
#else
  return 2;
#endif
}
static_assert(ceil_div(1000, 256) == 4, "");
static_assert(log2_of(1000) == 9, "");
static_assert(sum_to(5) == 12, "");
static_assert(sum_to(100) == 42, "");
static_assert(warps(Q4) == 8, "");
static_assert(warps(F16, 5) == 20, "");
static_assert(warps(Q8) == 1, "");
static_assert(even(6) == 1, "");
static_assert(twice<16>() == 16, "");
static_assert(twice<3>() == 6, "");
static_assert(bytes_of<double>(3) == 24, "");
static_assert(chosen() == 2, "");
static_assert(Shape<8>::rows == 16, "");
static_assert(Shape<4>::rows == 100, "");
static_assert(Shape<3>::columns == 7, "");
static_assert(Shape<4>::columns == 3, "");
static_assert(Traits<float>::width == 4, "");
static_assert(Traits<double>::width == 9, "");
static_assert(Wide<float, 0>::rows == 100, "");
static_assert(Wide<double, 2>::rows == 20, "");
static_assert(Derived::depth + Derived::twice == 27, "");
static_assert(SQUARE(2 + 3) == 25, "");
static_assert(SQUARE(LOOSE(1)) == 4, "");
static_assert(SUM * 1 == 5, "");
static_assert(SUM * 2 == 8, "");
static_assert((SUM) == 5, "");
static_assert(4 + SUM == 9, "");
static_assert(4 * PRODUCT == 24, "");
static_assert(4 + PRODUCT == 10, "");
static_assert(20 - DIFFERENCE == 11, "");
static_assert(sizeof(Shape<2>) == 1, "");
static_assert((7 & 3 | 8 ^ 2) == 11, "");
static_assert(-7 / 2 == -3, "");
static_assert(Q8 - F16 == 7, "");
