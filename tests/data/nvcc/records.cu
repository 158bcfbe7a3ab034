// Layouts of classes, unions and enumerations: behind each kernel the bytes of its `.shared` variables in the PTX of nvcc 13.0 (-std=c++20 -arch=sm_90).
#define KEEP(x) asm volatile("" :: "l"(&(x)))
namespace n_al1 {
typedef struct __align__(16) { float x; } A;
typedef struct alignas(16) { float x; } B;
typedef struct __attribute__((aligned(16))) { float x; } C;
typedef struct { float x; } __align__(16) D;
typedef struct { float x; } __attribute__((aligned(16))) E;
typedef struct G { float x; } __attribute__((aligned(16))) F;
__global__ void k_al1_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 1024
__global__ void k_al1_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 1024
__global__ void k_al1_2() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 1024
__global__ void k_al1_3() { __shared__ char s[64*sizeof(D)]; KEEP(s); } // 1024
__global__ void k_al1_4() { __shared__ char s[64*sizeof(E)]; KEEP(s); } // 1024
__global__ void k_al1_5() { __shared__ char s[64*sizeof(F)]; KEEP(s); } // 1024
__global__ void k_al1_6() { __shared__ char s[64*sizeof(G)]; KEEP(s); } // 1024
}
namespace n_al2 {
typedef struct { float x; } A __attribute__((aligned(16)));
struct S { char c; A a; char d; };
__global__ void k_al2_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 256
__global__ void k_al2_1() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 2048
}
namespace n_al3 {
struct A { float x; } __attribute__((aligned(16)));
struct __attribute__((aligned(8))) B { float x; };
struct alignas(32) C { float x; };
struct __align__(8) D { char x[9]; };
struct alignas(double) E { char c; };
__global__ void k_al3_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 1024
__global__ void k_al3_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 512
__global__ void k_al3_2() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 2048
__global__ void k_al3_3() { __shared__ char s[64*sizeof(D)]; KEEP(s); } // 1024
__global__ void k_al3_4() { __shared__ char s[64*sizeof(E)]; KEEP(s); } // 512
}
namespace n_al4 {
struct __attribute__((aligned)) A { char c; };
struct B { char c; int d __attribute__((aligned)); };
__global__ void k_al4_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 1024
__global__ void k_al4_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 2048
}
namespace n_pk {
struct __attribute__((packed)) A { char c; int d; };
struct B { char c; int d; } __attribute__((packed));
struct C { char c; int d __attribute__((packed)); short e; };
struct __attribute__((packed, aligned(4))) D { char c; int d; };
struct __attribute__((__packed__)) E { char c; double d; };
typedef struct { char c; int d; } __attribute__((packed)) F;
typedef struct __attribute__((packed)) { char c; int d; } G;
__global__ void k_pk_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 320
__global__ void k_pk_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 320
__global__ void k_pk_2() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 512
__global__ void k_pk_3() { __shared__ char s[64*sizeof(D)]; KEEP(s); } // 512
__global__ void k_pk_4() { __shared__ char s[64*sizeof(E)]; KEEP(s); } // 576
__global__ void k_pk_5() { __shared__ char s[64*sizeof(F)]; KEEP(s); } // 320
__global__ void k_pk_6() { __shared__ char s[64*sizeof(G)]; KEEP(s); } // 320
}
namespace n_pk2 {
struct I { char c; int d; };
struct __attribute__((packed)) A { char c; I d; };
struct H { char x; A a; double d; };
__global__ void k_pk2_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 576
__global__ void k_pk2_1() { __shared__ char s[64*sizeof(H)]; KEEP(s); } // 1536
}
namespace n_gnu {
struct [[gnu::packed]] A { char c; int d; };
struct [[gnu::aligned(16)]] B { char c; };
struct C { char c; [[gnu::aligned(8)]] char d; };
__global__ void k_gnu_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 320
__global__ void k_gnu_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 1024
__global__ void k_gnu_2() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 1024
}
namespace n_pp {
#pragma pack(push, 1)
struct A { char c; int d; };
#pragma pack(pop)
struct B { char c; int d; };
__global__ void k_pp_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 320
__global__ void k_pp_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 512
}
namespace n_pp2 {
#pragma pack(2)
struct A { char c; int d; double e; };
#pragma pack()
struct B { char c; int d; A a; };
__global__ void k_pp2_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 896
__global__ void k_pp2_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 1536
}
namespace n_pp3 {
#pragma pack(push, foo, 4)
struct A { char c; double d; };
#pragma pack(push, 1)
struct B { char c; double d; };
#pragma pack(pop, foo)
struct C { char c; double d; };
__global__ void k_pp3_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 768
__global__ void k_pp3_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 576
__global__ void k_pp3_2() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 1024
}
namespace n_pp4 {
_Pragma("pack(push,1)")
struct A { char c; int d; };
_Pragma("pack(pop)")
struct B { char c; int d; };
__global__ void k_pp4_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 320
__global__ void k_pp4_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 512
}
namespace n_pp5 {
#pragma pack(push)
#pragma pack(1)
struct A { char c; int d; short e; };
#pragma pack(pop)
struct B { char c; int d; };
__global__ void k_pp5_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 448
__global__ void k_pp5_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 512
}
namespace n_vb {
struct B { int y; }; struct V : virtual B { int x; };
struct W : virtual B { char c; }; struct X : V, W { int z; };
__global__ void k_vb_0() { __shared__ char s[64*sizeof(V)]; KEEP(s); } // 1024
__global__ void k_vb_1() { __shared__ char s[64*sizeof(W)]; KEEP(s); } // 1024
__global__ void k_vb_2() { __shared__ char s[64*sizeof(X)]; KEEP(s); } // 2560
}
namespace n_vf {
struct A { virtual void f() {} int x; };
struct B : A { char c; };
struct C : A { virtual void g() {} double d; };
struct D { int q; virtual ~D() {} };
struct E : A, D { int z; };
__global__ void k_vf_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 1024
__global__ void k_vf_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 1024
__global__ void k_vf_2() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 1536
__global__ void k_vf_3() { __shared__ char s[64*sizeof(D)]; KEEP(s); } // 1024
__global__ void k_vf_4() { __shared__ char s[64*sizeof(E)]; KEEP(s); } // 2048
}
namespace n_eb2 {
struct E {}; struct A : E { int x; }; struct S : E { A a; };
struct F : E { E e; }; struct G : E { char c; E e; }; struct H {}; struct I : E, H { int x; };
__global__ void k_eb2_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 512
__global__ void k_eb2_1() { __shared__ char s[64*sizeof(F)]; KEEP(s); } // 128
__global__ void k_eb2_2() { __shared__ char s[64*sizeof(G)]; KEEP(s); } // 128
__global__ void k_eb2_3() { __shared__ char s[64*sizeof(I)]; KEEP(s); } // 256
__global__ void k_eb2_4() { __shared__ char s[64*sizeof(E)]; KEEP(s); } // 64
}
namespace n_eb3 {
struct E {}; struct A : E {}; struct B : E {}; struct C : A, B {}; struct D : A, B { int x; }; struct F : C { E e[3]; };
__global__ void k_eb3_0() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 128
__global__ void k_eb3_1() { __shared__ char s[64*sizeof(D)]; KEEP(s); } // 256
__global__ void k_eb3_2() { __shared__ char s[64*sizeof(F)]; KEEP(s); } // 320
}
namespace n_nua {
struct E {}; struct S { [[no_unique_address]] E e; int x; }; struct T { int x; [[no_unique_address]] E e; };
struct U { [[no_unique_address]] E e, f; int x; }; struct V { char c; [[no_unique_address]] E e; [[no_unique_address]] E f; };
__global__ void k_nua_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 256
__global__ void k_nua_1() { __shared__ char s[64*sizeof(T)]; KEEP(s); } // 256
__global__ void k_nua_2() { __shared__ char s[64*sizeof(U)]; KEEP(s); } // 512
__global__ void k_nua_3() { __shared__ char s[64*sizeof(V)]; KEEP(s); } // 128
}
namespace n_nua2 {
struct A { A() {} int x; char c; }; struct S { [[no_unique_address]] A a; char d; }; struct T { A a; char d; };
struct P { int x; char c; }; struct Q { [[no_unique_address]] P a; char d; };
__global__ void k_nua2_0() { __shared__ char s[64*sizeof(S)]; KEEP(s); } // 512
__global__ void k_nua2_1() { __shared__ char s[64*sizeof(T)]; KEEP(s); } // 768
__global__ void k_nua2_2() { __shared__ char s[64*sizeof(Q)]; KEEP(s); } // 768
}
namespace n_tail {
struct P { int x; char c; }; struct A : P { char d; };
struct N { N() {} int x; char c; }; struct B : N { char d; };
class R { int x; char c; }; struct C : R { char d; };
struct D : A { char e; }; struct E : B { short e; };
__global__ void k_tail_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 768
__global__ void k_tail_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 512
__global__ void k_tail_2() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 512
__global__ void k_tail_3() { __shared__ char s[64*sizeof(D)]; KEEP(s); } // 768
__global__ void k_tail_4() { __shared__ char s[64*sizeof(E)]; KEEP(s); } // 512
}
namespace n_tail2 {
struct P { int x; char c; P() = default; }; struct A : P { char d; };
struct Q { int x; char c; ~Q() {} }; struct B : Q { char d; };
struct R { int x; char c; R& operator=(const R&) { return *this; } }; struct C : R { char d; };
struct T { int x; char c = 0; }; struct D : T { char d; };
struct U { double x; private: char c; }; struct E : U { char d; };
struct V { int &x; char c; }; struct F : V { char d; };
__global__ void k_tail2_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 512
__global__ void k_tail2_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 512
__global__ void k_tail2_2() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 512
__global__ void k_tail2_3() { __shared__ char s[64*sizeof(D)]; KEEP(s); } // 512
__global__ void k_tail2_4() { __shared__ char s[64*sizeof(E)]; KEEP(s); } // 1024
__global__ void k_tail2_5() { __shared__ char s[64*sizeof(F)]; KEEP(s); } // 1024
}
namespace n_en {
enum A { A0, A1 = 0x100000000ll }; enum class B : unsigned char { X }; enum C : short { Y }; enum D { D0 = -1, D1 = 0xFFFFFFFF };
enum class E { Z }; enum F { F0 = 0xFFFFFFFF }; enum G {}; enum __attribute__((packed)) H { H0, H1 }; enum I : long long { I0 };
__global__ void k_en_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 512
__global__ void k_en_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 64
__global__ void k_en_2() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 128
__global__ void k_en_3() { __shared__ char s[64*sizeof(D)]; KEEP(s); } // 512
__global__ void k_en_4() { __shared__ char s[64*sizeof(E)]; KEEP(s); } // 256
__global__ void k_en_5() { __shared__ char s[64*sizeof(F)]; KEEP(s); } // 256
__global__ void k_en_6() { __shared__ char s[64*sizeof(G)]; KEEP(s); } // 256
__global__ void k_en_7() { __shared__ char s[64*sizeof(H)]; KEEP(s); } // 64
__global__ void k_en_8() { __shared__ char s[64*sizeof(I)]; KEEP(s); } // 512
}
namespace n_bf {
struct A { int a : 3; int b : 5; }; struct B { int a : 20; int b : 20; }; struct C { char a : 3; int b : 7; short c : 9; };
struct D { int a : 3; int : 0; int b : 3; }; struct E { int a : 3; int : 29; char c; }; struct F { char c; int a : 4; char d; };
struct G { unsigned long long a : 40, b : 24, c : 1; }; struct H { bool a : 1, b : 1; char c; }; struct I { int : 0; char c; };
__global__ void k_bf_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 256
__global__ void k_bf_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 512
__global__ void k_bf_2() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 256
__global__ void k_bf_3() { __shared__ char s[64*sizeof(D)]; KEEP(s); } // 512
__global__ void k_bf_4() { __shared__ char s[64*sizeof(E)]; KEEP(s); } // 512
__global__ void k_bf_5() { __shared__ char s[64*sizeof(F)]; KEEP(s); } // 256
__global__ void k_bf_6() { __shared__ char s[64*sizeof(G)]; KEEP(s); } // 1024
__global__ void k_bf_7() { __shared__ char s[64*sizeof(H)]; KEEP(s); } // 128
__global__ void k_bf_8() { __shared__ char s[64*sizeof(I)]; KEEP(s); } // 64
}
namespace n_bf2 {
struct __attribute__((packed)) A { char c; int a : 20; int b : 13; char d; };
struct B { char c; int : 0; char d; }; struct C { char c; long long : 0; char d; }; struct D { char c; int : 4; };
struct E { short a; int b : 12; int c : 12; }; struct F { int a : 7; char b; int c : 24; };
enum X { X0 }; struct G { X a : 2; X b : 3; unsigned c : 27; };
__global__ void k_bf2_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 448
__global__ void k_bf2_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 320
__global__ void k_bf2_2() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 576
__global__ void k_bf2_3() { __shared__ char s[64*sizeof(D)]; KEEP(s); } // 128
__global__ void k_bf2_4() { __shared__ char s[64*sizeof(E)]; KEEP(s); } // 512
__global__ void k_bf2_5() { __shared__ char s[64*sizeof(F)]; KEEP(s); } // 512
__global__ void k_bf2_6() { __shared__ char s[64*sizeof(G)]; KEEP(s); } // 256
}
namespace n_un {
union A { char c[5]; int d; }; union B { short s; char c[3]; }; struct C { union { char c[5]; short d; } u; char e; };
union D { struct { char a; int b; }; double q; char z[17]; };
__global__ void k_un_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 512
__global__ void k_un_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 256
__global__ void k_un_2() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 512
__global__ void k_un_3() { __shared__ char s[64*sizeof(D)]; KEEP(s); } // 1536
}
namespace n_fl {
struct A { int n; double d[]; }; struct B { char c; int d[0]; };
__global__ void k_fl_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 512
__global__ void k_fl_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 256
}
namespace n_vec {
struct A { char c; float3 f; }; struct B { char c; float4 f; }; struct C { char c; double2 d; char e; }; struct D { char3 c; short s; }; struct E { char c; int2 i; dim3 d; };
struct F { char c; long3 l; }; struct G { char c; ulonglong4 q; }; struct H { char c; short4 s; uchar4 u; };
__global__ void k_vec_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 1024
__global__ void k_vec_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 2048
__global__ void k_vec_2() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 3072
__global__ void k_vec_3() { __shared__ char s[64*sizeof(D)]; KEEP(s); } // 384
__global__ void k_vec_4() { __shared__ char s[64*sizeof(E)]; KEEP(s); } // 2048
__global__ void k_vec_5() { __shared__ char s[64*sizeof(F)]; KEEP(s); } // 2048
__global__ void k_vec_6() { __shared__ char s[64*sizeof(G)]; KEEP(s); } // 3072
__global__ void k_vec_7() { __shared__ char s[64*sizeof(H)]; KEEP(s); } // 1536
}
namespace n_ld {
struct B { char c; __int128 i; }; struct C { bool b; wchar_t w; char16_t u; char32_t v; }; struct D { char c; decltype(nullptr) n; };
__global__ void k_ld_0() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 2048
__global__ void k_ld_1() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 1024
__global__ void k_ld_2() { __shared__ char s[64*sizeof(D)]; KEEP(s); } // 1024
}
namespace n_tdal {
typedef float F __attribute__((aligned(16))); typedef __align__(8) int I; typedef int U __attribute__((aligned(1))); using J [[gnu::aligned(16)]] = char;
struct A { char c; F f; }; struct B { char c; I i; }; struct C { char c; U u; }; struct D { char c; J j; };
__global__ void k_tdal_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 2048
__global__ void k_tdal_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 1024
__global__ void k_tdal_2() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 320
__global__ void k_tdal_3() { __shared__ char s[64*sizeof(D)]; KEEP(s); } // 2048
}
namespace n_nest {
struct A { struct B { char c; int d; } b; char e; struct { short s; char t; } f[3]; };
__global__ void k_nest_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 1536
__global__ void k_nest_1() { __shared__ char s[64*sizeof(A::B)]; KEEP(s); } // 512
}
namespace n_der2 {
struct A { char a; }; struct B : A { int b; }; struct C : B { char c; }; struct A2 { char z; }; struct D : C, A2 { char w; };
__global__ void k_der2_0() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 768
__global__ void k_der2_1() { __shared__ char s[64*sizeof(D)]; KEEP(s); } // 768
}
namespace n_abstract {
struct I { virtual int f() = 0; virtual ~I() = default; }; struct A : I { int f() override { return x; } int x; }; struct B final : A { char c; };
__global__ void k_abstract_0() { __shared__ char s[64*sizeof(I)]; KEEP(s); } // 512
__global__ void k_abstract_1() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 1024
__global__ void k_abstract_2() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 1024
}
namespace n_tmplb {
template <class T> struct E {}; template <class T, int N> struct A : E<T> { T v[N]; }; template <class T> struct B : E<T> { A<T, 3> a; char c; };
__global__ void k_tmplb_0() { __shared__ char s[64*sizeof(A<float, 4>)]; KEEP(s); } // 1024
__global__ void k_tmplb_1() { __shared__ char s[64*sizeof(B<char>)]; KEEP(s); } // 320
}
namespace n_crtp {
template <class D> struct Base { int q; }; struct A : Base<A> { char c; }; struct B : Base<B>, Base<A> { char c; };
__global__ void k_crtp_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 512
__global__ void k_crtp_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 768
}
namespace n_macro {
#define ALIGN(n) __align__(n)
#define PACKED __attribute__((packed))
struct ALIGN(16) A { float x; }; struct PACKED B { char c; int d; }; struct C { char c; int d; } PACKED; typedef struct ALIGN(16) { float x; } D; struct ALIGN(16) PACKED E { char c; int d; };
__global__ void k_macro_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 1024
__global__ void k_macro_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 320
__global__ void k_macro_2() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 320
__global__ void k_macro_3() { __shared__ char s[64*sizeof(D)]; KEEP(s); } // 1024
__global__ void k_macro_4() { __shared__ char s[64*sizeof(E)]; KEEP(s); } // 1024
}
namespace n_var {
struct P { char c; float f; } __attribute__((packed)) v;
__global__ void k_var_0() { __shared__ P s[5]; KEEP(s); } // 25
__global__ void k_var_1() { __shared__ struct { char c; int d; } s[3]; KEEP(s); } // 24
__global__ void k_var_2() { __shared__ struct __align__(16) { char c; int d; } s[3]; KEEP(s); } // 48
__global__ void k_var_3() { __shared__ struct Q { char c; int d; } s[3]; KEEP(s); } // 24
__global__ void k_var_4() { __shared__ union { char c[5]; int d; } s; KEEP(s); } // 8
}
namespace n_arrm {
struct A { char a[3][5]; short b[2][2]; double c[0]; };
__global__ void k_arrm_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 1536
}
namespace n_volt {
struct A { volatile char c; const int d = 1; static const int e = 2; mutable short f; };
__global__ void k_volt_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 768
}
namespace n_emptymem {
struct E {}; struct A { E e; int x; }; struct B { E e[5]; int x; }; struct C { int x; E e; };
__global__ void k_emptymem_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 512
__global__ void k_emptymem_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 768
__global__ void k_emptymem_2() { __shared__ char s[64*sizeof(C)]; KEEP(s); } // 512
}
namespace n_aleb {
struct alignas(8) E {}; struct A : E { char c; }; struct B { [[no_unique_address]] E e; char c; };
__global__ void k_aleb_0() { __shared__ char s[64*sizeof(E)]; KEEP(s); } // 512
__global__ void k_aleb_1() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 512
__global__ void k_aleb_2() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 512
}
namespace n_alb {
struct alignas(16) P { int x; }; struct A : P { int y; }; struct B : A { int z; };
__global__ void k_alb_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 2048
__global__ void k_alb_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 2048
}
namespace n_multal {
struct alignas(4) alignas(16) A { char c; }; struct B { alignas(4) alignas(8) char c; char d; }; struct alignas(1) C { int x; };
__global__ void k_multal_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 1024
__global__ void k_multal_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 512
}
namespace n_packmem {
struct __attribute__((packed)) A { char c; alignas(4) int d; char e; }; struct B { char c; struct { char q; int r; } __attribute__((packed)) d; };
__global__ void k_packmem_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 768
__global__ void k_packmem_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 384
}
namespace n_pb {
struct N { int x; }; struct __attribute__((packed)) A : N { char c; int d; }; struct __attribute__((packed)) M { char c; }; struct B : M { int d; };
__global__ void k_pb_0() { __shared__ char s[64*sizeof(A)]; KEEP(s); } // 576
__global__ void k_pb_1() { __shared__ char s[64*sizeof(B)]; KEEP(s); } // 512
}
namespace n_bz {
struct __attribute__((packed)) S { char first; bool b0 : 1; char b1 : 8; unsigned char : 0; unsigned b3 : 20; };
__global__ void k_bz_0() { __shared__ S s[3]; KEEP(s); } // 15
struct __attribute__((packed)) T { char first; unsigned char : 0; unsigned b3 : 20; };
__global__ void k_bz_1() { __shared__ T s[8]; KEEP(s); } // 32
}
// A typedef that is more strictly aligned than its size is a multiple of: elements follow one another all the same.
typedef __attribute__((aligned(16))) struct Aligned { float a; unsigned char b[5]; float c[2]; signed char d; } aligned_24;
struct holds_aligned { char a; aligned_24 b[2]; };
__global__ void k_typedef_0(char *p, int n) { __shared__ aligned_24 a[3]; char *c = (char *)a; c[n] = p[n]; p[0] = c[n + 1]; } // 72
__global__ void k_typedef_1(char *p, int n) { __shared__ aligned_24 a[3][2]; char *c = (char *)a; c[n] = p[n]; p[0] = c[n + 1]; } // 144
__global__ void k_typedef_2(char *p, int n) { __shared__ holds_aligned a[2]; char *c = (char *)a; c[n] = p[n]; p[0] = c[n + 1]; } // 128
