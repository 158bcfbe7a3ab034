import assert from 'node:assert/strict';
import { scenario } from './workbench.mjs';

/** The page in front; the keys are the editor's again. */
async function close(vs) {
  await vs.page.keyboard.press('Control+w');
  await vs.page.locator('.editor-instance .monaco-editor.focused').waitFor();
}

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

  // The rule's page is rendered, from its code and from the palette.
  await vs.hover('OCC101').getByRole('link', { name: 'OCC101' }).click();
  await vs.panel.getByRole('heading', { name: 'OCC101' }).waitFor();
  await vs.shot('rule-from-code');
  await close(vs);
  await vs.run('Occupancy: Explain Rule');
  await vs.page.locator('.quick-input-list .monaco-list-row', { hasText: 'OCC001' }).waitFor();
  await vs.page.keyboard.type('OCC303');
  await vs.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'OCC303' }).waitFor();
  await vs.page.keyboard.press('Enter');
  await vs.panel.getByRole('heading', { name: 'OCC303' }).waitFor();
  await vs.shot('rule-from-palette');
  await close(vs);

  await vs.goTo(13, 5);
  await vs.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await vs.run('Occupancy: Copy Report of This Kernel');
  await vs.page.locator('.statusbar-item', { hasText: 'Copied' }).waitFor();
  const report = await vs.page.evaluate(() => navigator.clipboard.readText());
  assert.match(report, /^\*\*saxpy\*\*: 75% /);
  assert.match(report, /\| \*\*registers\*\* \|/);

  await vs.run('Occupancy: Doctor');
  await vs.line('compilers for').waitFor();
  await vs.shot('doctor');

  await vs.run('Welcome: Open Walkthrough');
  await vs.page.keyboard.type('Occupancy');
  await vs.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'Get Started with Occupancy' }).waitFor();
  await vs.page.keyboard.press('Enter');
  await vs.page.getByRole('button', { name: 'Select Device' }).waitFor();
  await vs.shot('walkthrough');
  for (const step of ['Choose a device', 'Read a hint', 'Get exact counts', 'Try other values']) {
    await vs.page.locator('.step-title', { hasText: step }).first().click();
    await vs.page.waitForTimeout(700);
    await vs.shot(`walkthrough-${step.split(' ')[0].toLowerCase()}`);
  }
});
