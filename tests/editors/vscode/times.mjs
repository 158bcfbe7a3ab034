import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { scenario, servers } from './workbench.mjs';

// How long the panel takes to answer a field, and what a key costs while it is open: figures to be read, not judged.
const FILE = process.env.OCCUPANCY_TIMES;
const PLACE = Number(process.env.OCCUPANCY_LINE ?? 1); // of an empty line in a kernel
const FIELDS = 40;
const ROUNDS = 4;
const PACE = 125; // milliseconds between two keys
const TYPED = 'int q = threadIdx.x + 1; ';
const TICK = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Milliseconds of processor time of the server. */
function cpu() {
  const [server] = servers();
  const fields = fs.readFileSync(`/proc/${server}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

await scenario('times', async (vs) => {
  const { page } = vs;
  await vs.device.filter({ hasText: 'sm_' }).waitFor({ timeout: 120_000 });
  await vs.goTo(PLACE, 1);
  await page.waitForTimeout(3000);

  const key = { closed: [], open: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const state of round % 2 ? ['open', 'closed'] : ['closed', 'open']) {
      if (state === 'open') {
        await vs.run('Occupancy: Open Panel');
        await vs.panel.locator('figure svg').first().waitFor();
      } else if (await page.locator('iframe.webview').isVisible()) {
        await page.keyboard.press('Control+b');
      }
      await vs.goTo(PLACE, 1);
      await page.waitForTimeout(2000);
      const before = cpu();
      for (const it of TYPED) {
        await page.keyboard.type(it);
        await page.waitForTimeout(PACE);
      }
      await page.waitForTimeout(1500);
      key[state].push((cpu() - before) / TYPED.length);
      for (const _ of TYPED) await page.keyboard.press('Backspace');
      await page.waitForTimeout(1500);
    }
  }

  await vs.run('Occupancy: Open Panel');
  await vs.panel.getByRole('textbox', { name: 'Registers per thread' }).waitFor();
  const before = cpu();
  const times = await vs.panel.locator('body').evaluate(async (_, count) => {
    const field = document.getElementById('field-registers');
    const said = document.querySelector('.what-if');
    const times = [];
    for (let value = 24; value < 24 + count; value++) {
      const shown = new Promise((resolve) => new MutationObserver((_, it) => (it.disconnect(), resolve())).observe(said, { childList: true }));
      const began = performance.now();
      field.value = String(value);
      field.dispatchEvent(new Event('input'));
      await shown;
      times.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return times;
  }, FIELDS);
  const answer = (cpu() - before) / FIELDS;
  const ratios = key.open.map((it, at) => it / key.closed[at]);
  console.log(JSON.stringify({
    field: { median: median(times), p95: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)], serverCpu: answer },
    key: { closed: median(key.closed), open: median(key.open), ratio: median(ratios), all: key },
  }));
}, { folder: process.env.OCCUPANCY_FOLDER, file: FILE });
