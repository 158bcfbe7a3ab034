import { build } from 'esbuild';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

const common = { bundle: true, minify: true };
await build({
  ...common,
  entryPoints: ['src/extension.ts'],
  outfile: 'out/extension.js',
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
});
// What runs in the panel's page.
await build({ ...common, entryPoints: ['src/webview/panel.ts'], outfile: 'out/panel.js', platform: 'browser', format: 'iife' });

// Server and extension carry the same version, so there is at most one wheel to take along.
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const wheel = `occupancy_lsp-${version}-py3-none-any.whl`;
rmSync('bundled', { recursive: true, force: true });
mkdirSync('bundled');
mkdirSync('dist', { recursive: true });
cpSync('requirements.txt', 'bundled/requirements.txt');
if (existsSync(`../dist/${wheel}`)) cpSync(`../dist/${wheel}`, `bundled/${wheel}`);
else console.log(`no ../dist/${wheel}: this package cannot install its server`);
