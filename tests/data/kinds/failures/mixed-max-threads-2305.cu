// max threads of kern47_p2305: [268] is true, ['0'] is claimed
#define NTH1_p2305(a, b, c, e, n, ...) n
#define MANY2_p2305(...) NTH1_p2305(__VA_ARGS__, 100, 48, 36, 24, 12, 6)
#define CALL6_p2305(x) (x + 1)
#define MAYBE8_p2305
#define CALL10_p2305(x) (x + 1)
#define CALL11_p2305(x) (x + 1)
#if (((2 / true) / CALL6_p2305(2147483647)) < ((0u | defined MAYBE7_p2305) | !(defined MAYBE8_p2305)))
#define KNOWN14_p2305 255
#define CALL16_p2305(x) (x + 1)
#define KNOWN17_p2305 8
#define CALL18_p2305(x) (x + 1)
#define CALL19_p2305(x) (x + 1)
#define CALL21_p2305(x) (x + 1)
#define KNOWN22_p2305 2147483648
#define KNOWN23_p2305 31
#define CALL25_p2305(x) (x + 1)
#define CALL26_p2305(x) (x + 1)
#define CALL27_p2305(x) (x + 1)
#define KNOWN28_p2305 31
#define MAYBE31_p2305
#define MAYBE35_p2305
#if +(((KNOWN14_p2305 & UNKNOWN15_p2305) && ~(9223372036854775807L)))
#define CHOSEN3_p2305 16
#elif (64u - ((CALL27_p2305(4) ? 8ll : true) / (KNOWN28_p2305 ? 4294967296L : UNKNOWN29_p2305)))
#define CHOSEN3_p2305 32
#elif (((UNKNOWN30_p2305 - defined MAYBE31_p2305) >> (2147483648L & 5)) | ((UNKNOWN32_p2305 << UNKNOWN33_p2305) & (defined(MAYBE34_p2305) % defined MAYBE35_p2305)))
#define CHOSEN3_p2305 314
#else
static constexpr int CHOSEN3_p2305 = 424;
#endif
#elif CALL11_p2305(127)
#define KNOWN36_p2305 0
#ifndef KNOWN36_p2305
#define CHOSEN3_p2305 268
#else
static constexpr int CHOSEN3_p2305 = 512;
#endif
#else
#define CALL40_p2305(x) (x + 1)
#define KNOWN41_p2305 2147483648
#define CALL43_p2305(x) (x + 1)
#define CALL45_p2305(x) (x + 1)
#if (((4294967295 ? KNOWN41_p2305 : 100u) >= (UNKNOWN42_p2305 + CALL43_p2305(127))) ? -(-(UNKNOWN44_p2305)) : CALL45_p2305(4))
#define CHOSEN3_p2305 32
#else
#define CHOSEN3_p2305 433
#endif
#endif
__global__ void __launch_bounds__(((MANY2_p2305((1, 2))) + (CHOSEN3_p2305)) / 2) kern47_p2305() {
  __shared__ char tile46_p2305[((MANY2_p2305((1, 2))) + (CHOSEN3_p2305)) / 2];
  reinterpret_cast<volatile char *>(&tile46_p2305)[threadIdx.x] = 1; asm volatile("" :: "l"(&tile46_p2305));
}
void run_p2305() {
  kern47_p2305<<<1, ((MANY2_p2305((1, 2))) + (CHOSEN3_p2305)) / 2, ((MANY2_p2305((1, 2))) + (CHOSEN3_p2305)) / 2>>>(); /*@1*/
}
