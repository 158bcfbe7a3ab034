import assert from 'node:assert/strict';
import { scenario } from './workbench.mjs';

const machine = { 'occupancy.compile': 'off' };

// The first start of the package for this platform: pytest gives no network, and a Python that has no pip.
await scenario('offline', async (vs) => {
  const hint = vs.line('75% at 256 · 6 blk/SM · regs');
  await hint.waitFor();
  await vs.device.filter({ hasText: 'sm_90' }).waitFor();
  assert.equal(await vs.toast('Occupancy').count(), 0);
  await vs.shot('16-first-start-without-network');

  machine['occupancy.server.python'] = '/no/such/python';
  vs.serve([]);
  await vs.toast('Occupancy cannot run its server with the Python in occupancy.server.python').waitFor();
  await vs.device.filter({ hasText: 'No occupancy server' }).waitFor();
  await vs.shot('17-no-python');
}, { command: [], machine });
