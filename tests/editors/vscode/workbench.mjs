// The real VS Code workbench in a real browser, with the packaged extension in it.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import path from 'node:path';

// Everything this run is given by pytest.
const given = JSON.parse(process.argv[2]);
export const { windows, editors, extensions, server, scratch, screenshots } = given;
/** The folder that is open. */
export let workspace;
const modules = path.join(editors, 'vscode', 'node_modules');
const { chromium } = createRequire(modules + '/')('playwright-core');
const NODE = path.join(modules, '.bin', 'node');
const ENTRY = path.join(modules, 'code-server', 'out', 'node', 'entry.js');
const FILE = 'kernels.cu';
const DEVICE = 'occupancy-lsp.occupancy-lsp.occupancy.device';
// A server that happens to be installed must not answer for the one under test.
const PATH = process.env.PATH.split(':').filter((folder) => !fs.existsSync(path.join(folder, 'occupancy-lsp')));

// Only what would cover the editor, ask the network, make a picture differ from the last one, or take a key for itself:
// a list of the words in open files takes Enter.
const QUIET = {
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'editor.minimap.enabled': false,
  'editor.stickyScroll.enabled': false,
  'editor.cursorBlinking': 'solid',
  'editor.hover.delay': 100,
  'editor.wordBasedSuggestions': 'off',
  'files.autoSave': 'off',
  'git.enabled': false,
  'security.workspace.trust.startupPrompt': 'never',
};

// The editor's server and the browser, which all windows share; and the window in front.
let running;
let front;

/** Scenarios one after another in one window, as the first asks for it, each with the files as they are given. */
export async function inWindow(scenarios) {
  workspace = path.join(scratch, scenarios[0], 'workspace');
  for (const scenario of scenarios) {
    fs.mkdirSync(workspace, { recursive: true });
    for (const name of fs.readdirSync(workspace)) fs.rmSync(path.join(workspace, name), { recursive: true });
    fs.cpSync(given.workspace, workspace, { recursive: true });
    await import(`./${scenario}.mjs`);
  }
  await front.stop();
  front = undefined;
}

export async function quit() {
  await running?.browser.close();
  running?.end();
}

export async function scenario(name, steps, { command = server, trusted = true, folder = workspace, file = FILE, settings = {}, machine = { 'occupancy.compile': 'off' } } = {}) {
  if (front) await front.open(file);
  else front = await start(command, trusted, folder, file, settings, machine);
  try {
    await steps(front);
    await front.closeEditors();
  } catch (error) {
    await front.shot(`${name}-failed`);
    throw new Error(`${name}: ${error.message}\n\nThe window shows:\n${await front.shown()}`, { cause: error });
  }
}

async function launch() {
  const { port, end } = await startServer();
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update'],
  });
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(30_000);
  return { port, end, browser, context };
}

