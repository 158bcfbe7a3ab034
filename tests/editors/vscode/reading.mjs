import { scenario } from './workbench.mjs';

await scenario('reading', async (vs) => {
  await vs.line('75% at 256 · 6 blk/SM · smem').waitFor();
  await vs.line('75% at 256 · 6 blk/SM · regs').waitFor();
  await vs.squiggle.waitFor();
  await vs.problems('1').waitFor();
  await vs.device.filter({ hasText: 'H100 SXM5 · sm_90' }).waitFor();
  await vs.shot('1-open');

  await vs.pointAt('blur');
  await vs.hover('shared memory').locator('table').first().waitFor();
  await vs.shot('2-hover-kernel');
  await vs.page.keyboard.press('Escape');

  await vs.pointAt('8');
  await vs.hover('OCC101').waitFor();
  await vs.shot('3-hover-squiggle');
});
