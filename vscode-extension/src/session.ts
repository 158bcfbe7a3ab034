import { basename, join } from 'node:path';
import { ConfigurationTarget, Disposable, ExtensionContext, LogOutputChannel, Uri, commands, languages, window, workspace } from 'vscode';
import {
  CloseAction,
  DidOpenTextDocumentNotification,
  ErrorAction,
  ExecuteCommandSignature,
  LanguageClient,
  RevealOutputChannelOn,
  State,
} from 'vscode-languageclient/node';
import { compilersFolder, Consent } from './compiling';
import { concerns, concernsNow, onlyConcerning, SELECTOR } from './concern';
import { DeviceChoice, ENDED, NoServer, STARTING } from './device';
import { Bundled, bundledServer, install } from './install';
import { Panel } from './panel';
import { findServer, INSTALLED, ownServer, Search, Server, statedCommand, statedPython } from './server';
import { message as plain, Texts } from './text';

// What links in hovers may run.
const LINKED = ['occupancy.openPanel', 'occupancy.pickDevice', 'occupancy.compileFile', 'occupancy.state'];
// Beside those that the client names by itself.
const FOLDS = ['details', 'summary'];

// A server that ends by itself is started again so often within so many milliseconds, as VS Code does of its own.
const MOST_ENDS = 4;
const ENDS_WITHIN = 3 * 60_000;

export interface Running {
  client: LanguageClient;
  server: Server;
  cwd: string;
}

/** What the user is told of a server that cannot be reached is decided in one place: here it is only logged. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** One running server at most, with everything that starts, replaces and explains it. */
export class Session {
  readonly device: DeviceChoice;
  readonly panel: Panel;
  private readonly consent: Consent;
  readonly texts = new Texts();
  private client?: LanguageClient;
  private server?: Server;
  private busy: Promise<void> = Promise.resolve();
  private ends: number[] = [];
  private readonly environment: string;
  private waiting?: Disposable; // for a file that concerns the server

  constructor(
    private readonly context: ExtensionContext,
    private readonly log: LogOutputChannel,
  ) {
    this.environment = join(context.globalStorageUri.fsPath, 'server');
    this.consent = new Consent(context, log, () => this.restart());
    this.device = new DeviceChoice((...seen) => void this.consent.consider(...seen));
    this.panel = new Panel(context.extensionUri);
    context.subscriptions.push(this.panel, workspace.registerTextDocumentContentProvider(Texts.scheme, this.texts));
  }

  /** Starts the server. Python files alone, none of which can have a kernel, start none: it waits for one that can. */
  async begin(): Promise<void> {
    const open = workspace.textDocuments.filter((it) => languages.match(SELECTOR, it));
    if (!open.length || open.some(concerns)) return this.restart();
    this.waiting = Disposable.from(
      workspace.onDidOpenTextDocument((document) => concerns(document) && this.restart()),
      workspace.onDidChangeTextDocument((change) => concernsNow(change) && this.restart()),
    );
    this.context.subscriptions.push(this.waiting);
  }

  /** Restarts what runs, or should. */
  async renew(): Promise<void> {
    if (!this.waiting) await this.restart();
  }

  /** Restarts wait for each other: settings may change while a server is still starting. */
  restart(): Promise<void> {
    this.ends = [];
    this.waiting?.dispose();
    this.waiting = undefined;
    return this.startNext();
  }

  private startNext(): Promise<void> {
    this.busy = this.busy.then(() => this.start()).catch((error) => this.log.error(error));
    return this.busy;
  }

  get running(): Running | undefined {
    return this.client && this.server && { client: this.client, server: this.server, cwd: this.context.extensionPath };
  }

  /** The server that this extension brings along, in place of the one that it installed before. */
  async installServer(): Promise<void> {
    const bundled = await bundledServer(this.context.extensionPath);
    if (bundled) return this.install(bundled);
    const own = ownServer(this.context.extensionPath);
    void window.showInformationMessage(own ? 'The server is part of this extension, and is updated with it.' : 'This package of Occupancy has no server to install.');
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await commands.executeCommand('setContext', 'occupancy.running', false);
    await client?.dispose().catch((error) => this.log.warn(error));
  }

