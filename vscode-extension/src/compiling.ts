import { basename, dirname, join } from 'node:path';
import {
  commands,
  ConfigurationTarget,
  ExtensionContext,
  LogOutputChannel,
  TextDocument,
  Uri,
  window,
  workspace,
} from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { installCompiler } from './install';
import { message as plain } from './text';

interface Offer {
  compiler: string;
  wheels: string;
}

const NOT_HERE = 'Not in This Folder';
const SIZE = 'about 125 MB to download';

/** Where compilers from wheels are installed; the server looks there too. */
export function compilersFolder(context: ExtensionContext): string {
  return join(context.globalStorageUri.fsPath, 'compilers');
}

/** Whether the user wants files of this folder compiled, and the question that finds out. */
export class Consent {
  private asked = false;

  constructor(
    private readonly context: ExtensionContext,
    private readonly log: LogOutputChannel,
    private readonly restart: () => Promise<void>,
  ) {}

  /** Asks once, at the first kernel without a count; never of a workspace that is not trusted. */
  async consider(client: LanguageClient, { uri }: TextDocument, uncounted: number): Promise<void> {
    if (!uncounted || this.asked || !workspace.isTrusted || isDecided() || isNotHere(uri)) return;
    this.asked = true;
    const none = { compiler: '', wheels: '' };
    const offer = await client.sendRequest<Offer>('occupancy/compiler', { uri: uri.toString() }).catch(() => none);
    if (offer.compiler) await this.ask(uri, questionOf(offer.compiler), 'Yes');
    else if (offer.wheels) await this.offerCompiler(uri, offer.wheels);
    else this.asked = false; // the next file may be in another language
  }

  private async ask(uri: Uri, question: string, yes: string, prepare?: () => Promise<boolean>): Promise<void> {
    const choice = await window.showInformationMessage(question, yes, NOT_HERE, 'Never', 'Learn More');
    if (choice === 'Learn More') await commands.executeCommand('workbench.action.openSettings', 'occupancy.compile');
    if (choice === NOT_HERE) await settings().update('compile_not_in', [...notIn(), folderOf(uri)], ConfigurationTarget.Global);
    if (choice === 'Never') await decide('off');
    if (choice === yes && (!prepare || (await prepare()))) await decide('on');
  }

  /** NVIDIA's compiler comes as wheels, for those who have none. */
  private async offerCompiler(uri: Uri, vendor: string): Promise<void> {
    const question = `No compiler was found. Install NVIDIA's nvcc (${SIZE}) and compile in the background for exact figures?`;
    await this.ask(uri, question, 'Install', () => this.install(vendor));
  }

  private async install(vendor: string): Promise<boolean> {
    const requirements = join(this.context.extensionPath, 'compilers', `${vendor}.txt`);
    const again = async () => void ((await this.install(vendor)) && (await decide('on')));
    const installed = await installCompiler(requirements, compilersFolder(this.context), this.log, again);
    if (installed) await this.restart();
    return installed;
  }

  /** What the server is told of the settings for each of these: where the user said "not here", nothing is compiled. */
  respecting<T>(told: T, scopes: (string | undefined)[]): T {
    if (!Array.isArray(told)) return told;
    const off = (scope?: string) => !workspace.isTrusted || (scope !== undefined && isNotHere(Uri.parse(scope)));
    return told.map((section, index) => (section && off(scopes[index]) ? { ...section, compile: 'off' } : section)) as T;
  }

}

/** Which compiler would run, and where it is. */
function questionOf(compiler: string): string {
  return plain(`Compile in the background with ${basename(compiler)} (in ${dirname(compiler)}) for exact figures?`);
}

function isNotHere(uri: Uri): boolean {
  return notIn().includes(folderOf(uri));
}

// Both settings belong to the machine: those of a workspace have no say.

function settings() {
  return workspace.getConfiguration('occupancy');
}

function isDecided(): boolean {
  return settings().inspect('compile')?.globalValue !== undefined;
}

async function decide(value: 'on' | 'off'): Promise<void> {
  await settings().update('compile', value, ConfigurationTarget.Global);
}

function notIn(): string[] {
  return settings().get<string[]>('compile_not_in', []);
}

function folderOf(uri: Uri): string {
  return (workspace.getWorkspaceFolder(uri)?.uri ?? Uri.joinPath(uri, '..')).fsPath;
}
