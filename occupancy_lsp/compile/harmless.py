"""Arguments of a command that are dropped → those of them that may change what kernels take.

Listed is what surely does not: all else is named with the counts. Measured for nvcc 13.0, by what it hands to its
front end and to ptxas, and for clang 22.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from occupancy_lsp.core.regex import regex

_OF_ALL = regex(
    r"""(?!-).* | -c | -o.* | -S | -v | -w | -g\w* | -W.* | -M[A-Z]*.* | -[lLB].+ | -x\w* | -s | -pg
    | -pipe | -pthreads?
    | -m(?:64|32|(?:arch|tune|cmodel)=.*|cpu=(?:native|gfx.*)|(?:no-)?(?:sse|avx).*|fma|f16c|bmi2?|popcnt)
    | -f(?:no-)?(?:PIC|PIE|pic|pie|color-diagnostics|diagnostics-.*|openmp.*|visibility.*|ms-.*|permissive|common|plt
      |asynchronous-unwind-tables|macro-backtrace-limit.*|template-backtrace-limit.*|caret-diagnostics|debug-.*
      |stack-protector.*|stack-clash-protection|cf-protection.*|semantic-interposition)
    | -std=c\d\d | -shared | -stdlib=.* | -save-temps.* | -isysroot.* | --sysroot.* | -print-.*
    | -Xarch_host\ .* | -Xcompiler.* | --compiler-options.* | -Xlinker.* | --linker-options.* | -Xarchive.*
    | --archive-options.*""",
    re.VERBOSE | re.DOTALL,
)
_OF_NVCC = regex(
    r"""-O\w* | --optimize.* | -f(?!atbin|device-s).* | -m(?!axrreg|achine).* | -(?:Xcudafe|Xfatbin).* | -Xnvlink\ -[vw]
    | --?(?: (?:ccbin|compiler-bindir|t|threads|split-compile|split-compile-extended|keep-dir|cudart|cudadevrt|odir
      |output-directory|output-file|(?:arch|gpu-architecture|code|gpu-code|gencode|generate-code)(?!.*lto_)|time
      |frandom-seed|compress-mode|ftemplate-\w+|diag-\w+|Werror|MT|MF|default-stream|machine|target-directory|libdevice-directory
      |fdevice-time-trace|static-global-template-stub|device-entity-has-hidden-visibility|brief-diag\w*|opt-info
      |optimization-info|idp|input-drive-prefix|ddp|dp|x|run-args)(?:[\ =].*)?
    | compile | verbose | debug | profile | keep | save-temps | clean(?:-targets)? | resource-usage | res-usage | dryrun
    | no-compress | source-in-ptx | src-in-ptx | disable-warnings | W[\w-]+ | no-exceptions | noeh | use-local-env
    | force-cl-env-setup | allow-unsupported-compiler | forward-unknown-\w[\w-]* | display-error-number | err-no
    | no-display-error-number | no-err-no | m64 | shared | dont-use-profile | noprof | objtemp | objdir-as-tempdir
    | no-host-device-[\w-]+ | nohd\w+ | no-align-double | dependency-[\w-]+ | cubin | ptx | fatbin | cuda | link | lib
    | jobserver | extended-lambda )""",
    re.VERBOSE | re.DOTALL,
)
_OF_PTXAS = regex(
    r"""-[vwcm]\d* | --?(?: verbose | compile-only | lineinfo | generate-line-info | warn[\w-]* | Werror
    | suppress-[\w-]+ | disable-warnings | split-compile=.* | preserve-relocs | compiler-annotations | annotate )""",
    re.VERBOSE,
)
_OF_CLANG = regex(
    r"""-Xclang\ -target-feature | -Qunused-arguments | --(?:rocm|hip|cuda)-(?:path|version)=.*
    | --(?:hip|rocm)-device-lib-path=.* | --gcc-toolchain=.* | --gcc-install-dir=.* | -parallel-jobs=.*
    | --offload-compress
    | --(?:no-)?gpu-bundle-output | --cuda-(?:host|device)-only | --offload-(?:host|device)-only | -resource-dir.*
    | -fno-gpu-rdc | -fhip-[\w-]+ | -fgpu-default-stream=\w+ | -no-hip-rt | --hip-link | -emit-llvm
    | --offload-(?:arch|new-driver|link).* | --driver-mode=.* | -rpath.* | --target=.* | -target\ .*""",
    re.VERBOSE | re.DOTALL,
)


def may_matter(dropped: Iterable[str], by_nvcc: bool) -> list[str]:
    """Those that are not known to leave the device's code as it is, each once. `by_nvcc`: it is nvcc's command."""
    own = _OF_NVCC if by_nvcc else _OF_CLANG
    return [it for it in dict.fromkeys(dropped) if not (_OF_ALL.fullmatch(it) or own.fullmatch(it) or _handed(it))]


def _handed(argument: str) -> bool:
    """Of ptxas."""
    option, _, value = argument.partition(" ")
    return option == "-Xptxas" and _OF_PTXAS.fullmatch(value) is not None
