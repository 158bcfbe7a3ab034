import assert from 'node:assert/strict';
import { scenario } from './workbench.mjs';

const HIP = ['Registers per thread (VGPRs)', 'Accumulation registers (AGPRs)', 'Static LDS (bytes)'];
const INTEL = ['Static SLM (bytes)', 'Barriers per work-group', 'SIMD width', 'Registers per hardware thread (GRF)'];
const RDNA = ['Registers per thread (VGPRs)', 'Wave size', 'CU or WGP mode'];

/** The panel has the fields of the vendor. */
async function fields(vs, names) {
  for (const name of names) await vs.panel.getByLabel(name).waitFor();
}

await scenario('vendors', async (vs) => {
  await vs.line('12.5% at 256 · 1 WG/CU · LDS').waitFor();
  await vs.device.filter({ hasText: 'gfx942' }).waitFor();
  await vs.problems('1').waitFor();
  await vs.shot('11-hip');
  await vs.goTo(6, 5);
  await vs.device.hover();
  await vs.page.getByRole('link', { name: 'Open panel' }).click();
  await fields(vs, HIP);
  await vs.shotInThemes('panel-hip');

  await vs.open('sum.ts');
  await vs.line('100% · 16–32 WG/Xe-core').waitFor();
  await vs.pointAt('main');
  await vs.hover('fixed by its workgroup_size').waitFor();
  await vs.shot('14-shader-in-typescript');

  await vs.open('tile.metal');
  await vs.line('~100% at 256 if ≤32 regs').waitFor();
  await vs.device.filter({ hasText: 'M1' }).waitFor();
  await vs.shot('15-metal');

  await vs.open('tile.cl');
  await vs.line('ARC B580 31.25% · MI300X 6.25%').waitFor();
  await vs.device.filter({ hasText: 'Arc B580 · xe2' }).waitFor();
  await vs.pointAt('tile');
  await vs.hover('5 work-groups/Xe-core').filter({ hasText: 'limited by SLM' }).waitFor();
  await vs.shot('12-opencl-intel');
  await vs.goTo(5, 5);
  await fields(vs, INTEL);
  await vs.shotInThemes('panel-intel');
  await vs.panel.getByRole('combobox', { name: 'Device' }).selectOption('rx-7900-xtx');
  await fields(vs, RDNA);
  assert.equal(await vs.panel.getByLabel('Accumulation registers (AGPRs)').count(), 0);
  await vs.shot('panel-rdna');

  await vs.open('phone.cl');
  await vs.line('12.5% · 1 WG/SP core · local').waitFor();
  await vs.device.filter({ hasText: 'Adreno 730' }).waitFor();
  await vs.pointAt('tile');
  await vs.hover('limited by local memory').waitFor();
  await vs.shot('13-opencl-adreno');
}, { file: 'stage.hip', settings: { 'occupancy.devices': ['arc-b580', 'mi300x'] } });
