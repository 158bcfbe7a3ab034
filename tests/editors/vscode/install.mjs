import fs from 'node:fs';
import path from 'node:path';
import { scenario, scratch } from './workbench.mjs';

// At first an index that nobody answers for; then the machine's own.
const nobody = 'http://localhost:9';
const pip = (process.env.PIP_CONFIG_FILE = path.join(scratch, 'pip.conf'));
fs.writeFileSync(pip, `[global]\nindex-url = ${nobody}\nretries = 1\n`);

await scenario('install', async (vs) => {
  await vs.toast('Occupancy needs its server').locator('.monaco-button', { hasText: 'Install Server' }).click();
  const failed = vs.toast('Occupancy could not install its server: the package index cannot be reached.');
  await failed.waitFor({ timeout: 120_000 });
  await vs.shot('9-no-index');
  fs.writeFileSync(pip, '');
  await failed.locator('.monaco-button', { hasText: 'Retry' }).click();
  await vs.toast('installing packages').waitFor({ timeout: 120_000 });
  await vs.shot('9-installing');
  await vs.line('75% at 256 · 6 blk/SM · regs').waitFor({ timeout: 120_000 });
}, { command: [] });
