import assert from 'node:assert/strict';
import { scenario, servers } from './workbench.mjs';

await scenario(
  'python',
  async (vs) => {
    // A Python file without kernels: the extension is there, and starts nothing.
    await vs.page.locator('.activitybar [aria-label="Occupancy"]').first().waitFor();
    await vs.run('Occupancy: Open Panel');
    await vs.panel.getByText('Put the cursor into a kernel').waitFor();
    assert.deepEqual(servers(), []);
    assert.equal(await vs.device.count(), 0);
    await vs.page.keyboard.press('Control+b');

    await vs.open('matmul.py');
    const hinted = (code, hint) => vs.line(code).filter({ hasText: hint }).waitFor({ timeout: 60_000 });
    await hinted('def matmul', '100% if ≤32 regs');
    await hinted('num_warps=8', '100% if ≤32 regs');
    await hinted('num_warps=64', '2048>1024 threads');
    await vs.squiggle.waitFor();
    await vs.problems('1').waitFor();
    await vs.device.filter({ hasText: 'H100 SXM5 · sm_90' }).waitFor();
    assert.equal(servers().length, 1);
    await vs.shot('python-open');
    await vs.pointAt('matmul');
    await vs.hover('num_warps=8').locator('table').first().waitFor();
    await vs.shot('python-hover');
    await vs.page.keyboard.press('Escape');

    // A number that fits ends the finding.
    await vs.goTo(9, 51);
    await vs.page.keyboard.press('Backspace');
    await vs.page.keyboard.press('Backspace');
    await vs.page.keyboard.type('16');
    await vs.squiggle.waitFor({ state: 'detached' });
    await hinted('num_warps=16', '≥25%');

    // Of a file beside it without a kernel the server learns nothing, until one is written.
    await vs.open('plain.py');
    await vs.device.waitFor({ state: 'detached' });
    await vs.goTo(1, 1);
    await vs.page.keyboard.type('import triton\n\n\n@triton.autotune([triton.Config({}, 8)], [])\n@triton.jit\ndef one(x): pass\n\n\n');
    await hinted('def one', '%');
    await vs.device.filter({ hasText: 'H100 SXM5 · sm_90' }).waitFor();
    await vs.shot('python-typed');

    await vs.open('cells.ipynb');
    const cell = (code, hint) => vs.page.locator('.notebook-editor .view-line', { hasText: code }).filter({ hasText: hint }).waitFor();
    await cell('num_warps=8', '100% if ≤32 regs');
    await cell('num_warps=64', '2048>1024 threads');
    await vs.page.locator('.notebook-editor .cdr.squiggly-error, .notebook-editor .cdr.squiggly-warning').first().waitFor();
    // What another cell says a name stands for is not known.
    assert.match(await vs.page.locator('.notebook-editor .view-line', { hasText: 'num_warps=WARPS' }).innerText(), /\),$/);
    await vs.shot('python-notebook');
  },
  { file: 'plain.py' },
);
