import assert from 'node:assert/strict';
import { scenario } from './workbench.mjs';

// The first start of the package for this platform: pytest gives no network, and a Python that has no pip.
await scenario('offline', async (vs) => {
  await vs.line('75% at 256 · 6 blk/SM · regs').waitFor();
  await vs.device.filter({ hasText: 'sm_90' }).waitFor();
  assert.equal(await vs.toast('Occupancy').count(), 0);
  await vs.shot('16-first-start-without-network');
}, { command: [] });
