import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { scenario, scratch, workspace } from './workbench.mjs';

const here = pathToFileURL(path.join(workspace, 'kernels.cu')).href;
const outside = path.join(scratch, 'outside.cu');
fs.writeFileSync(outside, '__global__ void outside() {}\n');

// What links of others in Markdown may hand to a command that our own hovers run, in the editor's own words.
const HOSTILE = [
  [pathToFileURL(outside).href, 0],
  [pathToFileURL(path.join(workspace, 'scale.hpp')).href, 0],
  [`${here}/../scale.hpp`, 0],
  ['file:///etc/passwd', 0],
  ['https://example.invalid/x.cu', 0],
  ['command:workbench.action.terminal.new', 0],
  ['untitled:x', 0],
  [here, 1e9],
  [here, -1],
  [here, '3'],
  [here, { line: 3 }],
  [[here], 3],
  [null, null],
  [{ toString: 'x' }, 3],
  [],
];

const opening = (args) => ({ command: 'occupancy.openPanel', args });

await scenario('links', async (vs) => {
  await vs.line('75% at 256 · 6 blk/SM · regs').waitFor();
  const position = vs.page.locator('.statusbar-item[id="status.editor.selection"]');
  // Each begins where the cursor is, and what stands behind the links tells that all of them were run.
  const down = [{ command: 'workbench.action.focusActiveEditorGroup' }, { command: 'cursorMove', args: { to: 'down' } }];
  const keys = [['f9', [...HOSTILE.map(opening), ...down]], ['f10', [opening([here, 12])]]];
  const bindings = path.join(scratch, 'data', 'User', 'keybindings.json');
  fs.writeFileSync(bindings, JSON.stringify(keys.map(([key, commands]) => ({ key, command: 'runCommands', args: { commands } }))));
  // The editor reads the file when a window opens.
  await Promise.all([vs.page.waitForEvent('load'), vs.run('Developer: Reload Window')]);
  await vs.line('75% at 256 · 6 blk/SM · regs').waitFor({ timeout: 60_000 });
  await vs.goTo(2, 1);
  const tabs = () => vs.page.locator('.tab').evaluateAll((each) => each.map((it) => it.dataset.resourceName));

  // The panel is shown, and nothing else: no other file is opened, and the cursor stays.
  await vs.page.keyboard.press('F9');
  await position.filter({ hasText: 'Ln 3,' }).waitFor();
  await vs.panel.locator('h1', { hasText: 'blur' }).waitFor();
  assert.deepEqual(await tabs(), ['kernels.cu']);
  await vs.shot('links-of-others');

  // A place in a document that is open is gone to.
  await vs.page.keyboard.press('F10');
  await position.filter({ hasText: 'Ln 13,' }).waitFor();
  await vs.panel.locator('h1', { hasText: 'saxpy' }).waitFor();
  assert.deepEqual(await tabs(), ['kernels.cu']);
  fs.rmSync(bindings);
});
