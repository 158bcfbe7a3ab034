import { commands, ExtensionContext, window, workspace } from 'vscode';
import { openPanel } from './panel';
import { Session } from './session';

let session: Session | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const log = window.createOutputChannel('Occupancy', { log: true });
  const started = (session = new Session(context, log));
  context.subscriptions.push(
    log,
    started.device,
    commands.registerCommand('occupancy.restart', () => started.restart()),
    commands.registerCommand('occupancy.pickDevice', () => started.device.choose()),
    commands.registerCommand('occupancy.openPanel', openPanel),
    commands.registerCommand('occupancy.showLog', () => log.show()),
    workspace.onDidGrantWorkspaceTrust(() => started.restart()),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('occupancy.server')) void started.restart();
    }),
  );
  await started.restart();
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}
