import {
  commands,
  ConfigurationTarget,
  Disposable,
  DocumentSelector,
  languages,
  QuickPickItem,
  QuickPickItemKind,
  StatusBarAlignment,
  TextDocument,
  ThemeColor,
  window,
  workspace,
} from 'vscode';
import { LanguageClient, ProgressToken, WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport } from 'vscode-languageclient/node';
import { label } from './text';

type Progress = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

interface Status {
  device: string;
  name: string;
  arch: string;
  origin: string;
  uncounted: number;
}

interface Device {
  id: string;
  name: string;
  vendor: string;
  arch: string;
  computeUnits: number | null;
  unit: string;
}

interface DeviceItem extends QuickPickItem {
  id?: string;
}

const ORIGINS: Record<string, string> = {
  default: 'the default, because no device is chosen',
  text: 'the default for the vendor whose extensions this file uses',
  settings: 'chosen in the settings',
  '.occupancy.yaml': 'chosen in .occupancy.yaml',
  directive: 'chosen by a comment in this file',
};

const VENDORS: Record<string, string> = {
  nvidia: 'NVIDIA',
  amd: 'AMD',
  intel: 'Intel',
  arm: 'Arm',
  qualcomm: 'Qualcomm',
  apple: 'Apple',
  imagination: 'Imagination',
  generic: 'Generic model',
};

/** What the status bar says where no server runs, in which colour, and what a click does. */
export interface NoServer {
  text: string;
  tooltip: string;
  command: string;
  colour?: string;
}

export const STARTING: NoServer = {
  text: '$(sync~spin) Occupancy',
  tooltip: 'The occupancy server is starting. Click to show the log.',
  command: 'occupancy.showLog',
};
export const MISSING: NoServer = {
  text: '$(circuit-board) No occupancy server',
  tooltip: 'The occupancy server is not running. Click to start it.',
  command: 'occupancy.restart',
  colour: 'statusBarItem.warningBackground',
};
export const ENDED: NoServer = {
  text: '$(error) Occupancy server ended',
  tooltip: 'The occupancy server ended several times and will not be restarted automatically. Click to start it.',
  command: 'occupancy.restart',
  colour: 'statusBarItem.errorBackground',
};

/** The device in the status bar, and the list it opens. */
export class DeviceChoice implements Disposable {
  private readonly item = window.createStatusBarItem('occupancy.device', StatusBarAlignment.Right, 100);
  private readonly listener = window.onDidChangeActiveTextEditor(() => this.refresh());
  private client?: LanguageClient;
  private without = MISSING;
  private status: Status | null = null;
  private readonly work = new Map<ProgressToken, string>();
  private asked = 0;

  constructor(
    private readonly selector: DocumentSelector,
    private readonly seen: (client: LanguageClient, document: TextDocument, uncounted: number) => void,
  ) {
    this.item.name = 'Occupancy Device';
  }

  dispose(): void {
    this.listener.dispose();
    this.item.dispose();
  }

  /** Follows this client; without one the item says why there is none. */
  async follow(client?: LanguageClient, without = MISSING): Promise<void> {
    this.client = client;
    this.without = without;
    this.work.clear();
    await this.refresh();
  }

  /** Long work of the server: reading the folder, compiling. */
  working(token: ProgressToken, progress: Progress): void {
    const title = 'title' in progress ? progress.title : this.work.get(token)?.split(':')[0];
    if (progress.kind === 'end') this.work.delete(token);
    else this.work.set(token, [title, progress.message].filter(Boolean).join(': '));
    if (this.status) this.show(this.status);
  }

  async refresh(): Promise<void> {
    const document = window.activeTextEditor?.document;
    // The log counts as an editor, but reading it is not leaving the file.
    if (document?.uri.scheme === 'output') return;
    const asked = ++this.asked;
    if (!document || !languages.match(this.selector, document)) return this.item.hide();
    if (!this.client) return this.showWithout();
    const uri = document.uri.toString();
    const status = await this.client.sendRequest<Status | null>('occupancy/status', { uri }).catch(() => null);
    if (asked !== this.asked) return;
    this.status = status;
    if (!status) return this.item.hide();
    this.show(status);
    this.seen(this.client, document, status.uncounted);
  }

  private show({ name, arch, origin }: Status): void {
    const work = [...this.work.values()];
    this.item.text = `$(${work.length ? 'sync~spin' : 'circuit-board'}) ${label([...new Set([name, arch])].join(' · '))}`;
    this.item.tooltip = [`Occupancy is shown for ${name}: ${ORIGINS[origin] ?? origin}. Click to change.`, ...work].join('\n');
    this.item.command = 'occupancy.pickDevice';
    this.item.backgroundColor = undefined;
    this.item.show();
  }

  private showWithout(): void {
    this.item.text = this.without.text;
    this.item.tooltip = this.without.tooltip;
    this.item.command = this.without.command;
    this.item.backgroundColor = this.without.colour ? new ThemeColor(this.without.colour) : undefined;
    this.item.show();
  }

  /** Puts this device first in the settings, or the one that the user picks. */
  async choose(device?: string): Promise<void> {
    const chosen = device ?? (await this.pick());
    if (chosen) await putFirst(chosen);
  }

  private async pick(): Promise<string | undefined> {
    if (!this.client) return commands.executeCommand('occupancy.restart');
    const devices = await this.client.sendRequest<Device[]>('occupancy/devices', {});
    const picked = await window.showQuickPick(this.items(devices), {
      title: 'Device for Occupancy',
      placeHolder: 'Name, architecture or vendor',
      matchOnDescription: true,
      matchOnDetail: true,
    });
    return picked?.id;
  }

  private items(devices: Device[]): DeviceItem[] {
    const chosen = new Set([this.status?.device, ...chosenDevices()]);
    const [current, others] = [true, false].map((wanted) => devices.filter(({ id }) => chosen.has(id) === wanted));
    const vendors = [...new Set(others.map(({ vendor }) => vendor))];
    return [
      ...section('In use', current),
      ...vendors.flatMap((vendor) =>
        section(
          VENDORS[vendor] ?? vendor,
          others.filter((device) => device.vendor === vendor),
        ),
      ),
    ];
  }
}

function section(label: string, devices: Device[]): DeviceItem[] {
  if (!devices.length) return [];
  return [{ label, kind: QuickPickItemKind.Separator }, ...devices.map(describe)];
}

function describe({ id, name, vendor, arch, computeUnits, unit }: Device): DeviceItem {
  const maker = VENDORS[vendor] ?? vendor;
  const detail = computeUnits ? `${maker} · ${computeUnits} ${unit}${computeUnits === 1 ? '' : 's'}` : maker;
  return { id, label: label(name), description: arch === name ? '' : label(arch), detail };
}

function chosenDevices(): string[] {
  return workspace.getConfiguration('occupancy').get<string[]>('devices', []);
}

async function putFirst(id: string): Promise<void> {
  const target = workspace.workspaceFolders ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
  const devices = [id, ...chosenDevices().filter((other) => other !== id)];
  await workspace.getConfiguration('occupancy').update('devices', devices, target);
}
