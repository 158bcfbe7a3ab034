import { randomBytes } from 'node:crypto';
import {
  commands,
  Disposable,
  Position,
  Selection,
  TextEditor,
  Uri,
  WebviewView,
  WebviewViewProvider,
  window,
  workspace,
} from 'vscode';
import { LanguageClient, WorkspaceEdit as LspEdit } from 'vscode-languageclient/node';
import { concerns } from './concern';
import { Device, makerOf } from './device';
import { Apply, Content, FromView, ToView, Tried } from './webview/content';

// Milliseconds after the last move of the cursor, and after the last key: while keys come, the panel asks for nothing.
const REST = 120;
const REST_OF_KEYS = 350;
const NOTHING = 'Put the cursor into a kernel or on its launch.';
const NOT_RUNNING = 'The occupancy server is not running yet.';
const NOBODY: Tried = { uri: '', kernel: '', device: '', beside: '', changes: {} };

/** The view beside the editor: the kernel under the cursor, what its figure is made of, and what other values would give. */
export class Panel implements WebviewViewProvider, Disposable {
  static readonly id = 'occupancy.panel';
  private readonly listeners: Disposable[];
  private view?: WebviewView;
  private client?: LanguageClient;
  private content?: Content;
  private applicable?: Apply;
  private tried = NOBODY;
  private readonly kept = new Map<string, Tried['changes']>(); // by kernel
  private ready = false; // the view has said what it remembers
  private offered = ''; // the file whose devices the view has
  private asked = 0;
  private timer?: NodeJS.Timeout;
  private lastKey = 0;

