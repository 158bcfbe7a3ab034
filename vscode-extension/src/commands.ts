import { execFile } from 'node:child_process';
import { commands, env, ProgressLocation, Uri, window, workspace } from 'vscode';
import { WorkspaceEdit as LspEdit } from 'vscode-languageclient/node';
import { Running } from './session';
import { Texts } from './text';

interface Rule {
  code: string;
  summary: string;
  page: string;
}

interface Stated {
  edit: LspEdit | null;
  fault: string;
}

const NOT_RUNNING = 'The occupancy server is not running.';

/** A rule's page, rendered. */
export async function explainRule(running: Running | undefined): Promise<void> {
  if (!running) return void window.showInformationMessage(NOT_RUNNING);
  const rules = await running.client.sendRequest<Rule[]>('occupancy/rules', {});
  const items = rules.map(({ code, summary, page }) => ({ label: code, description: summary, page }));
  const picked = await window.showQuickPick(items, { title: 'Explain a Rule', matchOnDescription: true });
  if (picked) await commands.executeCommand('markdown.showPreview', Uri.parse(picked.page));
}

/** All that is known of the kernel at the cursor, as Markdown for an issue or a review. */
export async function copyReport(running: Running | undefined): Promise<void> {
  const editor = window.activeTextEditor;
  if (!running || !editor) return void window.showInformationMessage(running ? 'No kernel is open.' : NOT_RUNNING);
  const { line, character } = editor.selection.active;
  const asked = { uri: editor.document.uri.toString(), position: { line, character } };
  const report = await running.client.sendRequest<string | null>('occupancy/report', asked);
  if (!report) return void window.showInformationMessage('Put the cursor into a kernel or on its launch.');
  await env.clipboard.writeText(report);
  window.setStatusBarMessage('Copied the kernel\'s occupancy report', 3000);
}

/** From a link in a hover: asks for what is not known of a kernel, and states it in a comment above. */
export async function state(running: Running | undefined, about: unknown[]): Promise<void> {
  if (!running || about.length !== 4 || !about.every((it) => typeof it === 'string')) return;
  const [uri, kernel, key, title] = about as string[];
  const ask = (value: string) => running.client.sendRequest<Stated | null>('occupancy/state', { uri, kernel, key, value });
  const value = await window.showInputBox({
    title,
    prompt: `Stated in a comment above ${kernel}: // occupancy: ${key}=`,
    validateInput: async (typed) => (typed ? (await ask(typed))?.fault : undefined),
  });
  const edit = value ? (await ask(value))?.edit : undefined;
  if (edit) await workspace.applyEdit(await running.client.protocol2CodeConverter.asWorkspaceEdit(edit));
}

/** What is set up, which counts were found, and what is missing, for the folder of the file. */
export async function doctor(running: Running | undefined, texts: Texts): Promise<void> {
  if (!running) return void window.showInformationMessage(NOT_RUNNING);
  const open = window.activeTextEditor?.document.uri;
  const folder = (open && workspace.getWorkspaceFolder(open)) ?? workspace.workspaceFolders?.[0];
  const path = folder?.uri.fsPath ?? (open?.scheme === 'file' ? open.fsPath : undefined);
  if (!path) return void window.showInformationMessage('Open a folder or a file first.');
  const options = { location: ProgressLocation.Window, title: 'Occupancy: running diagnostics…' };
  const [program, ...args] = running.server.command;
  const text = await window.withProgress(options, () => output(program, [...args, 'doctor', '--', path], running.cwd));
  await texts.show('Occupancy Doctor', text);
}

/** `cwd` is never the workspace, because `python -m` would import modules from there. */
function output(program: string, args: string[], cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, timeout: 120_000, maxBuffer: 1 << 24 }, (error, stdout, stderr) => resolve(stdout || stderr || String(error)));
  });
}
