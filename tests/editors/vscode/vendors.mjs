import { scenario } from './workbench.mjs';

await scenario('vendors', async (vs) => {
  await vs.line('12.5% at 256 · 1 WG/CU · LDS').waitFor();
  await vs.device.filter({ hasText: 'gfx942' }).waitFor();
  await vs.problems('1').waitFor();
  await vs.shot('11-hip');

  await vs.open('tile.cl');
  await vs.line('ARC B580 31.25% · MI300X 6.25%').waitFor();
  await vs.device.filter({ hasText: 'Arc B580 · xe2' }).waitFor();
  await vs.pointAt('tile');
  await vs.hover('5 work-groups/Xe-core').filter({ hasText: 'limited by SLM' }).waitFor();
  await vs.shot('12-opencl-intel');

  await vs.open('phone.cl');
  await vs.line('12.5% · 1 WG/SP core · local').waitFor();
  await vs.device.filter({ hasText: 'Adreno 730' }).waitFor();
  await vs.pointAt('tile');
  await vs.hover('limited by local memory').waitFor();
  await vs.shot('13-opencl-adreno');
}, { file: 'stage.hip', settings: { 'occupancy.devices': ['arc-b580', 'mi300x'] } });
