import fs from 'node:fs';
import path from 'node:path';
import { scenario, screenshots } from './workbench.mjs';

// The pictures of the documentation and of the walkthrough, each light and dark. They are made anew by `make pictures`.
const THEMES = { light: 'Light Modern', dark: 'Dark Modern' };
const WALKTHROUGH = path.join(screenshots, '..', '..', 'vscode-extension', 'media', 'walkthrough');
const DOCS = screenshots;
const QUALITY = 0.6;

/** As WebP, which the browser itself writes, some times smaller than PNG. */
async function write(vs, file, clip) {
  const shot = await vs.page.screenshot({ clip });
  const blank = await vs.page.context().newPage();
  const url = await blank.evaluate(async ([png, quality]) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', quality);
  }, [shot.toString('base64'), QUALITY]);
  await blank.close();
  fs.writeFileSync(file, Buffer.from(url.split(',')[1], 'base64'));
}

await scenario('pictures', async (vs) => {
  const both = async (folder, name, clip, show = async () => {}) => {
    for (const [light, theme] of Object.entries(THEMES)) {
      await vs.theme(theme);
      await show();
      await vs.page.waitForTimeout(500); // till nothing moves
      await write(vs, path.join(folder, `${name}-${light}.webp`), clip);
    }
  };
  const editor = { x: 0, y: 34, width: 1000, height: 430 };
  await vs.page.setViewportSize({ width: 1000, height: 640 });
  await vs.page.keyboard.press('Control+b');
  await vs.line('50% · 4 blk/SM · regs').waitFor();
  await vs.goTo(9, 1);
  await both(WALKTHROUGH, 'hint', { ...editor, height: 330 });
  await both(DOCS, 'vscode-hover', { ...editor, height: 606 }, async () => {
    await vs.pointAt('blk');
    await vs.hover('limited by registers').waitFor();
  });
  await vs.page.keyboard.press('Escape');
  await vs.page.mouse.move(0, 0);

  await both(WALKTHROUGH, 'device', editor, async () => {
    await vs.run('Occupancy: Select Device');
    await vs.page.locator('.quick-input-list .monaco-list-row', { hasText: 'H100' }).first().waitFor();
  });
  await vs.page.keyboard.press('Escape');

  await vs.page.setViewportSize({ width: 1100, height: 960 });
  await vs.run('Occupancy: Open Panel');
  await vs.panel.locator('h1', { hasText: 'matmul' }).waitFor();
  await vs.panel.getByRole('textbox', { name: 'Registers per thread' }).fill('40');
  await vs.panel.locator('.what-if', { hasText: 'blocks per SM' }).waitFor();
  await both(DOCS, 'vscode-panel', { x: 0, y: 34, width: 1100, height: 900 });
  await both(WALKTHROUGH, 'panel', { x: 40, y: 34, width: 640, height: 900 });
  await vs.page.keyboard.press('Control+b');
  await vs.page.setViewportSize({ width: 1000, height: 640 });

  await vs.open('faults.cu');
  await vs.squiggle.waitFor();
  const question = vs.toast('Compile in the background');
  await question.waitFor();
  await both(WALKTHROUGH, 'counts', { x: 0, y: 200, width: 1000, height: 440 });
  await question.locator('.monaco-button', { hasText: 'Not in This Folder' }).click();
  await question.waitFor({ state: 'detached' });
  await both(DOCS, 'vscode', { ...editor, height: 606 });
}, { file: 'matmul.cu', machine: {} });
