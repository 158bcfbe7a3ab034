#include <CL/cl.h>

namespace {

constexpr size_t kGroup = 1024;

class Dot {
public:
    explicit Dot(cl_program program) { kernel_ = clCreateKernel(program, "dot_parts", nullptr); }
    void operator()(cl_command_queue queue, int n) const;
    static size_t parts(int n) { return (n + kGroup - 1) / kGroup; }

private:
    cl_kernel kernel_;
};

void Dot::operator()(cl_command_queue queue, int n) const
{
    const size_t global = (n + kGroup - 1) / kGroup * kGroup;
    clSetKernelArg(kernel_, 0, sizeof n, &n);
    clEnqueueNDRangeKernel(queue, kernel_, 1, nullptr, &global, &kGroup, 0, nullptr, nullptr);
}

}  // namespace

int main()
{
    const char *text = "";
    cl_program program = clCreateProgramWithSource(0, 1, &text, nullptr, nullptr);
    clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr);
    Dot dot(program);
    dot(0, 1 << 22);
    return static_cast<int>(Dot::parts(1) - 1);
}
