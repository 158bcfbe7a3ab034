import { TextDocumentContentProvider, Uri, window, workspace } from 'vscode';

// Texts that a workspace may have written, for places of the editor that give some characters a meaning.

/** For the status bar and lists: `$(flame)` is no icon. */
export function label(text: string): string {
  return text.replaceAll('$(', '\\$(');
}

/** For notifications: `[words](command:…)` is no link. */
export function message(text: string): string {
  return text.replaceAll('](', '] (');
}

/** Texts as documents that cannot be edited: how a file is compiled, what the doctor says. */
export class Texts implements TextDocumentContentProvider {
  static readonly scheme = 'occupancy-text';
  private readonly texts = new Map<string, string>();

  provideTextDocumentContent(uri: Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  async show(title: string, text: string): Promise<void> {
    const uri = Uri.from({ scheme: Texts.scheme, path: `/${title}`, query: String(this.texts.size) });
    this.texts.set(uri.toString(), text);
    await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
  }
}
