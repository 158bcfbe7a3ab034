import { commands, ExtensionContext, window, workspace } from 'vscode';
import { copyReport, doctor, explainRule, state } from './commands';
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
    commands.registerCommand('occupancy.state', (...about) => state(started.running, about)),
    commands.registerCommand('occupancy.showLog', () => log.show()),
    commands.registerCommand('occupancy.installServer', () => started.installServer()),
    commands.registerCommand('occupancy.doctor', () => doctor(started.running, started.texts)),
    commands.registerCommand('occupancy.explainRule', () => explainRule(started.running)),
    commands.registerCommand('occupancy.copyReport', () => copyReport(started.running)),
    workspace.onDidGrantWorkspaceTrust(() => started.renew()),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('occupancy.server')) void started.renew();
    }),
  );
  await started.begin();
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}
