import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { scenario, workspace } from './workbench.mjs';

// The workspace asks for a program of its own as the server, and nobody has trusted it.
const trace = path.join(workspace, 'was-run');
fs.mkdirSync(path.join(workspace, '.vscode'));
fs.writeFileSync(
  path.join(workspace, '.vscode', 'settings.json'),
  JSON.stringify({ 'occupancy.server.command': ['sh', '-c', `touch '${trace}'`], 'occupancy.compile': 'workspace' }),
);

await scenario('untrusted', async (vs) => {
  await vs.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
  await vs.line('75% at 256 · 6 blk/SM · regs').waitFor();
  await vs.shot('10-untrusted');
  assert.ok(!fs.existsSync(trace));
  assert.equal(await vs.toast('Compile in the background').count(), 0);
}, { trusted: false, machine: {} });