  private async start(): Promise<void> {
    await this.stop();
    await this.follow(undefined, STARTING);
    const search = await findServer(this.environment, this.context.extensionPath);
    for (const failure of search.failures) this.log.info(failure);
    this.server = search.server;
    if (search.server) {
      try {
        this.client = await this.connect(search.server);
      } catch (error) {
        this.log.error(error as Error);
        return this.ended();
      }
      // It may have ended before anybody listened.
      if (this.client.state === State.Stopped) return this.ended();
    } else void this.explain(search);
    await this.follow(this.client);
    if (search.server?.source === INSTALLED) void this.offerUpdate(search.server.version);
  }

  /** The server has ended, and nobody asked it to. */
  private ended(): void {
    const now = Date.now();
    this.client = undefined;
    this.ends = [...this.ends.filter((at) => now - at < ENDS_WITHIN), now];
    if (this.ends.length <= MOST_ENDS) {
      this.log.warn('the server ended and is being restarted');
      void this.startNext();
    } else {
      this.log.error(`the server ended ${this.ends.length} times and will not be restarted`);
      void this.follow(undefined, ENDED);
    }
  }

  private async follow(client?: LanguageClient, without?: NoServer): Promise<void> {
    // A client has one handler for a notification.
    client?.onNotification('occupancy/statusChanged', () => {
      void this.device.refresh();
      this.panel.soon();
    });
    await this.device.follow(client, without);
    await this.panel.follow(client);
  }

