import { scenario } from './workbench.mjs';

await scenario('install', async (vs) => {
  await vs.toast('Occupancy found no server').locator('.monaco-button', { hasText: 'Install Server' }).click();
  await vs.toast('installing packages').waitFor({ timeout: 120_000 });
  await vs.shot('9-installing');
  await vs.line('75% at 256 · 6 blk/SM · regs').waitFor({ timeout: 120_000 });
}, { command: [] });
