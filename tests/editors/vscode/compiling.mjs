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

async function saved(vs, before, after) {
  await vs.line(before).waitFor();
  await vs.page.keyboard.press('Control+Home');
  await vs.page.keyboard.press('Enter');
  await vs.page.keyboard.press('Control+s');
  await vs.line(after).waitFor({ timeout: 120_000 });
}

await scenario('compiling', async (vs) => {
  await saved(vs, 'regs ≤64', '100% at 1024 · 2 blk/SM');
  await vs.shot('20-compiled-cuda');
  await vs.run('Occupancy: Show How It Was Compiled');
  await vs.line('How fresh.cu is compiled for H100 SXM5 (sm_90)').waitFor();
  await vs.line('said by').waitFor();
  await vs.shot('24-how');
  await vs.open('fresh.hip');
  await saved(vs, 'regs ≤', '100% at 1024 · ');
  await vs.shot('21-compiled-hip');
}, { file: 'fresh.cu', machine: { 'occupancy.compile': 'on-save' } });
