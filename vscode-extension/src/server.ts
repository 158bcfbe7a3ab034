import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
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

/** The interpreters to try where none is stated. An older Python may have the first names. */
export const PYTHONS = ['python3', 'python', 'py', ...['3.14', '3.13', '3.12', '3.11', '3.10'].map((version) => `python${version}`)];

/** The server that a package for one platform has in it, with all that it needs but Python. */
export function ownServer(extensionPath: string): string | undefined {
  const folder = join(extensionPath, 'bundled', 'server');
  return existsSync(folder) ? folder : undefined;
}

/** A stated command stands alone: it is never replaced silently. */
function candidates(environment: string, extensionPath: string): Omit<Server, 'version'>[] {
  const command = statedCommand();
  if (command.length) return [{ command, source: 'occupancy.server.command' }];
  const python = statedPython();
  const chosen = python ? [{ command: [python, '-m', 'occupancy_lsp'], source: 'occupancy.server.python' }] : [];
  const own = ownServer(extensionPath);
  // Isolated, so that no module of the user's takes the place of one of the server's.
  const bundled = own ? (python ? [python] : PYTHONS).map((it) => ({ command: [it, '-I', own], source: 'in this extension' })) : [];
  return [
    ...chosen,
    ...bundled,
    { command: ['occupancy-lsp'], source: 'PATH' },
    { command: [environmentPython(environment), '-m', 'occupancy_lsp'], source: INSTALLED },
  ];
}

/** The extension's folder is also where servers run, never the workspace: `python -m` would import modules from there. */
export async function findServer(environment: string, extensionPath: string): Promise<Search> {
  const failures: string[] = [];
  for (const { command, source } of candidates(environment, extensionPath)) {
    try {
      return { server: { command, source, version: await askVersion(command, extensionPath) }, failures };
    } catch (error) {
      failures.push(`${command.join(' ')} (${source}): ${(error as Error).message}`);
    }
  }
  return { failures };
}

/** Any program can carry the name; only one that says what it is gets started. */
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
