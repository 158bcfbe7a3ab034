#define FIELDS(X) X(float, mass) X(double, charge) X(short, kind) X(char, flag)
struct Atom {
#define DECLARE(t, n) t n;
  FIELDS(DECLARE)
#undef DECLARE
};
#define ONE(t, n) +1
enum { FIELD_COUNT = 0 FIELDS(ONE) };
__global__ void k(float *p) { __shared__ char raw[sizeof(Atom) * 32]; raw[threadIdx.x] = 1; __syncthreads(); p[threadIdx.x] = raw[threadIdx.x ^ 1]; }
int main() { k<<<1, 32 * FIELD_COUNT>>>(nullptr); }
