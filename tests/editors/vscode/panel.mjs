import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { scenario, workspace } from './workbench.mjs';

// A kernel whose size the source allows to change.
fs.writeFileSync(
  path.join(workspace, 'add.cu'),
  `// occupancy: device=rtx-4090 regs=32
__global__ void add(int n, float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}
void run(int n, float *x) { add<<<(n + 1023) / 1024, 1024>>>(n, x); }
`,
);

// What a person without a mouse comes to, in order, each with what is told of it.
const BY_TAB = [
  'Device',
  'Compare with',
  'Threads per block: the most that its launch bounds allow',
  'Registers per thread: stated in a comment',
  'Static shared memory (bytes): none in the source',
  'Dynamic shared memory (bytes): none in the source',
  'Shared memory carve-out (%)',
  'Barriers per block: counted in the source',
  'Show as a table',
  'Show as a table',
  'Show as a table',
];

/** Of the element that has the focus: its label, and its description. */
function told() {
  const it = document.activeElement;
  const source = document.getElementById(it.getAttribute('aria-describedby'))?.textContent;
  return [it.labels?.[0].textContent ?? it.textContent, source].filter(Boolean).join(': ');
}

await scenario('panel', async (vs) => {
  const frame = vs.panel;
  await vs.line('75% at 256 · 6 blk/SM · regs').waitFor();
  await vs.goTo(11, 45);
  // The hover has the same chart as an image.
  await vs.pointAt('saxpy');
  const image = vs.hover('limited by registers').locator('img');
  await image.waitFor();
  assert.ok(await image.evaluate((it) => it.complete && it.naturalWidth > 0));
  await vs.shot('hover-chart');
  await vs.page.mouse.move(0, 0);
  await vs.page.keyboard.press('Control+.');
  const actions = vs.page.locator('.action-widget .monaco-list-row');
  await actions.filter({ hasText: 'Open the panel' }).waitFor();
  const focused = vs.page.locator('.action-widget .monaco-list-row.focused', { hasText: 'Open the panel' });
  for (let row = 0; row < 8 && !(await focused.isVisible()); row++) await vs.page.keyboard.press('ArrowDown');
  await vs.shot('panel-action');
  await vs.page.keyboard.press('Enter');
  await frame.locator('h1', { hasText: 'saxpy' }).waitFor();
  await frame.locator('figure svg').nth(2).waitFor();

  // By keyboard alone: every field, a what-if, and back.
  await frame.getByRole('button', { name: 'saxpy' }).focus();
  const found = [];
  for (const _ of BY_TAB) {
    await vs.page.keyboard.press('Tab');
    found.push(await frame.locator(':focus').evaluate(told));
  }
  assert.deepEqual(found, BY_TAB);
  const registers = frame.getByRole('textbox', { name: 'Registers per thread' });
  await registers.focus();
  assert.equal(await registers.inputValue(), '40');
  for (const key of ['End', 'Backspace', 'Backspace']) await vs.page.keyboard.press(key);
  await vs.page.keyboard.type('32');
  const whatIf = frame.locator('.what-if', { hasText: '100%, 8 blocks per SM, limited by warps and registers' });
  await whatIf.waitFor();
  await vs.shotInThemes('panel');
  // It stands when the cursor has been elsewhere, and after a reload of the window.
  await vs.goTo(4, 10);
  await frame.locator('h1', { hasText: 'blur' }).waitFor();
  await vs.goTo(13, 20);
  await whatIf.waitFor();
  // By its own command: a page that the browser reloads may be gone before its state is written.
  await Promise.all([vs.page.waitForEvent('load'), vs.run('Developer: Reload Window')]);
  await whatIf.waitFor({ timeout: 60_000 });
  assert.equal(await registers.inputValue(), '32');
  await frame.getByRole('button', { name: 'Reset' }).press('Enter');
  await frame.locator('.what-if', { hasText: 'blocks' }).waitFor({ state: 'hidden' });
  assert.equal(await registers.inputValue(), '40');

  // The chart's table, as a screen reader finds it.
  await frame.getByText('Show as a table').nth(1).press('Enter');
  const table = frame.getByRole('table', { name: 'By registers per thread' });
  const row = table.getByRole('row', { name: /^33 to 40 / });
  assert.deepEqual(await row.getByRole('cell').allTextContents(), ['33 to 40', '6', '75%', 'registers']);

  // A hover's links run: the list of devices, and the panel, which follows the cursor. Another device is drawn beside.
  await vs.pointAt('blur');
  await vs.hover('limited by shared memory').getByRole('link', { name: 'Choose device…' }).click();
  await vs.page.locator('.quick-input-list .monaco-list-row').first().waitFor();
  await vs.page.keyboard.press('Escape');
  await vs.page.mouse.move(0, 0);
  await vs.pointAt('blur');
  await vs.hover('limited by shared memory').getByRole('link', { name: 'Open panel' }).click();
  await frame.locator('h1', { hasText: 'blur' }).waitFor();
  await frame.getByLabel('Compare with').selectOption('rtx-4090');
  await frame.locator('path.other').first().waitFor({ state: 'attached' });
  await frame.getByRole('listitem').filter({ hasText: 'GeForce RTX 4090' }).waitFor();
  await table.getByRole('columnheader', { name: 'occupancy on GeForce RTX 4090' }).waitFor();
  const cells = await table.getByRole('row').evaluateAll((rows) => rows.slice(1).map((it) => it.cells.length));
  assert.ok(cells.length > 3 && cells.every((it) => it === 5));
  await vs.shot('panel-beside');

  // What the source allows is applied, as the title says.
  await vs.open('add.cu');
  await vs.goTo(4, 8);
  await frame.locator('h1', { hasText: 'add' }).waitFor();
  await frame.getByRole('textbox', { name: 'Threads per block' }).fill('512');
  await frame.locator('.apply', { hasText: '66.67% → 100%' }).waitFor();
  await vs.shot('panel-apply');
  await frame.getByRole('button', { name: 'Apply' }).click();
  await vs.line('add<<<(n + 511) / 512, 512>>>(n, x)').waitFor();
  await vs.line('RTX 4090 100%').waitFor();
  await vs.shot('panel-applied');

  // Headers of C++ too; the hint stands where the parameters close.
  await vs.open('scale.hpp');
  await vs.line('T factor)').filter({ hasText: '50% at 256 · 4 blk/SM · regs' }).waitFor();
  await vs.goTo(10, 8);
  await frame.locator('h1', { hasText: 'scale' }).waitFor();
  await vs.shot('panel-header');
});
