import tempfile
"""Holds the answers of a tree's product against truth: judge.py TREE [-k PREFIX] [-v] [--table]"""
import collections, json, os, re, shutil, subprocess, sys
from pathlib import Path
R = Path(__file__).resolve().parent
tree = Path(sys.argv[1]).resolve()
only = sys.argv[sys.argv.index('-k') + 1] if '-k' in sys.argv else ''
OUT = Path(tempfile.gettempdir()) / 'kinds' / ('out-' + '-'.join(tree.parts[-2:]))
FAIL_SEV = 'error'

def demangle(names):
    p = subprocess.run(['c++filt', *names], capture_output=True, text=True) if names else None
    return dict(zip(names, p.stdout.splitlines())) if names else {}

def strip_parameters(s):
    """`void a::k<P<64> >(float*)` -> (`a::k`, `P<64>`)"""
    s = re.sub(r'^void ', '', s)
    depth = 0; cut = len(s); lt = None
    for i, c in enumerate(s):
        if c == '<': depth += 1; lt = i if lt is None else lt
        elif c == '>': depth -= 1
        elif c == '(' and not depth and not s[i:].startswith('(anonymous'): cut = i; break
    s = s[:cut]
    return (s[:lt], s[lt + 1:s.rindex('>')].strip()) if lt is not None else (s, '')

def norm(a): return re.sub(r'\s|\(int\)|(?<=\d)[uUlL]+', '', a or '')

def prod(v):
    n = 1
    for x in v: n *= x
    return n

