import { build } from 'esbuild';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';

await build({
  entryPoints: ['src/extension.ts'],
  outfile: 'out/extension.js',
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
});

rmSync('bundled', { recursive: true, force: true });
mkdirSync('bundled');
mkdirSync('dist', { recursive: true });
const built = existsSync('../dist') ? readdirSync('../dist').filter((name) => name.endsWith('.whl')) : [];
for (const wheel of built) cpSync(`../dist/${wheel}`, `bundled/${wheel}`);
console.log(built.length ? `bundled ${built.join(', ')}` : 'no wheel in ../dist: this package cannot install its server');
