"""Traces of profilers, made up after their makers' documentation and sources; each says the same of the same kernels.

Of two versions of a tool where their files differ.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

AGENTS = """\
"Node_Id","Logical_Node_Id","Agent_Type","Cpu_Cores_Count","Simd_Count","Name","Vendor_Name","Product_Name","Model_Name"
0,0,"CPU",64,0,"AMD EPYC 7763","CPU","AMD EPYC 7763",""
4,1,"GPU",0,416,"gfx90a","AMD","AMD Instinct MI210","aldebaran"
"""
TWO_AGENTS = AGENTS + '5,2,"GPU",0,440,"gfx908","AMD","AMD Instinct MI100","arcturus"\n'

_SYMBOLS = (
    {"kernel_id": 0},
    {"kernel_id": 7, "kernel_name": "scale.kd", "formatted_kernel_name": "scale", "arch_vgpr_count": 12,
     "accum_vgpr_count": 4, "sgpr_count": 32, "group_segment_size": 100, "private_segment_size": 16},
)  # fmt: skip
_DISPATCH = {"agent_id": {"handle": 2}, "kernel_id": 7, "group_segment_size": 612,
             "workgroup_size": {"x": 64, "y": 2, "z": 1}}  # fmt: skip


def rocprofv3_json(records: str = "kernel_dispatch", handle: int = 2, name: str = "gfx90a") -> bytes:
    """`records`: of a trace, or of counters."""
    dispatch = {"dispatch_info": _DISPATCH}
    process = {
        "metadata": {"pid": 1},
        "agents": [{"id": {"handle": 1}, "name": "AMD EPYC 7763"}, {"id": {"handle": handle}, "name": name}],
        "kernel_symbols": _SYMBOLS,
        "buffer_records": {"kernel_dispatch": [dispatch, dispatch] if records == "kernel_dispatch" else []},
        "callback_records": {
            "counter_collection": [{"dispatch_data": dispatch}] if records != "kernel_dispatch" else []
        },
    }
    return json.dumps({"rocprofiler-sdk-tool": [process]}).encode()


def database(*statements: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.db")
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(";".join(statements))
        return path.read_bytes()


def rocpd(dispatched_by: str = "agent_id") -> bytes:
    """`dispatched_by`: "agent_id", or "track_id" as in newer releases."""
    end = "_0000_5a_b8b7"
    return database(
        f"CREATE TABLE rocpd_info_agent{end} (id INTEGER PRIMARY KEY, type TEXT, name TEXT)",
        f"""CREATE TABLE rocpd_info_kernel_symbol{end} (id INTEGER PRIMARY KEY, kernel_name TEXT, display_name TEXT,
            group_segment_size INTEGER, private_segment_size INTEGER, sgpr_count INTEGER, arch_vgpr_count INTEGER,
            accum_vgpr_count INTEGER)""",
        f"CREATE TABLE rocpd_track{end} (id INTEGER PRIMARY KEY, agent_id INTEGER)",
        f"""CREATE TABLE `rocpd_kernel_dispatch{end}` (id INTEGER PRIMARY KEY, {dispatched_by} INTEGER,
            kernel_id INTEGER, workgroup_size_x INTEGER, workgroup_size_y INTEGER, workgroup_size_z INTEGER)""",
        f"CREATE VIEW rocpd_kernel_dispatch AS SELECT * FROM rocpd_kernel_dispatch{end}",
        f"INSERT INTO rocpd_info_agent{end} VALUES (0, 'CPU', 'AMD EPYC'), (4, 'GPU', 'gfx90a'), (5, 'GPU', 'gfx908')",
        f"INSERT INTO rocpd_info_kernel_symbol{end} VALUES (7, 'scale.kd', 'scale', 100, 16, 32, 12, 4)",
        f"INSERT INTO rocpd_track{end} VALUES (9, 4)",
        f"""INSERT INTO rocpd_kernel_dispatch{end} VALUES (1, {4 if dispatched_by == "agent_id" else 9}, 7, 64, 2, 1),
            (2, {4 if dispatched_by == "agent_id" else 9}, 7, 64, 2, 1)""",
    )


A10, H100 = "(7, 0, 'NVIDIA A10', 8, 6)", "(7, 1, 'NVIDIA H100 80GB HBM3', 9, 0)"


def nsys_database(*gpus: str) -> bytes:
    return database(
        "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)",
        "CREATE TABLE TARGET_INFO_GPU (vmId INT, id INT, name TEXT, computeMajor INT, computeMinor INT)",
        "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER)",
        """CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, globalPid INTEGER,
           demangledName INTEGER, shortName INTEGER, mangledName INTEGER, registersPerThread INTEGER, blockX INTEGER,
           blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER)""",
        "INSERT INTO StringIds VALUES (3, 'scale(float *)'), (4, '_Z5scalePf'), (5, 'void other<1>(int *)')",
        f"INSERT INTO TARGET_INFO_GPU VALUES {', '.join(gpus or (A10, H100))}",
        "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 1, 77), (1, 0, 77), (0, 0, 78)",
        f"""INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 1, {77 << 24}, 3, 3, 4, 40, 64, 2, 1, 1000, 512),
            (3, 4, 1, {77 << 24}, 3, 3, 4, 40, 64, 2, 1, 1000, 512),
            (5, 6, 0, {77 << 24}, 5, 5, NULL, 255, 32, 1, 1, 2024, 0)""",
    )


NSYS = """\
Generating CUDA trace...
Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem ({0}),DymSMem ({0}),Bytes ({0}),\
Throughput (MB/s),SrcMemKd,DstMemKd,Device,Ctx,GreenCtx,Strm,Name
500,100,1,,,,,,,,,,1.000,1000.0,Pageable,Device,NVIDIA A10 (0),1,,7,[CUDA memcpy Host-to-Device]
700,1000,2,4,1,1,64,2,1,40,{1},,,,,,NVIDIA A10 (0),1,,7,"scale(float *)"
"""

NVPROF = """\
==99== Profiling application: ./app
==99== Profiling result:
"Start","Duration","Grid X","Grid Y","Grid Z","Block X","Block Y","Block Z","Registers Per Thread","Static SMem",\
"Dynamic SMem","Size","Throughput","SrcMemType","DstMemType","Device","Context","Stream","Name"
ms,us,,,,,,,,{0},B,MB,GB/s,,,,,,
1.5,9.2,,,,,,,,,,1.0,8.0,"Pageable","Device","Tesla V100-SXM2-16GB (0)","1","7","[CUDA memcpy HtoD]"
2.5,9.2,4,1,1,64,2,1,40,{1},512,,,,,"Tesla V100-SXM2-16GB (0)","1","7","scale(float *) [113]"
"""


def kineto(
    devices: Iterable[dict[str, object]] = ({"id": 0, "name": "NVIDIA A10", "computeMajor": 8, "computeMinor": 6},),
    shared: int = 0,
) -> bytes:
    kernel = {"ph": "X", "cat": "kernel", "name": "scale(float*)", "args": {"queued": 0, "device": 0, "context": 1,
              "registers per thread": 40, "shared memory": shared, "warps per SM": "inf", "grid": [4, 1, 1],
              "block": [64, 2, 1], "est. achieved occupancy %": 0}}  # fmt: skip
    host = {"ph": "X", "cat": "cpu_op", "name": "aten::mul", "args": {"External id": 1}}
    events = [host, kernel, {**kernel, "ts": 9}, {"name": "process_labels", "ph": "M", "args": {"labels": "GPU 0"}}]
    return json.dumps({"schemaVersion": 1, "deviceProperties": list(devices), "traceEvents": events}, indent=1).encode()


NCU = """\
==PROF== Connected to process 99 (app)
[99] app@127.0.0.1
  {0}, Context 1, Stream 7{1}
    Section: Launch Statistics
    -------------------------------- --------------- ---------------
    Metric Name                          Metric Unit    Metric Value
    -------------------------------- --------------- ---------------
    Block Size                                                   128
    Registers Per Thread             register/thread              40
    Shared Memory Configuration Size           Kbyte           16.38
    Driver Shared Memory Per Block       Kbyte/block            1.02
    Dynamic Shared Memory Per Block       byte/block             512
    Static Shared Memory Per Block        byte/block           1,000
    Threads                                   thread             512
    -------------------------------- --------------- ---------------

"""
NCU_NEW = NCU.format("scale(float *) (4, 1, 1)x(64, 2, 1)", ", Device 0, CC 8.6")
NCU_OLD = NCU.format("scale(float *), 2021-Mar-07 12:30:01", "")
