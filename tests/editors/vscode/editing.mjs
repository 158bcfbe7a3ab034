import assert from 'node:assert/strict';
import { scenario } from './workbench.mjs';

await scenario('editing', async (vs) => {
  await vs.squiggle.waitFor();
  await vs.goTo(2, 41);
  await vs.page.locator('.lightBulbWidget:visible').click();
  const fix = vs.page.locator('.action-widget .monaco-list-row.focused', { hasText: 'Set minBlocks to 6' });
  await fix.waitFor();
  await vs.shot('4-code-actions');
  await vs.page.keyboard.press('Enter');
  await vs.line('__launch_bounds__(256, 6) blur').waitFor();
  await vs.squiggle.waitFor({ state: 'detached' });
  await vs.page.keyboard.press('Control+s');
  await vs.page.locator('.tab.active:not(.dirty)').waitFor();
  assert.match(vs.read(), /__launch_bounds__\(256, 6\) blur/);

  await vs.goTo(10, 22);
  await vs.page.keyboard.press('Backspace');
  await vs.page.keyboard.press('Backspace');
  await vs.page.keyboard.type('32');
  await vs.line('100% at 256 · 8 blk/SM').waitFor();
  await vs.shot('5-hint-follows');
});
