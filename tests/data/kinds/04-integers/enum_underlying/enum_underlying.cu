enum Small : unsigned char { kMax = 255 };
enum class Mode : int { down = -1, up = 1 };
constexpr Small next = Small(kMax + 1);
constexpr int d = static_cast<int>(Mode::down);
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, 32 + next>>>(nullptr);
  k<<<1, 64 - d * 32>>>(nullptr);
}
