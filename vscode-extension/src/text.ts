// Texts that a workspace may have written, for places of the editor that give some characters a meaning.

/** For the status bar and lists: `$(flame)` is no icon. */
export function label(text: string): string {
  return text.replaceAll('$(', '\\$(');
}

/** For notifications: `[words](command:…)` is no link. */
export function message(text: string): string {
  return text.replaceAll('](', '] (');
}
