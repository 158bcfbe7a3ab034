import {
  commands,
  ConfigurationTarget,
  Disposable,
  MarkdownString,
  QuickPickItem,
  QuickPickItemKind,
  StatusBarAlignment,
  TextDocument,
  ThemeColor,
  window,
  workspace,
} from 'vscode';
import { LanguageClient, ProgressToken, WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport } from 'vscode-languageclient/node';
import { concerns } from './concern';
import { label } from './text';

type Progress = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

interface Status {
  device: string;
  name: string;
  arch: string;
  origin: string;
  uncounted: number;
  language: string;
  idle: string[]; // chosen, and none of them runs the language
}

export interface Device {
  id: string;
  name: string;
  vendor: string;
  arch: string;
  computeUnits: number | null;
  unit: string;
}

interface DeviceItem extends QuickPickItem {
  id?: string;
  detect?: true;
  idle?: true; // does not run the language of the file
}

/** A processor of the machine, and the ids of the devices that it may be. */
interface Detected {
  name: string;
  tool: string;
  devices: string[];
}

const DETECT: DeviceItem = { label: "$(search) Detect this machine's devices", detect: true };

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

export function makerOf(vendor: string): string {
  return VENDORS[vendor] ?? vendor;
}

/** What the status bar says where no server runs, in which colour, and what a click does. */
export interface NoServer {
  text: string;
  tooltip: string;
  command: string;
  colour?: string;
  always?: boolean; // whatever file is open
}

export const STARTING: NoServer = {
  text: '$(sync~spin) Occupancy',
  tooltip: 'The occupancy server is starting. Click to show the log.',
  command: 'occupancy.showLog',
  always: true,
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
  always: true,
};

/** The device in the status bar, and the list it opens. */
export class DeviceChoice implements Disposable {
  private readonly item = window.createStatusBarItem('occupancy.device', StatusBarAlignment.Right, 100);
  private readonly listener = window.onDidChangeActiveTextEditor(() => this.refresh());
  private client?: LanguageClient;
  private without = MISSING;
  private status: Status | null = null; // of the file in the editor
  private readonly work = new Map<ProgressToken, string>();
  private readonly titles = new Map<ProgressToken, string>();
  private asked = 0;

  constructor(
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
    this.status = null;
    if (!client) this.work.clear();
    await this.refresh();
  }

  /** Long work of the server: reading the folder, compiling. It may begin before anything else is answered. */
  working(token: ProgressToken, progress: Progress): void {
    if (progress.kind === 'begin') this.titles.set(token, progress.title);
    if (progress.kind === 'end') this.work.delete(token);
    else this.work.set(token, [this.titles.get(token), progress.message].filter(Boolean).join(': '));
    if (this.client || this.work.size) this.show();
  }

  async refresh(): Promise<void> {
    const document = window.activeTextEditor?.document;
    // The log counts as an editor, but reading it is not leaving the file.
    if (document?.uri.scheme === 'output') return;
    const asked = ++this.asked;
    const here = document && concerns(document) ? document : undefined;
    if (!this.client) return here || this.without.always ? this.showWithout() : this.item.hide();
    const uri = here?.uri.toString();
    const status = uri ? await this.client.sendRequest<Status | null>('occupancy/status', { uri }).catch(() => null) : null;
    if (asked !== this.asked) return;
    this.status = status;
    this.show();
    if (here && status) this.seen(this.client, here, status.uncounted);
  }

  /** The device of the file, and what the server is at; nothing where there is neither. */
  private show(): void {
    const work = [...this.work.values()];
    if (!this.status && !work.length) return this.item.hide();
    const { name, arch, origin } = this.status ?? { name: 'Occupancy', arch: 'Occupancy', origin: '' };
    const short = work.length ? [name, ...work.map(briefly)] : [...new Set([name, arch])];
    this.item.text = `$(${work.length ? 'sync~spin' : 'circuit-board'}) ${label(short.join(' · '))}`;
    this.item.tooltip = this.status ? tooltip(name, inVain(this.status) ?? ORIGINS[origin] ?? origin, work) : work.join('\n');
    this.item.command = this.status ? 'occupancy.pickDevice' : 'occupancy.showLog';
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
    const target = chosen && (await where());
    if (target) await putFirst(chosen, target);
  }

