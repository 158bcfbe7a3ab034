import { build } from 'esbuild';

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
