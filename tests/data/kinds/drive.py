"""Runs the product of the tree in PYTHONPATH on each case folder, one fork for each: drive.py OUT DIR..."""
import contextlib, resource, io, json, os, sys
from pathlib import Path
from occupancy_lsp.cli.main import main
import occupancy_lsp
out, dirs = Path(sys.argv[1]), sys.argv[2:]
print(occupancy_lsp.__file__)
for argv in (['kernels', '--format', 'jsonl', str(__import__('pathlib').Path(__file__).parent / 'warm')], ['check', '--jobs', '1', '--format', 'json', str(__import__('pathlib').Path(__file__).parent / 'warm')]):
    with contextlib.redirect_stdout(io.StringIO()):
        try: sys.argv = ['occupancy-lsp', *argv]; main()
        except SystemExit: pass
import gc
gc.freeze()
for d in dirs:
    key = '+'.join(Path(d).parts[-2:])
    for what, argv in (('kernels', ['kernels', '--format', 'jsonl', d]), ('check', ['check', '--jobs', '1', '--format', 'json', d])):
        pid = os.fork()
        if not pid:
            resource.setrlimit(resource.RLIMIT_CPU, (20, 25))
            o = os.open(out / f'{key}.{what}', os.O_WRONLY | os.O_CREAT | os.O_TRUNC); e = os.open(out / f'{key}.{what}.err', os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(o, 1); os.dup2(e, 2)
            try:
                sys.argv = ['occupancy-lsp', *argv]
                try: r = main()
                except TypeError: r = main(argv)
                sys.stdout.flush(); os._exit(r or 0)
            except SystemExit as x: sys.stdout.flush(); os._exit(x.code if isinstance(x.code, int) else 3)
            except BaseException:
                import traceback; traceback.print_exc(); sys.stderr.flush(); os._exit(9)
        _, st = os.waitpid(pid, 0)
        if os.WIFSIGNALED(st): (out / f'{key}.{what}.err').write_text(f'stopped after 20 s of processor time (signal {os.WTERMSIG(st)})')
