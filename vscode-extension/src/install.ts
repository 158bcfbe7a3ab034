import { spawn } from 'node:child_process';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CancellationToken, LogOutputChannel, ProgressLocation, window } from 'vscode';
import { environmentPython, PYTHONS, statedPython } from './server';
import { message as plain } from './text';

/** What the extension brings along: the server itself, and which versions of which packages it needs, with their hashes. */
export interface Bundled {
  wheel: string;
  requirements: string;
}

export async function bundledServer(extensionPath: string): Promise<Bundled | undefined> {
  const folder = join(extensionPath, 'bundled');
  const names = await readdir(folder).catch(() => []);
  const wheel = names.find((name) => name.endsWith('.whl'));
  return wheel ? { wheel: join(folder, wheel), requirements: join(folder, 'requirements.txt') } : undefined;
}

/** Builds `environment` from them; false when it failed or the user stopped it, and then nothing is left. `again` is *Retry*. */
export async function install(
  { wheel, requirements }: Bundled,
  environment: string,
  log: LogOutputChannel,
  again: () => void,
): Promise<boolean> {
  return build('server', environment, log, again, async (run, pip) => {
    await run(...pip, ...LOCKED, '--requirement', requirements);
    await run(...pip, '--no-deps', '--no-index', wheel);
  });
}

/** The same for a compiler, which needs nothing else. */
export async function installCompiler(
  requirements: string,
  environment: string,
  log: LogOutputChannel,
  again: () => void,
): Promise<boolean> {
  return build('compiler', environment, log, again, (run, pip) => run(...pip, '--no-deps', ...LOCKED, '--requirement', requirements));
}

// Wheels alone: building one would run what nobody has looked at.
const LOCKED = ['--require-hashes', '--only-binary', ':all:'];

type Run = (program: string, ...args: string[]) => Promise<void>;
type Command = [string, ...string[]];

async function build(
  what: string,
  environment: string,
  log: LogOutputChannel,
  again: () => void,
  fill: (run: Run, pip: Command) => Promise<void>,
): Promise<boolean> {
  const options = { location: ProgressLocation.Notification, title: `Occupancy ${what}`, cancellable: true };
  return window.withProgress(options, async (progress, stop) => {
    const run: Run = (program, ...args) => runLogged(program, args, dirname(environment), log, stop);
    try {
      await mkdir(dirname(environment), { recursive: true });
      progress.report({ message: 'creating a Python environment…' });
      await run(await findPython(run), '-m', 'venv', '--clear', environment);
      progress.report({ message: 'installing packages…' });
      await fill(run, [environmentPython(environment), '-m', 'pip', 'install', '--disable-pip-version-check']);
      return true;
    } catch (error) {
      await rm(environment, { recursive: true, force: true });
      if (!stop.isCancellationRequested) void explain(what, error as Error, log, again);
      return false;
    }
  });
}

async function findPython(run: Run): Promise<string> {
  const stated = statedPython();
  for (const python of stated ? [stated] : PYTHONS) {
    const works = await run(python, '-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))').then(
      () => true,
      () => false,
    );
    if (works) return python;
  }
  throw new Error(`${stated || 'no Python found that'} is not Python 3.10 or newer with venv`);
}

async function explain(what: string, error: Error, log: LogOutputChannel, again: () => void): Promise<void> {
  log.error(error.message);
  const choice = await window.showErrorMessage(
    plain(`Occupancy could not install its ${what}: ${error.message}.`),
    'Retry',
    'Show Log',
  );
  if (choice === 'Retry') again();
  if (choice === 'Show Log') log.show();
}

// What pip, or what it is made of, says where it gets no answer.
const UNREACHABLE = /connection broken by|Max retries exceeded|Could not fetch URL|Failed to establish a new connection|timed out/;
const NO_INDEX = 'the package index cannot be reached. Check the network connection, and the proxy or index that pip is set up with';

function runLogged(
  program: string,
  args: string[],
  cwd: string,
  log: LogOutputChannel,
  stop: CancellationToken,
): Promise<void> {
  log.info([program, ...args].join(' '));
  let unreachable = false;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const stopping = stop.onCancellationRequested(() => child.kill());
    const hear = (text: unknown) => {
      unreachable ||= UNREACHABLE.test(String(text));
      log.info(String(text).trimEnd());
    };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', hear);
    child.once('error', reject);
    child.once('close', (code) => {
      stopping.dispose();
      if (code === 0) resolve();
      else reject(new Error(unreachable ? NO_INDEX : `${program} ${args.slice(0, 2).join(' ')} failed`));
    });
  });
}
