import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { scenario, server, workspace } from './workbench.mjs';

// Three folders with a kernel that no compiler has seen. A workspace's own settings and state have no say.
const KERNEL = '__global__ void __launch_bounds__(1024) scale(float *x) {\n  x[threadIdx.x] *= 2;\n}\n';
const QUESTION = 'Compile in the background with nvcc';
const OPEN = 'regs ≤64';
const COUNTED = '100% at 1024 · 2 blk/SM';
const [here, never, yes] = ['here', 'never', 'yes'].map((name) => path.join(workspace, name));
for (const folder of [here, never, yes]) {
  fs.mkdirSync(path.join(folder, '.vscode'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'fresh.cu'), KERNEL);
  fs.writeFileSync(path.join(folder, '.vscode', 'settings.json'), JSON.stringify({ 'occupancy.compile': 'workspace' }));
}

async function answer(vs, button) {
  await vs.toast(QUESTION).locator('.monaco-button', { hasText: button }).click();
  await vs.toast(QUESTION).waitFor({ state: 'detached' });
}

/** Looked at for as long as the question and a compiler would take. */
async function isQuiet(vs) {
  await vs.line(OPEN).waitFor();
  await vs.device.waitFor();
  await vs.page.waitForTimeout(4_000);
  assert.equal(await vs.toast(QUESTION).count(), 0);
  assert.equal(await vs.line(OPEN).count(), 1);
}

await scenario('consent', async (vs) => {
  await answer(vs, 'Not in This Folder');
  await vs.settled(() => vs.machine()['occupancy.compile_not_in'], [here]);
  assert.equal(vs.machine()['occupancy.compile'], undefined);

  await vs.visit(yes, 'fresh.cu');
  await vs.toast(QUESTION).waitFor();
  await vs.shot('22-consent');
  await answer(vs, 'Yes');
  await vs.line(COUNTED).waitFor({ timeout: 120_000 });
  await vs.shot('23-consented');
  await vs.settled(() => vs.machine()['occupancy.compile'], 'on');

  await vs.visit(here, 'fresh.cu');
  await isQuiet(vs);

  vs.serve(server); // as before there was a choice
  await vs.visit(never, 'fresh.cu');
  await answer(vs, 'Never');
  await vs.settled(() => vs.machine()['occupancy.compile'], 'off');
  await isQuiet(vs);
}, { folder: here, file: 'fresh.cu', machine: {} });
