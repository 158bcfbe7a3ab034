import assert from 'node:assert/strict';
import { scenario } from './workbench.mjs';

// What is not known of a kernel is stated from where it is read: by a link of the hover, and by a code action.
await scenario('stating', async (vs) => {
  const input = vs.page.locator('.quick-input-widget');
  const ask = async () => {
    await vs.pointAt('blur');
    await vs.hover('limited by shared memory').getByRole('link', { name: 'Set registers…' }).click();
    await input.getByText('Stated in a comment above blur: // occupancy: regs=').waitFor();
    await vs.page.mouse.move(0, 0);
  };
  await vs.line('75% at 256 · 6 blk/SM · smem').waitFor();
  await ask();
  await vs.page.keyboard.type('many');
  await input.getByText("'many' is not a valid value for regs").waitFor();
  await vs.shot('stating-fault');
  await vs.page.keyboard.press('Escape');
  assert.equal(await vs.line('occupancy: regs').count(), 1);

  await ask();
  await vs.page.keyboard.type('64');
  await vs.page.keyboard.press('Enter');
  await vs.line('// occupancy: regs=64').waitFor();
  await vs.line('50% at 256 · 4 blk/SM · regs').waitFor();
  await vs.shot('stated');

  // By keyboard: the comment is written, and its value is left to type.
  await vs.goTo(3, 45);
  await vs.page.keyboard.press('Control+.');
  const rows = vs.page.locator('.action-widget .monaco-list-row');
  const wanted = vs.page.locator('.action-widget .monaco-list-row.focused', { hasText: '// occupancy: block=' });
  await rows.filter({ hasText: '// occupancy: block=' }).waitFor();
  for (let row = 0; row < 12 && !(await wanted.isVisible()); row++) await vs.page.keyboard.press('ArrowDown');
  await vs.page.keyboard.press('Enter');
  await vs.line('block=?').waitFor();
  await vs.page.locator('.statusbar-item', { hasText: '1 selected' }).waitFor();
  await vs.shot('stating-blank');
  await vs.page.keyboard.type('128');
  await vs.line('37.5% · 6 blk/SM · smem').waitFor();
  await vs.shot('stated-block');
});
