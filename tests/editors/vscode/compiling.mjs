import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { scenario, workspace } from './workbench.mjs';

// Nobody knows their registers until a compiler is asked; the user's settings allow it.
fs.writeFileSync(
  path.join(workspace, 'fresh.cu'),
  '__global__ void __launch_bounds__(1024) scale(float *x) {\n  x[threadIdx.x] *= 2;\n}\n',
);
fs.writeFileSync(
  path.join(workspace, 'fresh.hip'),
  '#include <hip/hip_runtime.h>\n__global__ void __launch_bounds__(1024) scale(float *x) {\n  x[threadIdx.x] *= 2;\n}\n',
);
const values = [...Array(40).keys()];
fs.writeFileSync(
  path.join(workspace, 'live.cu'),
  `__global__ void live(const float *in, float *out, int i, int s, int n) {
  float ${values.map((it) => `a${it} = in[i + ${it} * s]`).join(', ')};
#pragma unroll 1
  for (int j = 0; j < n; ++j) {
    float x = in[j];
    ${values.map((it) => `a${it} = fmaf(a${it}, x, a${(it + 1) % 40})`).join(', ')};
  }
  ${values.map((it) => `out[i + ${it} * s] = a${it}`).join(', ')};
}
void go(float *p, int n) { live<<<64, 256>>>(p, p, n, n, n); }
`,
);

async function saved(vs, before, after) {
  await vs.line(before).waitFor();
  await vs.page.keyboard.press('Control+Home');
  await vs.page.keyboard.press('Enter');
  await vs.page.keyboard.press('Control+s');
  await vs.line(after).waitFor({ timeout: 120_000 });
}

await scenario('compiling', async (vs) => {
  const said = await vs.listen();
  await saved(vs, 'regs ≤64', '100% at 1024 · 2 blk/SM');
  assert.ok((await said()).includes('H100 SXM5 · compiling'));
  await vs.shot('20-compiled-cuda');
  await vs.run('Occupancy: Show How This File Is Compiled');
  await vs.line('How fresh.cu is compiled for H100 SXM5 (sm_90)').waitFor();
  await vs.line('flags from').waitFor();
  await vs.shot('24-how');
  await vs.open('fresh.hip');
  await saved(vs, 'regs ≤', '100% at 1024 · ');
  await vs.shot('21-compiled-hip');

  await vs.open('live.cu');
  await vs.goTo(4, 5);
  await vs.run('Occupancy: Try Other Bounds of This Kernel');
  await vs.toast('live: no other bounds do better without spills').waitFor({ timeout: 120_000 });
  await vs.pointAt('live');
  await vs.hover('With other bounds, as compiled').waitFor();
  await vs.shot('25-other-bounds');
}, { file: 'fresh.cu', machine: { 'occupancy.compile': 'on-save' } });