  private async pick(): Promise<string | undefined> {
    if (!this.client) return commands.executeCommand('occupancy.restart');
    const document = window.activeTextEditor?.document;
    const uri = document && concerns(document) ? document.uri.toString() : undefined;
    const [devices, run] = await Promise.all([{}, { uri }].map((about) => this.client!.sendRequest<Device[]>('occupancy/devices', about)));
    const picked = await window.showQuickPick(this.items(devices, new Set(run.map(({ id }) => id))), {
      title: 'Device for Occupancy',
      placeHolder: 'Name, architecture or vendor',
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (picked?.idle) void window.showWarningMessage(`${picked.label} does not run ${this.status?.language}: this file stays on ${this.status?.name}.`);
    return picked?.detect ? this.detected(this.client, devices) : picked?.id;
  }

  /** What the machine's own tools name, to pick from. */
  private async detected(client: LanguageClient, devices: Device[]): Promise<string | undefined> {
    const found = await client.sendRequest<Detected[]>('occupancy/detect', {});
    const items = found.flatMap(({ name, tool, devices: ids }) =>
      devices.filter(({ id }) => ids.includes(id)).map((device) => ({ ...describe(device), detail: `${name} (${tool})` })),
    );
    if (items.length) return (await window.showQuickPick(items, { title: "This Machine's Devices" }))?.id;
    const names = found.map(({ name }) => name).join(', ');
    await window.showInformationMessage(
      names ? `No device is known by the name of ${names}.` : 'nvidia-smi, rocminfo, clinfo and sysctl name no device on this machine.',
    );
    return undefined;
  }

  /** Those that run the file's language come before the others, which say so. */
  private items(devices: Device[], run: Set<string>): DeviceItem[] {
    const chosen = new Set([this.status?.device, ...chosenDevices()]);
    const [current, rest] = [true, false].map((wanted) => devices.filter(({ id }) => chosen.has(id) === wanted));
    const [others, idle] = [true, false].map((wanted) => rest.filter(({ id }) => run.has(id) === wanted));
    const vendors = [...new Set(others.map(({ vendor }) => vendor))];
    const why = `does not run ${this.status?.language}`;
    return [
      ...section('In use', current),
      { label: '', kind: QuickPickItemKind.Separator },
      DETECT, // never the first, which Enter takes: it starts programs
      ...vendors.flatMap((vendor) =>
        section(
          makerOf(vendor),
          others.filter((device) => device.vendor === vendor),
        ),
      ),
      ...section(`Do not run ${this.status?.language}`, idle).map((it) => (it.id ? { ...it, detail: `${it.detail} · ${why}`, idle: true as const } : it)),
    ];
  }
}

const LINKS = [
  ['occupancy.openPanel', 'Open panel'],
  ['occupancy.compileFile', 'Compile this file'],
  ['occupancy.showLog', 'Show log'],
  ['occupancy.restart', 'Restart server'],
];

/** Why the file is not shown for what was chosen. */
function inVain({ idle, language }: Status): string | undefined {
  if (!idle.length) return undefined;
  return `${idle.join(', ')} ${idle.length > 1 ? 'are' : 'is'} chosen, but ${idle.length > 1 ? 'do' : 'does'} not run ${language}`;
}

function section(label: string, devices: Device[]): DeviceItem[] {
  if (!devices.length) return [];
  return [{ label, kind: QuickPickItemKind.Separator }, ...devices.map(describe)];
}

function describe({ id, name, vendor, arch, computeUnits, unit }: Device): DeviceItem {
  const maker = makerOf(vendor);
  const detail = computeUnits ? `${maker} · ${computeUnits} ${unit}${computeUnits === 1 ? '' : 's'}` : maker;
  return { id, label: label(name), description: arch === name ? '' : label(arch), detail };
}

function chosenDevices(): string[] {
  return workspace.getConfiguration('occupancy').get<string[]>('devices', []);
}

/** Whose choice it is; of a window without a folder only the user's. */
async function where(): Promise<ConfigurationTarget | undefined> {
  if (!workspace.workspaceFolders) return ConfigurationTarget.Global;
  const hidden = workspace.getConfiguration('occupancy').inspect('devices')?.workspaceValue !== undefined;
  const picked = await window.showQuickPick(
    [
      { label: 'This Workspace', detail: 'In .vscode/settings.json', target: ConfigurationTarget.Workspace },
      {
        label: 'All Workspaces',
        detail: `In your user settings${hidden ? ', which do not apply here: this workspace has a choice of its own' : ''}`,
        target: ConfigurationTarget.Global,
      },
    ],
    { title: 'Use This Device In' },
  );
  return picked?.target;
}

async function putFirst(id: string, target: ConfigurationTarget): Promise<void> {
  const { globalValue, workspaceValue } = workspace.getConfiguration('occupancy').inspect<string[]>('devices') ?? {};
  const before = (target === ConfigurationTarget.Workspace ? (workspaceValue ?? globalValue) : globalValue) ?? [];
  const devices = [id, ...before.filter((other) => other !== id)];
  await workspace.getConfiguration('occupancy').update('devices', devices, target);
}

/** "reading 120/440", of "Occupancy: reading the workspace: 120 of 440 sources". */
function briefly(work: string): string {
  const [, what = 'working', rest = ''] = /^Occupancy: (\w+)(.*)$/s.exec(work) ?? [];
  const count = /\b(\d+) of (\d+)\b/.exec(rest);
  return count ? `${what} ${count[1]}/${count[2]}` : what;
}

function tooltip(name: string, origin: string, work: string[]): MarkdownString {
  const text = new MarkdownString().appendText(`Occupancy is shown for ${name}: ${origin}. Click to change.`);
  for (const it of work) text.appendText(`\n${it}`);
  text.appendMarkdown('\n\n' + LINKS.map(([command, title]) => `[${title}](command:${command})`).join(' · '));
  text.isTrusted = { enabledCommands: LINKS.map(([command]) => command) };
  return text;
}