async function start(command, trusted, folder, name, settings, machine) {
  writeSettings('User', { ...QUIET, 'security.workspace.trust.enabled': !trusted, ...settings });
  // The browser is remote to the extension, and these are settings of the machine the extension runs on.
  const serve = (next) => writeSettings('Machine', { 'occupancy.server.command': next, ...machine });
  serve(command);
  running ??= await launch();
  const { port, context } = running;
  const page = await context.newPage();
  const editor = page.locator('.editor-instance').first();
  const visit = async (folder, name) => {
    const file = [['openFile', `vscode-remote://127.0.0.1:${port}${folder}/${name}`]];
    const query = new URLSearchParams({ folder, payload: JSON.stringify(file) });
    await page.goto(`http://127.0.0.1:${port}/?${query}`);
    await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor({ timeout: 60_000 });
    await editor.locator('.view-line').first().waitFor({ timeout: 60_000 });
  };
  const input = page.locator('.quick-input-widget input:focus');
  // A view that appears meanwhile takes the focus, and with it closes what asks.
  const ask = async (key) => {
    for (let asked = 0; asked < 5 && !(await input.isVisible()); asked++) {
      await page.keyboard.press(key);
      await input.waitFor({ timeout: 10_000 }).catch(() => {});
    }
    await input.waitFor();
  };
  await visit(folder, name);
  return {
    page,
    visit,
    editor,
    serve,
    line: (text) => editor.locator('.view-line', { hasText: text }),
    /** Until a hover is there: on a busy machine one may close before anything stands in it. */
    async pointAt(word) {
      const shown = page.locator('.monaco-hover:visible .hover-contents').first();
      for (let tries = 0; tries < 6; tries++) {
        const box = await (await page.waitForFunction(boxOf, word)).jsonValue();
        await page.mouse.move(0, 0);
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        if (await shown.waitFor({ timeout: 5000 }).then(() => true, () => false)) return;
      }
    },
    squiggle: editor.locator('.cdr.squiggly-warning').first(),
    hover: (text) => page.locator('.monaco-hover .hover-contents', { hasText: text }).first(),
    problems: (count) => page.locator('.statusbar-item[id="status.problems"]', { hasText: count }),
    device: page.locator(`.statusbar-item[id="${DEVICE}"]`),
    /** The panel's page. */
    panel: page.frameLocator('iframe.webview').frameLocator('iframe'),
    /** What the status bar says from now on, each text once after another. */
    async listen() {
      await page.evaluate((id) => {
        window.said = [];
        setInterval(() => {
          const text = document.getElementById(id)?.innerText.trim();
          if (text && text !== window.said.at(-1)) window.said.push(text);
        }, 20);
      }, DEVICE);
      return () => page.evaluate(() => window.said);
    },
    toast: (text) => page.locator('.notification-toast', { hasText: text }),
    /** The colours of the workbench, by the theme's name. */
    async theme(name) {
      await page.keyboard.press('Control+k');
      await page.keyboard.press('Control+t');
      await page.locator('.quick-input-list .monaco-list-row.focused').waitFor();
      await page.keyboard.type(name);
      await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: name }).waitFor();
      await page.keyboard.press('Enter');
      const kind = name.includes('High Contrast') ? 'hc-black' : name.includes('Light') ? 'vs' : 'vs-dark';
      await page.locator(`.monaco-workbench.${kind}`).waitFor();
    },
    /** The text in front and the status bar, for one who reads of a failure where no picture can be seen. */
    shown: () => page.locator('.editor-instance .view-lines, .statusbar').allInnerTexts().then((texts) => texts.join('\n')),
    shot: (name) => page.screenshot({ path: path.join(screenshots, `${name}.png`) }),
    /** A picture in each theme, for whoever looks at it; the last is the one that the editor began with. */
    async shotInThemes(name) {
      if (!given.themes) return this.shot(name);
      for (const theme of ['Dark Modern', 'Dark High Contrast', 'Light Modern']) {
        await this.theme(theme);
        await this.shot(`${name}-${theme.split(' ').slice(-2)[0].toLowerCase()}`);
      }
    },
    machine: () => JSON.parse(fs.readFileSync(path.join(scratch, 'data', 'Machine', 'settings.json'), 'utf8')),
    user: () => JSON.parse(fs.readFileSync(path.join(scratch, 'data', 'User', 'settings.json'), 'utf8')),
    /** Files are written some time after the click. */
    async settled(found, wanted) {
      const now = () => {
        try {
          return JSON.stringify(found());
        } catch {
          return undefined; // it is being written
        }
      };
      for (let tries = 0; tries < 100 && now() !== JSON.stringify(wanted); tries++) await page.waitForTimeout(100);
      assert.deepEqual(found(), wanted);
    },
    async run(command) {
      await ask('F1');
      await page.keyboard.type(command);
      await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: command }).waitFor();
      await page.keyboard.press('Enter');
    },
    read: (name = FILE) => fs.readFileSync(path.join(workspace, name), 'utf8'),
    async open(other) {
      await ask('Control+p');
      await page.keyboard.type(other);
      await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: other }).waitFor();
      await page.keyboard.press('Enter');
      await page.locator(`.tab.active[data-resource-name="${other}"]`).waitFor();
    },
    async goTo(line, column) {
      await ask('Control+g');
      await page.keyboard.type(`${line}:${column}`);
      await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: `line ${line} at column ${column}.` }).waitFor();
      await page.keyboard.press('Enter');
      // Keys go to the input until it gives the focus back.
      await input.waitFor({ state: 'detached' });
      await editor.locator('.monaco-editor.focused').waitFor();
    },
    async closeEditors() {
      await this.run('View: Close All Editors');
      const unsaved = page.locator('.monaco-dialog-box .monaco-button', { hasText: "Don't Save" });
      await unsaved.or(page.locator('.editor-group-container.empty')).first().waitFor();
      if (await unsaved.isVisible()) await unsaved.click();
      await page.locator('.editor-group-container.empty').waitFor();
    },
    async stop() {
      page.once('dialog', (unsaved) => unsaved.accept());
      await page.goto('about:blank'); // the window's processes end with its page
      await page.close();
    },
  };
}

/** The occupancy servers that descend from this run. */
export function servers() {
  const rows = execFileSync('ps', ['-eww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
  const all = rows.map((row) => row.trim().split(/\s+/)).map(([pid, parent, ...args]) => ({ pid, parent, args: args.join(' ') }));
  const ours = new Set([String(process.pid)]);
  for (let before = -1; before !== ours.size; ) {
    before = ours.size;
    for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid);
  }
  return all.filter(({ pid, args }) => ours.has(pid) && args.endsWith('serve --stdio')).map(({ pid }) => Number(pid));
}

// Where a word first stands in the editor. It is found by its text: an element of its own it has only once it is coloured.
function boxOf(word) {
  const lines = document.createTreeWalker(document.querySelector('.editor-instance .view-lines'), NodeFilter.SHOW_TEXT);
  for (let text = lines.nextNode(); text; text = lines.nextNode()) {
    const at = text.data.search(new RegExp(`\\b${word}\\b`));
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + word.length);
    const { x, y, width, height } = range.getBoundingClientRect();
    return { x, y, width, height };
  }
  return null;
}

function writeSettings(layer, settings) {
  const file = path.join(scratch, 'data', layer, 'settings.json');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(settings, null, 2));
}

async function startServer() {
  const config = path.join(scratch, 'config.yaml');
  fs.writeFileSync(config, '');
  const common = [ENTRY, '--config', config, '--user-data-dir', path.join(scratch, 'data'), '--extensions-dir', extensions];
  const port = await freePort();
  // Not detached: pytest ends the whole process group of this run, whatever happens here.
  const child = spawn(
    NODE,
    [...common, '--bind-addr', `127.0.0.1:${port}`, '--auth', 'none', '--disable-telemetry', '--disable-update-check',
      '--disable-getting-started-override'],
    {
      stdio: ['ignore', 'pipe', fs.openSync(path.join(scratch, 'code-server.log'), 'w')],
      env: { ...process.env, PATH: PATH.join(':'), EXTENSIONS_GALLERY: '{}' },
    },
  );
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (text) => String(text).includes('HTTP server listening') && resolve());
    child.once('exit', (code) => reject(new Error(`code-server ended with ${code}`)));
  });
  const end = () => {
    child.kill();
    child.stdout.destroy();
    child.unref();
  };
  return { port, end };
}

function freePort() {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
