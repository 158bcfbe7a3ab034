import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { scenario, servers, workspace } from './workbench.mjs';

async function next(after) {
  for (let tries = 0; tries < 300; tries++) {
    const found = servers().filter((pid) => !after.includes(pid));
    if (found.length) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('no server came');
}

// Enough to be seen reading, on a machine that is busy, too.
fs.mkdirSync(path.join(workspace, 'many'));
for (let count = 0; count < 5000; count++) {
  fs.writeFileSync(path.join(workspace, 'many', `${count}.cu`), `__global__ void k${count}(float *x) { x[0] = 1; }\n`.repeat(5));
}

await scenario('ending', async (vs) => {
  const said = await vs.listen();
  await vs.device.filter({ hasText: 'Occupancy' }).waitFor();
  await vs.shot('status-starting');
  await vs.page.waitForFunction(() => window.said.some((it) => /reading \d+\/5\d+/.test(it)));
  await vs.shot('status-reading');
  await vs.device.filter({ hasText: 'H100 SXM5 · sm_90' }).waitFor({ timeout: 60_000 });
  await vs.page.waitForFunction(() => window.said.at(-1) === 'H100 SXM5 · sm_90');
  assert.equal((await said())[0], 'Occupancy');

  const hint = vs.line('75% at 256 · 6 blk/SM · regs');
  await hint.waitFor();
  const killed = [];
  for (let times = 0; times < 5; times++) {
    const running = await next(killed);
    for (const pid of running) process.kill(pid, 'SIGKILL');
    killed.push(...running);
    if (times === 0) {
      // It comes back, and with it what it shows: the hint after an edit is a new one.
      await next(killed);
      await vs.device.filter({ hasText: 'sm_90' }).waitFor();
      await vs.goTo(10, 22);
      await vs.page.keyboard.press('Backspace');
      await vs.page.keyboard.press('Backspace');
      await vs.page.keyboard.type('32');
      await vs.line('100% at 256 · 8 blk/SM').waitFor();
    }
  }
  const ended = vs.device.filter({ hasText: 'Occupancy server ended' });
  await ended.waitFor();
  assert.match(await ended.getAttribute('class'), /\berror-kind\b/);
  assert.deepEqual(servers(), []);
  assert.equal(await vs.toast('Occupancy').count(), 0);
  await vs.shot('14-server-ended');

  await ended.locator('a').click();
  await vs.device.filter({ hasText: 'sm_90' }).waitFor();
  await vs.line('100% at 256 · 8 blk/SM').waitFor();
  assert.doesNotMatch(await vs.device.getAttribute('class'), /\berror-kind\b/);
  await vs.shot('15-server-back');
});
