import { scenario, server } from './workbench.mjs';

await scenario('missing', async (vs) => {
  const toast = vs.toast('Occupancy cannot start its server');
  await toast.filter({ hasText: '/no/such/occupancy-lsp (occupancy.server.command): not found' }).waitFor();
  await toast.locator('.monaco-button', { hasText: 'Open Settings' }).waitFor();
  await vs.device.filter({ hasText: 'No occupancy server' }).waitFor();
  await vs.shot('8-no-server');

  vs.serve(server);
  await vs.line('75% at 256 · 6 blk/SM · regs').waitFor();
  await vs.device.filter({ hasText: 'sm_90' }).waitFor();
}, { command: ['/no/such/occupancy-lsp'] });
