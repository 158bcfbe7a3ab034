import assert from 'node:assert/strict';
import { scenario } from './workbench.mjs';

const THEMES = ['Light Modern', 'Dark Modern', 'Dark High Contrast'];

await scenario('panel', async (vs) => {
  await vs.line('75% at 256 · 6 blk/SM · regs').waitFor();
  await vs.goTo(13, 20);
  // The hover has the same chart as an image.
  await vs.pointAt('saxpy');
  const image = vs.hover('limited by registers').locator('img');
  await image.waitFor();
  assert.ok(await image.evaluate((it) => it.complete && it.naturalWidth > 0));
  await vs.shot('hover-chart');
  await vs.page.mouse.move(0, 0);
  await vs.run('Occupancy: Open Panel');
  const frame = vs.page.frameLocator('iframe.webview').frameLocator('iframe');
  await frame.locator('h1', { hasText: 'saxpy' }).waitFor();
  await frame.locator('figure svg').nth(2).waitFor();

  // By keyboard alone: a what-if, and back.
  const registers = frame.getByRole('textbox', { name: 'Registers per thread' });
  await registers.focus();
  assert.equal(await registers.inputValue(), '40');
  await vs.page.keyboard.press('Control+a');
  await vs.page.keyboard.type('32');
  await frame.locator('.what-if', { hasText: '100%, 8 blocks per SM, limited by warps and registers' }).waitFor();
  for (const theme of THEMES) {
    await vs.theme(theme);
    await vs.shot(`panel-${theme.split(' ').slice(-2)[0].toLowerCase()}`);
  }
  await frame.getByRole('button', { name: 'Back to the Source' }).press('Enter');
  await frame.locator('.what-if', { hasText: 'blocks' }).waitFor({ state: 'hidden' });

  // The chart's table, as a screen reader finds it.
  await frame.getByText('Show as a table').nth(1).press('Enter');
  const table = frame.getByRole('table', { name: 'By registers per thread' });
  const row = table.getByRole('row', { name: /^33 to 40 / });
  assert.deepEqual(await row.getByRole('cell').allTextContents(), ['33 to 40', '6', '75%', 'registers']);

  // It follows the cursor; another device is drawn beside.
  await vs.goTo(4, 10);
  await frame.locator('h1', { hasText: 'blur' }).waitFor();
  await frame.getByLabel('Compare with').selectOption('rtx-4090');
  await frame.locator('path.other').first().waitFor({ state: 'attached' });
  await vs.shot('panel-beside');

  // Headers of C++ too; the hint stands where the parameters close.
  await vs.open('scale.hpp');
  await vs.line('T factor)').filter({ hasText: '50% at 256 · 4 blk/SM · regs' }).waitFor();
  await vs.goTo(10, 8);
  await frame.locator('h1', { hasText: 'scale' }).waitFor();
  await vs.shot('panel-header');
});
