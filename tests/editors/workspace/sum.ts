const WG = 64;

export const sum = (device: GPUDevice) => device.createShaderModule({
  code: /* wgsl */ `
    @group(0) @binding(0) var<storage, read_write> data: array<f32>;
    var<workgroup> tile: array<f32, ${WG}>;

    @compute @workgroup_size(${WG})
    fn main(@builtin(local_invocation_index) i: u32) {
      tile[i] = data[i];
      workgroupBarrier();
      data[i] = tile[i ^ 1u];
    }
  `,
});