  private async connect({ command: [program, ...args], version }: Server): Promise<LanguageClient> {
    this.log.info(`starting occupancy-lsp ${version}: ${[program, ...args].join(' ')}`);
    const client: LanguageClient = new QuietClient(
      'occupancy',
      'Occupancy',
      {
        command: program,
        args: [...args, 'serve', '--stdio'],
        options: { cwd: this.context.extensionPath, env: { ...process.env, OCCUPANCY_COMPILERS: compilersFolder(this.context) } },
      },
      {
        documentSelector: SELECTOR,
        outputChannel: this.log,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        // Links of the server's texts may run these, and no others.
        markdown: { isTrusted: { enabledCommands: LINKED }, supportHtml: true },
        // What follows from an end is decided in one place, by a client of its own.
        errorHandler: {
          error: () => ({ action: ErrorAction.Continue, handled: true }),
          closed: () => ({ action: CloseAction.DoNotRestart, handled: true, message: 'the connection is closed' }),
        },
        initializationFailedHandler: () => false,
        middleware: {
          ...onlyConcerning((document) =>
            client.sendNotification(DidOpenTextDocumentNotification.type, client.code2ProtocolConverter.asOpenTextDocumentParams(document)),
          ),
          executeCommand: (command, given, next) => this.execute(command, given, next),
          handleWorkDoneProgress: (token, params, next) => {
            this.device.working(token, params);
            next(token, params);
          },
          workspace: {
            configuration: async (params, token, next) =>
              this.consent.respecting(
                await next(params, token),
                params.items.map((it) => it.scopeUri),
              ),
          },
        },
      },
    );
    client.registerFeature({
      // VS Code shows images of data URIs in hovers, and has the panel; the protocol has no words for that.
      fillClientCapabilities: (capabilities) => {
        capabilities.experimental = { ...capabilities.experimental, occupancyPictures: true, occupancyPanel: true, occupancyCommands: true };
        capabilities.general?.markdown?.allowedTags?.push(...FOLDS);
      },
      initialize: () => undefined,
      getState: () => ({ kind: 'static' }),
      clear: () => undefined,
    });
    await client.start();
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped && this.client === client) this.ended();
    });
    await commands.executeCommand('setContext', 'occupancy.running', true);
    void this.introduce(client);
    return client;
  }

  /** What whoever opens the log wants to know first. An older server has nothing to say of that. */
  private async introduce(client: LanguageClient): Promise<void> {
    const lines = await client.sendRequest<string[]>('occupancy/about').catch(() => []);
    for (const line of lines) this.log.info(line);
  }

  /** A command of the server, from the palette or from a code action. */
  private async execute(command: string, given: any[], next: ExecuteCommandSignature): Promise<unknown> {
    // The choice belongs into the settings, where it lasts and can be changed again.
    if (command === 'occupancy.selectDevice') return this.device.choose(given[0]);
    const compiles = command.startsWith('occupancy.compile') || command === 'occupancy.tryBounds';
    if (!compiles && command !== 'occupancy.showCompilation') return next(command, given);
    if (!workspace.isTrusted) return void window.showWarningMessage('Occupancy compiles nothing of a workspace that is not trusted.');
    const editor = window.activeTextEditor;
    const uri = given[0] ?? editor?.document.uri.toString();
    // A code action names the kernel; from the palette it is the one at the cursor.
    const kernel = command === 'occupancy.tryBounds' ? [given[1] ?? editor?.selection.active.line] : [];
    const said = await next(command, uri ? [uri, ...kernel] : []);
    if (command === 'occupancy.showCompilation' && uri) {
      if (said) await this.texts.show(`How ${basename(Uri.parse(uri).path)} is compiled`, String(said));
      else void window.showInformationMessage('Occupancy compiles nothing of this file.');
    }
    return said;
  }

  private async explain({ failures }: Search): Promise<void> {
    const bundled = await bundledServer(this.context.extensionPath);
    const remedies = statedCommand().length
      ? ['Open Settings']
      : [...(bundled ? ['Install Server'] : []), 'Choose Python…'];
    const own = ownServer(this.context.extensionPath) !== undefined;
    const buttons = [...remedies, 'Show Log'];
    // Nothing has gone wrong at a first start.
    const show = statedCommand().length || statedPython() ? window.showErrorMessage : window.showInformationMessage;
    const choice = await show(plain(whyNoServer(failures, own)), ...buttons);
    if (choice === 'Install Server' && bundled) await this.install(bundled);
    if (choice === 'Open Settings') void commands.executeCommand('workbench.action.openSettings', 'occupancy.server');
    if (choice === 'Choose Python…') await choosePython();
    if (choice === 'Show Log') this.log.show();
  }

  private async offerUpdate(version: string): Promise<void> {
    const bundled = await bundledServer(this.context.extensionPath);
    if (!bundled || basename(bundled.wheel).startsWith(`occupancy_lsp-${version}-`)) return;
    const message = `This version of Occupancy includes a newer server than the installed ${version}.`;
    if (await window.showInformationMessage(message, 'Install Server')) await this.install(bundled);
  }

  private async install(bundled: Bundled): Promise<void> {
    await this.stop();
    const again = () => void this.install(bundled);
    await ((await install(bundled, this.environment, this.log, again)) ? this.restart() : this.follow());
  }
}

function whyNoServer([first]: string[], brought: boolean): string {
  if (statedCommand().length || (statedPython() && !brought)) return `Occupancy cannot start its server: ${first}.`;
  if (!brought) return 'Occupancy needs its server: install it, or choose a Python environment that has occupancy-lsp.';
  if (statedPython()) return 'Occupancy cannot run its server with the Python in occupancy.server.python: it needs Python 3.10 to 3.14.';
  return 'Occupancy needs Python 3.10 to 3.14 to run its server, and found none. Install Python, or choose where it is.';
}

async function choosePython(): Promise<void> {
  const [python] = (await window.showOpenDialog({ title: 'Python to run the Occupancy server with', openLabel: 'Choose' })) ?? [];
  const settings = workspace.getConfiguration('occupancy.server');
  if (python) await settings.update('python', python.fsPath, ConfigurationTarget.Global);
}