def occupancy(threads, regs, smem):
    """H100's blocks and percent."""
    warps = -(-threads // 32); per = -(-regs * 32 // 256) * 256
    by_regs = (65536 // 4 // per) * 4 // warps if regs else 32
    s = -(-(smem + 1024) // 128) * 128
    blocks = min(32, 64 // warps, by_regs, 233472 // s)
    return blocks, blocks * warps / 64 * 100

class Case:
    def __init__(self, kind, name, truth):
        self.kind, self.name, self.t, self.meta = kind, name, truth, truth['meta']
        self.told = set(); self.lost = []
        self.compared = self.stated = 0; self.wrong = []; self.missing = []; self.false = []; self.notes = []
        self.dir = R / kind / name
        self.cuda = truth['ext'] == 'cu'
    def figure(self, stated, bad=None, about=None):
        """Counts one figure. The same thing told wrongly in several places (about) is one wrong figure."""
        self.compared += 1; self.stated += bool(stated or bad)
        if bad and (about is None or about not in self.told): self.wrong.append(bad)
        if bad and about: self.told.add(about)

    def read(self):
        f = lambda w: (OUT / f'{self.kind}+{self.name}.{w}')
        self.ks = [json.loads(l) for l in f('kernels').read_text().splitlines() if l.startswith('{')]
        try: self.ck = json.loads(f('check').read_text())
        except ValueError: self.ck = {'files': []}; self.wrong.append('no answer of check: ' + f('check.err').read_text()[-300:])
        if f('check.err').read_text().strip(): self.notes.append('stderr ' + f('check.err').read_text()[:200])
        self.findings = [{**g, 'path': x['path']} for x in self.ck['files'] for g in x['findings']]

    def judge(self):
        self.read()
        t = self.t
        names = {n.split('@')[0] for n in t['kernels']} | {l[0] for l in t['launches']}
        self.dm = demangle(sorted(names)) if t['ext'] != 'cl' else {n: n for n in names}
        self.truth = collections.defaultdict(list)      # qualified name -> [(arguments, facts, launches)]
        for n, facts in t['kernels'].items():
            m = n.split('@')[0]; q, a = strip_parameters(self.dm[m])
            ls = {(tuple(map(int, l[1:4])), int(l[4])) for l in t['launches'] if l[0] == m}
            self.truth[q.replace('(anonymous namespace)::', '')].append((a, facts, ls, self.dm[m]))
        self.failing = self.fails()
        if self.meta.get('nocompile'): return self.judge_findings()
        if t['ext'] != 'py': self.judge_kernels()
        self.judge_check(); self.judge_findings()

    def of(self, product_name):
        """Truth entries a product's kernel may stand for."""
        p = re.sub(r'<.*', '', product_name or '').removeprefix('::')
        hits = {q: v for q, v in self.truth.items() if q == p or q.endswith('::' + p)}
        if len(hits) > 1 and p in hits and any('::' in (k['name'] or '') for k in self.ks): hits = {p: hits[p]}
        return hits

    def judge_kernels(self):
        seen = collections.Counter()
        attributed = {(Path(l['file']).name, l['line']) for k in self.ks if k['name'] for l in k['launches'] if 'file' in l}
        elsewhere = [l for k in self.ks if k['name'] is None for l in k['launches'] if (Path(k['file']).name, l['line']) not in attributed]
        for k in self.ks:
            if k['name'] is None: continue
            hits = self.of(k['name']); k['launches'] = k['launches'] + [l for l in elsewhere if (l['kernel'] or '').split('::')[-1] == k['name'].split('::')[-1]]
            if not hits:
                self.figure(True, f"kernel {k['name']} is in no build (builds: {sorted(self.truth)})"); continue
            for q in hits: seen[q] += 1
            entries = [e for v in hits.values() for e in v]
            # overloads and equal names in namespaces: the one that contradicts least
            groups = collections.defaultdict(list)
            for q, v in hits.items():
                for e in v: groups[e[3] if not e[0] else q].append(e)
            told = sum(set(self.of(x['name'])) & set(hits) != set() for x in self.ks if x['name'])
            if told < len(groups):
                if k is next(x for x in self.ks if x['name'] and set(self.of(x['name'])) & set(hits)): self.figure(True, f"{len(groups)} kernels {sorted(groups)} are told as {told}")
                groups = {'all': entries}
            if told > len(groups):   # full specialisations are told beside their template: each has one instance, it the others
                for e in entries:
                    groups[e[3], 'alone'] = [e]; groups[e[3], 'without'] = [x for x in entries if x is not e] or [e]
            self.least([lambda probe, g=g: probe.kernel(k, g) for g in groups.values()])
        for q, v in self.truth.items():
            self.figure(True, None if seen[q] else f'kernel {q} is missing')

    def least(self, ways):
        """Judge in the way that contradicts least."""
        best = None
        for way in ways:
            probe = Case(self.kind, self.name, self.t); probe.cuda = self.cuda; probe.lost = [*self.lost]; probe.told = {*self.told}; probe.failing = self.failing
            way(probe)
            if best is None or len(probe.wrong) < len(best.wrong): best = probe
        self.compared += best.compared; self.stated += best.stated; self.notes += best.notes; self.lost = best.lost
        self.wrong += best.wrong; self.told |= best.told

    def kernel(self, k, es):
        nm = k['name']
        sh = [self.smem(nm, e) for e in es]; flat = [x for s in sh for x in s]
        def shared(c, ss, where):
            lo, hi = c['shared'].get('lowest'), c['shared'].get('highest')
            for s in ss:   # each instance: some accepted value lies in the range
                bad = lo is not None and max(s) < lo or hi is not None and min(s) > hi
                self.figure(lo is not None and lo == hi, f"{where}: static shared {lo}..{hi}, true {s[0]}" if bad else None, (nm, 'static'))
        insts = k.get('instances') or []
        shared(k, sh, nm)
        used = set()
        for i in insts:
            a = norm(i['arguments']); m = [e for e in es if norm(e[0]) == a] or (es if len(es) == 1 else [])
            if not m:
                m = [e for e in es if norm(e[0]).startswith(a) or a.startswith(norm(e[0]))]
            if not m: self.notes.append(f'instance {nm}<{a}> not matched to {[e[0] for e in es]}'); continue
            used |= {e[3] for e in m}
            shared(i, [self.smem(nm, e) for e in m], f'{nm}<{a}>'); self.bounds(i, m, f'{nm}<{a}>')
        if not insts or not k['template']: self.bounds(k, es, nm)
        elif k['template'] and insts:
            for e in es:
                if e[3] not in used: self.notes.append(f'instance <{e[0]}> not listed')
        self.launches(k, es)

    def smem(self, nm, e):
        also = self.meta.get('smem_also', {}).get(nm)
        return also or [e[1]['smem']]

    def bounds(self, c, es, where):
        b = c.get('bounds') or {}
        val = lambda x: x.get('value') if isinstance(x, dict) else x
        mt, mb = b.get('max_threads'), b.get('min_blocks')
        for a, f, ls, full in es:
            if 'maxwg' in f and self.t['ext'] == 'cl': true = None
            elif 'maxwg' in f: true = None if f['maxwg'] == 1024 else f['maxwg']
            else: true = prod(f['maxntid']) if 'maxntid' in f else None
            if self.t['ext'] != 'cl' and '--gpu-max-threads-per-block=256' not in self.meta.get('flags', []):
                v = val(mt)
                if self.meta.get('bounds_field') is False: pass
                elif mt is None: self.figure(True, f'{where}: no bounds, true {true}' if true else None)
                elif v is None: self.figure(False)
                else: self.figure(True, f'{where}: bounds {v}, true {true}' if v != (true or (1024 if self.t["ext"] == "hip" else None)) else None)
            if self.cuda and mt is not None:
                tb = (f.get('minnctapersm') or [None])[0]; v = val(mb)
                if mb is None: self.figure(True, f'{where}: no minimum of blocks, true {tb}' if tb else None)
                elif v is None: self.figure(False)
                else: self.figure(True, f'{where}: {v} blocks, true {tb}' if v != tb else None)
            if self.cuda:
                mr = c.get('max_registers'); tr = (f.get('maxnreg') or [None])[0]; v = val(mr)
                if mr is None: self.figure(True, f'{where}: no cap, true maxnreg {tr}' if tr else None)
                elif v is None: self.figure(False)
                else: self.figure(True, f'{where}: cap {v}, true {tr}' if v != tr and {v, tr} not in ({10, 24}, {255, 300}, {64, 70}, {72, 70}) else None)
            req = f.get('reqntid') or f.get('reqd'); bs = c.get('block_size'); v = val(bs)
            if req or bs:
                if bs is None: self.figure(True, f'{where}: no fixed size, true {req}')
                elif v is None: self.figure(False)
                else: self.figure(True, f'{where}: fixed size {v}, true {req}' if not req or v != prod(req) else None)

    def launches(self, k, es):
        if self.meta.get('norun'): return
        true = {(x, full) for a, f, ls, full in es for x in ls}
        pairs = {x for x, _ in true}; nm = k['name']
        claims = [l for l in k['launches'] if l['kernel']]
        exact, dims_exact, open_ = set(), set(), False
        for l in claims:
            b = l.get('block') or {}; d = b.get('dimensions'); v = b.get('value'); dy = (l.get('dynamic_shared') or {}).get('value')
            at = f"{nm} at line {l.get('line')}"; dims = sorted({t[0] for t in pairs}); block, dyn = (nm, 'block'), (nm, 'dynamic')
            if d and all(x is not None for x in d):
                d = tuple(d); dims_exact.add(d); ok = any(t[0] == d for t in pairs)
                self.figure(True, None if ok else f'{at}: block {d}, true {dims}', block)
                if dy is not None and ok:
                    self.figure(True, None if (d, dy) in pairs else f'{at}: dynamic {dy}, true {sorted(t[1] for t in pairs if t[0] == d)}', dyn)
                    exact.add((d, dy))
                elif dy is None: self.figure(False); exact |= {t for t in pairs if t[0] == d}
            else:
                open_ = True
                if v is not None: self.figure(True, None if any(prod(t[0]) == v for t in pairs) else f'{at}: {v} threads, true {dims}', block)
                else:
                    bad = d and not any(all(x is None or x == y for x, y in zip(d, t[0])) for t in pairs)
                    self.figure(False, f'{at}: block {d}, true {dims}' if bad else None, block)
                if dy is not None: self.figure(True, None if any(t[1] == dy for t in pairs) else f'{at}: dynamic {dy}, true {sorted({t[1] for t in pairs})}', dyn)
                elif l.get('dynamic_shared'): self.figure(False)
        if pairs and not claims: self.lost.append((nm, f'no launch told, true {sorted(pairs)}')); self.figure(False)
        elif not open_:
            for x in sorted(pairs - exact):
                self.figure(True, f'{nm}: a launch {x} is not told, told {sorted(exact)}', (nm, 'block') if x[0] not in dims_exact else (nm, 'dynamic'))

    def judge_check(self):
        for f in self.ck['files']:
            for k in f['kernels']:
                hits = self.of(k['name']); es = [e for v in hits.values() for e in v]
                if not es and self.t['ext'] != 'py': continue
                if len(hits) > 1 or len({e[3] for e in es if not e[0]}) > 1: self.notes.append(f"{k['name']}: check's figures not judged (several of the name)"); continue
                for o in k['on']:
                    if self.meta.get('cuda_default') and o is not k['on'][0]: continue
                    if self.meta.get('cuda_default'): self.figure(True, f"shown on {o['device']} first, CUDA is the default" if not o['device'].startswith(('h1', 'rtx', 'a1', 'sm_', 'b2', 'gh')) else None)
                    groups = [es]
                    if sum(x['name'] == k['name'] for x in f['kernels']) > 1:   # as in judge_kernels
                        groups += [g for e in es for g in ([e], [x for x in es if x is not e]) if g]
                    self.least([lambda probe, g=g: probe.on(k['name'], o, g, self.meta.get('cuda_default') and self.wrong and 'first' in self.wrong[-1]) for g in groups])

    def on(self, nm, o, es, skip):
        if skip: return
        i = o.get('inputs') or {}; hint = o.get('hint') or ''
        if o.get('error'): self.notes.append(f'{nm} on {o["device"]}: {o["error"]}')
        wg = i.get('workgroup') or {}; sizes = wg.get('sizes')
        pairs = {x for e in es for x in e[2]}; tr = {prod(d) for d, _ in pairs}
        for e in es:
            if 'reqd' in e[1]: tr = {prod(e[1]['reqd'])}
        want = self.meta.get('threads', {}).get(nm) or self.meta.get('threads_among', {}).get(nm)
        if want:
            bad = sizes and (set(sizes) != set(want) if nm in self.meta.get('threads', {}) else not (set(want) <= set(sizes) or wg.get('upper_bound') and max(sizes) >= max(want)))
            self.figure(sizes, f'{nm}: sizes {sizes} ({hint}), true {want}' if bad else None)
        elif tr:
            if not sizes: self.figure(False)
            elif wg.get('upper_bound'): self.figure(False, f'{nm}: at most {max(sizes)} threads, true {sorted(tr)}' if max(tr) > max(sizes) and not any(n == nm for n, _ in self.lost) else None, (nm, 'block'))
            else:
                origin = wg.get('origin') or ''
                self.figure(True, f'{nm}: sizes {sizes} ({origin}), true {sorted(tr)}' if not tr <= set(sizes) and not wg.get('assumed') else None, (nm, 'block'))
        sm = [self.smem(nm, e) for e in es]
        for key, ts in (('static_local', sm), ('dynamic_local', [[x[1]] for x in pairs])):
            c = i.get(key)
            if not c or not ts or key == 'dynamic_local' and any(n == nm for n, _ in self.lost): continue
            lo, hi = c.get('lowest'), c.get('highest')
            for s in ts:
                bad = lo is not None and max(s) < lo or hi is not None and min(s) > hi
                self.figure(lo is not None and lo == hi, f'{nm}: {key} {lo}..{hi}, true {s[0]}' if bad else None, (nm, key.split('_')[0]))
        ba = i.get('barriers') or {}
        tb = [e[1].get('bar', 0) for e in es] if self.cuda else [self.meta['barrier'][nm]] if nm in self.meta.get('barrier', {}) else []
        if ba and ba.get('origin') and tb:
            lo, hi = ba.get('lowest'), ba.get('highest')
            bad = lo is not None and min(tb) < lo or hi is not None and max(tb) > hi
            self.figure(lo is not None and lo == hi, f'{nm}: barriers {lo}..{hi}, true {sorted(set(tb))}' if bad else None)
        rg = i.get('registers') or {}
        if rg.get('highest') is not None and self.cuda:
            regs = [e[1]['regs'] for e in es]
            self.figure(False, f"{nm}: at most {rg['highest']} registers, true {max(regs)}" if max(regs) > rg['highest'] else f"{nm}: at least {rg['lowest']} registers, true {min(regs)}" if rg.get('lowest') and min(regs) < rg['lowest'] else None)
        if rg and nm in self.meta.get('ceiling', {}):
            c = self.meta['ceiling'][nm]; self.figure(rg.get('highest') is not None, f"{nm}: ceiling {rg['highest']}, true {c}" if rg.get('highest') not in (None, c) else None)
        c = self.meta.get('static_on', {}).get(nm); sl = i.get('static_local')
        if c and sl: self.figure(sl['lowest'] == sl['highest'], f"{nm}: {sl['lowest']}..{sl['highest']} B there, true {c}" if not sl['lowest'] <= c <= sl['highest'] else None, (nm, 'static'))
        m = re.search(r'if ≤(\d+) regs', hint)
        if m and self.kind.startswith('18') and 'setmaxnreg' in ''.join(p.read_text() for p in self.dir.glob('*.cu')):
            r = min(e[1]['regs'] for e in es)
            self.figure(True, f'{nm}: "{hint}" can never hold, ptxas gives {r} registers' if r > int(m[1]) else None)
        fg = o.get('figure'); fl, fh = (fg or {}).get('lowest') or {}, (fg or {}).get('highest') or {}
        g = self.meta.get('groups_at_most', {}).get(nm)
        if g and fh.get('groups') is not None: self.figure(True, f"{nm}: up to {fh['groups']} groups ({hint}), true at most {g}" if fh['groups'] > g else None)
        if 'wave' in self.meta and fh.get('groups') and sizes and len(sizes) == 1:
            w = -(-sizes[0] // self.meta['wave']); self.figure(True, f"{nm}: {fh['subgroups']} waves in {fh['groups']} groups of {sizes[0]} ({hint}): wave is {self.meta['wave']}" if fh['subgroups'] != w * fh['groups'] else None)
        if self.cuda and o['device'] == 'h100' and fg and pairs and not self.failing and not any(n == nm for n, _ in self.told) and not any(n == nm for n, _ in self.lost):
            occ = [occupancy(prod(d), e[1]['regs'], e[1]['smem'] + dy) for e in es for d, dy in e[2]]
            lo, hi = fl.get('percent'), fh.get('percent')
            # a figure stands for the sizes it names; every true one lies in it, where they are all named
            for b, p in occ:
                bad = hi is not None and p > hi + .01 or lo is not None and p < lo - .01
                self.figure(lo == hi and lo is not None, f'{nm}: {lo}..{hi} % ({hint}), true {p:.2f} %' if bad and not (wg.get('upper_bound') or len({round(x, 2) for _, x in occ}) > 1) else None)
        if hint.startswith('no launch') and nm not in {re.sub('.*::', '', x) for x in self.failing} and not self.meta.get('fails') and not self.meta.get('nocompile') and not any(n == nm for n, _ in self.told):
            self.figure(True, f'{nm}: "{hint}", but it launches')
        if nm in {re.sub('.*::', '', x) for x in self.failing} and not hint.startswith('no launch') and all(self.bad_launch(e, x) for e in es for x in e[2]):
            self.figure(False); self.notes.append(f'{nm}: every launch fails, hint says "{hint}"')

    def bad_launch(self, e, x):
        f, (d, dy) = e[1], x; n = prod(d)
        if self.cuda:
            opt = {o[0]: int(o[2]) for o in self.t.get('optin', []) if o[1] == '8'}
            limit = 49152
            for m, v in opt.items():
                if self.dm.get(m) == e[3]: limit = max(limit, f['smem'] + v)
            return n > 1024 or n == 0 or d[2] > 64 or 'maxntid' in f and n > prod(f['maxntid']) or 'reqntid' in f and list(d) != f['reqntid'] or f['smem'] + dy > min(limit, 232448)
        if self.t['ext'] == 'hip': return n > f['maxwg'] or f['smem'] + dy > 65536
        amd = self.meta.get('device', 'rx-480').startswith(('rx', 'mi'))
        return 'reqd' in f and list(d) != f['reqd'] or amd and n > f['maxwg'] or n > 1024

    def fails(self):
        if self.meta.get('builds_cu'): return set()
        bad = {q for q, v in self.truth.items() for e in v for x in e[2] if self.bad_launch(e, x)}
        return bad | set(self.meta.get('fails', {}))

    def judge_findings(self):
        errors = [g for g in self.findings if g['severity'] == 'error']; show = lambda g: f"{g['code']} {Path(g['path']).name}:{g['line']} {g['severity']}: {g['message'][:140]}"
        if self.meta.get('nocompile'):
            self.figure(True)
            if not errors and not (self.meta.get('accept_warning') and self.findings): self.missing.append('does not compile there, no Error' + (': ' + '; '.join(map(show, self.findings)) if self.findings else ''))
            return
        if self.meta.get('expect_any') and not any(w in g['message'] for g in self.findings for w in self.meta['expect_any']): self.missing.append(f"nothing of {self.meta['expect_any']}: {[show(g) for g in self.findings]}")
        if self.failing:
            short = {re.sub(r'.*::', '', q) for q in self.failing}
            near = lambda g: any(s in open(g['path']).read().splitlines()[g['line'] - 1] for s in short) or any(s in g['message'] for s in short)
            good = [g for g in errors if near(g)]
            for s in sorted(short):
                if not any(s in open(g['path']).read().splitlines()[g['line'] - 1] or s in g['message'] for g in good) and (len(short) > 1 or not errors): self.missing.append(f'a launch of {s} fails, no Error; found: {[show(g) for g in self.findings]}')
            self.false += [show(g) for g in errors if not near(g) and len(short) > 1]
        else: self.false += [show(g) for g in errors]
        self.notes += ['finding ' + show(g) for g in self.findings if g['severity'] != 'error']

def main():
    cases = []
    for f in sorted(R.glob('*/truth.json')):
        if only and not f.parent.name.startswith(only): continue
        for n, r in json.loads(f.read_text()).items():
            if r['rc'] and not r['meta'].get('nocompile') or 'err' in r and not r['rc']: print('no truth:', f.parent.name, n); continue
            cases.append(Case(f.parent.name, n, r))
    if '--cached' not in sys.argv:
        shutil.rmtree(OUT, ignore_errors=True); OUT.mkdir(parents=True)
        p = subprocess.run([sys.executable, str(R / 'drive.py'), str(OUT), *[str(c.dir) for c in cases]], capture_output=True, text=True, env={**os.environ, 'PYTHONPATH': str(tree), 'PYTHONDONTWRITEBYTECODE': '1'})
        print(p.stdout.strip().splitlines()[:1], p.stderr[-500:])
    for c in cases: c.judge()
    kinds = collections.defaultdict(list)
    for c in cases: kinds[c.kind].append(c)
    row = lambda n, cs: f"| {n} | {len(cs)} | {sum(c.compared for c in cs)} | {sum(c.stated for c in cs)} ({100 * sum(c.stated for c in cs) / max(1, sum(c.compared for c in cs)):.0f} %) | {sum(len(c.wrong) for c in cs)} | {sum(bool(c.wrong or c.missing or c.false or c.lost and c.kind[:2] == '01') for c in cs)} | {sum(len(c.missing) for c in cs)} | {sum(len(c.false) for c in cs)} | {sum(len(c.lost) for c in cs)} |"
    print('| kind | cases | figures compared | stated | wrong figures | cases with anything wrong | findings missing | false Errors | launches not told at all |\n|---|---|---|---|---|---|---|---|---|')
    for n, cs in kinds.items(): print(row(n, cs))
    print(row('all', cases))
    if '--table' in sys.argv: return
    print()
    for c in cases:
        for w in dict.fromkeys(c.wrong): print(f'- WRONG {c.kind}/{c.name}: {w}')
        for w in c.missing: print(f'- MISSING {c.kind}/{c.name}: {w}')
        for w in c.false: print(f'- FALSE {c.kind}/{c.name}: {w}')
        for n, w in c.lost: print(f'- LOST {c.kind}/{c.name}: {n}: {w}')
        if '-v' in sys.argv:
            for w in dict.fromkeys(c.notes): print(f'    note {c.kind}/{c.name}: {w}')
main()
