import { basename, join } from 'node:path';
import { ConfigurationTarget, ExtensionContext, LogOutputChannel, commands, window, workspace } from 'vscode';
import { LanguageClient, RevealOutputChannelOn } from 'vscode-languageclient/node';
import { DeviceChoice } from './device';
import { bundledWheel, install } from './install';
import { findServer, INSTALLED, Search, Server, statedCommand, statedPython } from './server';

const SELECTOR = [
  ...['cuda-cpp', 'cuda', 'hip', 'opencl'].map((language) => ({ language })),
  { pattern: '**/*.{cu,cuh,hip,hip.cpp,cl,clh,ocl}' },
  { pattern: '**/*.occupancy.yaml' },
];

/** One running server at most, with everything that starts, replaces and explains it. */
export class Session {
  readonly device = new DeviceChoice(SELECTOR);
  private client?: LanguageClient;
  private busy: Promise<void> = Promise.resolve();
  private readonly environment: string;

  constructor(
    private readonly context: ExtensionContext,
    private readonly log: LogOutputChannel,
  ) {
    this.environment = join(context.globalStorageUri.fsPath, 'server');
  }

  /** Restarts wait for each other: settings may change while a server is still starting. */
  restart(): Promise<void> {
    this.busy = this.busy.then(() => this.start()).catch((error) => this.log.error(error));
    return this.busy;
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose().catch((error) => this.log.warn(error));
  }

  private async start(): Promise<void> {
    await this.stop();
    const search = await findServer(this.environment, this.context.extensionPath);
    for (const failure of search.failures) this.log.info(failure);
    try {
      if (search.server) this.client = await this.connect(search.server);
      else void this.explain(search);
    } finally {
      await this.device.follow(this.client);
    }
    if (search.server?.source === INSTALLED) void this.offerUpdate(search.server.version);
  }

  private async connect({ command: [program, ...args], version }: Server): Promise<LanguageClient> {
    this.log.info(`starting occupancy-lsp ${version}: ${[program, ...args].join(' ')}`);
    const client = new LanguageClient(
      'occupancy',
      'Occupancy',
      { command: program, args: [...args, 'serve', '--stdio'], options: { cwd: this.context.extensionPath } },
      {
        documentSelector: SELECTOR,
        outputChannel: this.log,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        middleware: {
          // The choice belongs into the settings, where it lasts and can be changed again.
          executeCommand: (command, given, next) =>
            command === 'occupancy.selectDevice' ? this.device.choose(given[0]) : next(command, given),
          workspace: { configuration: async (params, token, next) => distrusting(await next(params, token)) },
        },
      },
    );
    await client.start();
    return client;
  }

  private async explain({ failures }: Search): Promise<void> {
    const wheel = await bundledWheel(this.context.extensionPath);
    const remedies = statedCommand().length
      ? ['Open Settings']
      : [...(wheel ? ['Install Server'] : []), 'Choose Python…'];
    const message = statedCommand().length || statedPython()
      ? `Occupancy cannot start its server: ${failures[0]}.`
      : 'Occupancy found no server. Install it, or choose a Python that has occupancy-lsp.';
    const choice = await window.showErrorMessage(message, ...remedies, 'Show Log');
    if (choice === 'Install Server' && wheel) await this.install(wheel);
    if (choice === 'Open Settings') void commands.executeCommand('workbench.action.openSettings', 'occupancy.server');
    if (choice === 'Choose Python…') await choosePython();
    if (choice === 'Show Log') this.log.show();
  }

  private async offerUpdate(version: string): Promise<void> {
    const wheel = await bundledWheel(this.context.extensionPath);
    if (!wheel || basename(wheel).startsWith(`occupancy_lsp-${version}-`)) return;
    const message = `This version of Occupancy brings a newer server than the installed ${version}.`;
    if (await window.showInformationMessage(message, 'Install Server')) await this.install(wheel);
  }

  private async install(wheel: string): Promise<void> {
    await this.stop();
    await ((await install(wheel, this.environment, this.log)) ? this.restart() : this.device.follow());
  }
}

/** What the server is told: nothing is compiled of a workspace that is not trusted. */
function distrusting<T>(told: T): T {
  if (workspace.isTrusted || !Array.isArray(told)) return told;
  return told.map((section) => (section ? { ...section, compile: 'off' } : section)) as T;
}

async function choosePython(): Promise<void> {
  const [python] = (await window.showOpenDialog({ title: 'Python that has occupancy-lsp', openLabel: 'Choose' })) ?? [];
  const settings = workspace.getConfiguration('occupancy.server');
  if (python) await settings.update('python', python.fsPath, ConfigurationTarget.Global);
}
