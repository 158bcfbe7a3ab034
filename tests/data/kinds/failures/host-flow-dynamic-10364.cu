// dynamic of kern1_p10364: [384] is true, {'value': 2048} is claimed
// dynamic bytes of kern1_p10364: [384] is true, ['2048'] is claimed
__global__ void kern1_p10364() {
}
static volatile int opaque3_p10364_v = 0;
static int opaque3_p10364() { return opaque3_p10364_v; }
static volatile int opaque4_p10364_v = 1;
static int opaque4_p10364() { return opaque4_p10364_v; }
static volatile int opaque5_p10364_v = 0;
static int opaque5_p10364() { return opaque5_p10364_v; }
static int help2_p10364(int n, int m = 24) {
n /= 2, n += 1;
n = n % 32 == 0 ? n : 96;
if (opaque3_p10364() > 0) return m;
return n;
}
void run_p10364() {
  int n = 512;
  int m = 29;
  m = m / 2 + 16;
  n = n % 32 == 0 ? n : 96;
  n = help2_p10364(n);
  kern1_p10364<<<1, n, n * 4>>>(); /*@1*/
}
