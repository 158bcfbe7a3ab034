import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { workspace } from 'vscode';

export interface Server {
  command: string[];
  version: string;
  source: string;
}

export const INSTALLED = 'installed by this extension';

export interface Search {
  server?: Server;
  failures: string[];
}

export function statedCommand(): string[] {
  return workspace.getConfiguration('occupancy.server').get<string[]>('command', []);
}

export function statedPython(): string {
  return workspace.getConfiguration('occupancy.server').get<string>('python', '');
}

export function environmentPython(environment: string): string {
  return process.platform === 'win32'
    ? join(environment, 'Scripts', 'python.exe')
    : join(environment, 'bin', 'python');
}

/** A stated command stands alone: it is never replaced silently. */
function candidates(environment: string): Omit<Server, 'version'>[] {
  const command = statedCommand();
  if (command.length) return [{ command, source: 'occupancy.server.command' }];
  const python = statedPython();
  const chosen = python ? [{ command: [python, '-m', 'occupancy_lsp'], source: 'occupancy.server.python' }] : [];
  return [
    ...chosen,
    { command: ['occupancy-lsp'], source: 'PATH' },
    { command: [environmentPython(environment), '-m', 'occupancy_lsp'], source: INSTALLED },
  ];
}

export async function findServer(environment: string, cwd: string): Promise<Search> {
  const failures: string[] = [];
  for (const { command, source } of candidates(environment)) {
    try {
      return { server: { command, source, version: await askVersion(command, cwd) }, failures };
    } catch (error) {
      failures.push(`${command.join(' ')} (${source}): ${(error as Error).message}`);
    }
  }
  return { failures };
}

/**
 * Any program can carry the name; only one that says what it is gets started.
 * `cwd` is never the workspace, because `python -m` would import modules from there.
 */
function askVersion([program, ...args]: string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, [...args, '--version'], { cwd, timeout: 15_000 }, (error, stdout, stderr) => {
      const version = /^occupancy-lsp (\d+\.\d+\.\S+)/m.exec(stdout)?.[1];
      if (!error && version) resolve(version);
      else reject(new Error(reason(error, stderr)));
    });
  });
}

function reason(error: (Error & { code?: unknown; killed?: boolean }) | null, stderr: string): string {
  if (!error) return 'is not occupancy-lsp';
  if (error.code === 'ENOENT') return 'not found';
  if (error.killed) return 'no answer in 15 s';
  return stderr.trim().split('\n').pop() || `failed with ${error.code}`;
}
