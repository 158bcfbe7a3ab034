// The scenarios that pytest names, in one editor: those joined by + one after another in one window.
import { inWindow, quit, windows } from './workbench.mjs';

try {
  for (const window of windows) await inWindow(window.split('+'));
} finally {
  await quit();
}