  constructor(private readonly folder: Uri) {
    this.listeners = [
      window.registerWebviewViewProvider(Panel.id, this),
      window.onDidChangeTextEditorSelection(() => this.soon()),
      window.onDidChangeActiveTextEditor(() => this.soon()),
      workspace.onDidChangeTextDocument(() => {
        this.lastKey = Date.now();
        this.soon();
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listeners.forEach((it) => it.dispose());
  }

  async follow(client?: LanguageClient): Promise<void> {
    this.client = client;
    this.offered = '';
    this.soon();
  }

  resolveWebviewView(view: WebviewView): void {
    this.view = view;
    this.ready = false;
    const media = Uri.joinPath(this.folder, 'media');
    const built = Uri.joinPath(this.folder, 'out');
    view.webview.options = { enableScripts: true, localResourceRoots: [media, built] };
    view.webview.onDidReceiveMessage((message: FromView) => this.take(message));
    view.onDidChangeVisibility(() => this.soon());
    view.onDidDispose(() => (this.view = undefined));
    const style = view.webview.asWebviewUri(Uri.joinPath(media, 'panel.css'));
    const script = view.webview.asWebviewUri(Uri.joinPath(built, 'panel.js'));
    const nonce = randomBytes(16).toString('hex');
    view.webview.html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${view.webview.cspSource}; script-src 'nonce-${nonce}'">
<link rel="stylesheet" href="${style}">
<title>Occupancy</title>
</head>
<body><main></main><script nonce="${nonce}" src="${script}"></script></body>
</html>`;
  }

  private async take(message: FromView): Promise<void> {
    if (message.type === 'ready') {
      // After a reload of the window only the view remembers.
      if (message.tried && !this.tried.uri) this.keep(message.tried, message.tried.changes);
      this.ready = true;
      this.offered = '';
    }
    if (message.type === 'change') this.keep(this.tried, with_(this.tried.changes, message.key, message.value));
    if (message.type === 'device' || message.type === 'beside') this.tried = { ...this.tried, [message.type]: message.id };
    if (message.type === 'reset') this.keep(this.tried, {});
    if (message.type === 'apply') return this.apply();
    if (message.type === 'go') return this.go();
    await this.refresh();
  }

  /** After what may change the figure. */
  soon(): void {
    clearTimeout(this.timer);
    const rest = Math.max(REST, this.lastKey + REST_OF_KEYS - Date.now());
    if (this.view?.visible) this.timer = setTimeout(() => void this.refresh(), rest);
  }

  /** Shows the kernel under the cursor; where there is none, the one that was shown stays. */
  private async refresh(): Promise<void> {
    if (!this.view?.visible || !this.ready) return;
    const editor = window.activeTextEditor;
    const here = editor && concerns(editor.document) ? editor : undefined;
    if (!this.client) return this.send({ type: 'nothing', why: here ? NOT_RUNNING : NOTHING });
    const asked = ++this.asked;
    let [found, why]: [Content | null, string] = [null, NOTHING];
    try {
      found = (here && (await this.ask(here, asked))) ?? (this.tried.uri ? await this.request(this.tried) : null);
    } catch (error) {
      why = `The occupancy server could not answer: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (asked !== this.asked) return;
    this.content = found ?? undefined;
    this.applicable = undefined;
    this.send(found ? { type: 'content', content: found, tried: this.tried } : { type: 'nothing', why });
    if (found && Object.keys(this.tried.changes).length) await this.sendApplicable(asked);
    if (found && this.offered !== this.tried.uri) await this.sendDevices((this.offered = this.tried.uri));
  }

  private async ask({ document, selection }: TextEditor, asked: number): Promise<Content | null> {
    const uri = document.uri.toString();
    const same = uri === this.tried.uri ? this.tried : { ...this.tried, uri, kernel: '', changes: {} };
    const { line, character } = selection.active;
    const found = await this.request(same, { line, character });
    if (!found) return null;
    const tried = found.kernel === same.kernel ? same : { ...same, kernel: found.kernel, changes: this.kept.get(nameOf(uri, found.kernel)) ?? {} };
    if (asked === this.asked) this.tried = tried;
    return tried !== same && Object.keys(tried.changes).length ? this.request(tried) : found;
  }

  /** What is tried of a kernel stands until it is taken back, also when the cursor has been elsewhere. */
  private keep(tried: Tried, changes: Tried['changes']): void {
    this.tried = { ...tried, changes };
    this.kept.set(nameOf(tried.uri, tried.kernel), changes);
  }

  private async request(tried: Tried, position?: { line: number; character: number }): Promise<Content | null> {
    return this.client!.sendRequest<Content | null>('occupancy/panel', { ...tried, position });
  }

  /** After the figure: to know what the code supports, the server may have to look at other files. */
  private async sendApplicable(asked: number): Promise<void> {
    const found = await this.client!.sendRequest<Apply | null>('occupancy/applicable', this.tried).catch(() => null);
    if (asked !== this.asked) return;
    this.applicable = found ?? undefined;
    this.send({ type: 'apply', apply: found });
  }

  private async apply(): Promise<void> {
    const key = this.applicable?.key;
    if (!key || !this.client) return;
    const asked = { uri: this.tried.uri, kernel: this.content?.kernel, key };
    const edit = await this.client.sendRequest<LspEdit | null>('occupancy/apply', asked).catch(() => null);
    if (!edit) return;
    this.keep(this.tried, {});
    await workspace.applyEdit(await this.client.protocol2CodeConverter.asWorkspaceEdit(edit));
    await this.refresh();
  }

  private async go(): Promise<void> {
    if (!this.content) return;
    await goTo(Uri.parse(this.tried.uri), this.content.line - 1);
  }

  private async sendDevices(uri: string): Promise<void> {
    const devices = await this.client!.sendRequest<Device[]>('occupancy/devices', { uri }).catch(() => []);
    this.send({ type: 'devices', devices: devices.map(({ id, name, vendor }) => ({ id, name, maker: makerOf(vendor) })) });
  }

  private send(message: ToView): void {
    void this.view?.webview.postMessage(message);
  }
}

function nameOf(uri: string, kernel: string): string {
  return `${uri}#${kernel}`;
}

async function goTo(uri: Uri, line: number): Promise<void> {
  const start = new Position(line, 0);
  await window.showTextDocument(uri, { selection: new Selection(start, start) });
}

/** Without the key where nothing is typed: then what the source says stands again. */
function with_(changes: Record<string, string>, key: string, value: string): Record<string, string> {
  const { [key]: _, ...others } = changes;
  return value ? { ...others, [key]: value } : others;
}

/** From a link in a hover, with the kernel's place: the panel follows the cursor. Another extension's link may have any. */
export async function openPanel(uri?: unknown, line?: unknown): Promise<void> {
  const open = workspace.textDocuments.find((it) => it.uri.toString() === uri);
  if (open && typeof line === 'number' && line >= 0 && line < open.lineCount) await goTo(open.uri, line);
  await commands.executeCommand(`${Panel.id}.focus`);
}
