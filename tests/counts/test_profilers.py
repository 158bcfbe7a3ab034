"""Tables of profilers. Headers as Nsight Compute, rocprofv3, rocprof, rocpd, RGA and unitrace write them."""

from __future__ import annotations

import pytest

from occupancy_lsp.counts.formats import nsight_compute, rga, rocprofv3, unitrace
from occupancy_lsp.counts.formats.recognise import recognise
from occupancy_lsp.counts.formats.tables import threads, whole
from occupancy_lsp.counts.usage import Reading, Usage

DETAILS = '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size",\
"Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"\n'
LAUNCH = '"{0}","77","app","127.0.0.1","{1}","1","7","{2}","(16, 1, 1)","0","{3}","Launch Statistics",'


def details(*launches: tuple[str, str, str, list[tuple[str, str, str]]], header: str = DETAILS) -> bytes:
    """A report; each launch with its kernel, block, capability and metrics with unit and value."""
    text = "==PROF== Connected to process 77\nsome output, of the program\n" + header
    for number, (kernel, block, capability, metrics) in enumerate(launches):
        for metric in metrics:
            text += LAUNCH.format(number, kernel, block, capability) + ",".join(f'"{it}"' for it in metric) + "\n"
    return (text + "==PROF== Disconnected from process 77\n").encode()


METRICS = [
    ("Block Size", "", "256"),
    ("Registers Per Thread", "register/thread", "40"),
    ("Driver Shared Memory Per Block", "Kbyte/block", "1.02"),
    ("Dynamic Shared Memory Per Block", "byte/block", "512"),
    ("Static Shared Memory Per Block", "byte/block", "1,000"),
]


def test_the_details_page() -> None:
    kernel = "void ns::tile<float, (int)32>(const T1 *, T1 *, int)"
    data = details((kernel, "(16, 16, 1)", "9.0", METRICS))
    assert recognise(data, "r.csv") is nsight_compute.read
    usage = Usage(
        kernel,
        "measured",
        "r.csv",
        4,
        "sm_90",
        registers=40,
        static_local=1000,
        dynamic_local=512,
        group_size=256,
    )
    assert nsight_compute.read(data, "r.csv") == Reading((usage,))


def test_launches_of_one_kernel_are_one() -> None:
    more = [("Registers Per Thread", "register/thread", "40"), ("Dynamic Shared Memory Per Block", "byte/block", "0"),
            ("Static Shared Memory Per Block", "byte/block", "1,000")]  # fmt: skip
    same = details(("k", "(8, 8, 1)", "8.6", METRICS), ("k", "(64, 1, 1)", "8.6", METRICS))
    assert [(u.group_size, u.dynamic_local) for u in nsight_compute.read(same, "r").usages] == [(64, 512)]
    other = details(("k", "(8, 8, 1)", "8.6", METRICS), ("k", "(32, 1, 1)", "8.6", more))
    assert [(u.group_size, u.dynamic_local, u.line) for u in nsight_compute.read(other, "r").usages] == [
        (None, None, 4)
    ]


def test_instances_with_other_counts_are_told_apart() -> None:
    more = [("Registers Per Thread", "register/thread", "64")]
    data = details(("k", "(64, 1, 1)", "12.0", METRICS), ("k", "(32, 1, 1)", "12.0", more))
    told = nsight_compute.read(data, "r").usages
    assert [(u.arch, u.registers, u.group_size) for u in told] == [("sm_120", 40, 64), ("sm_120", 64, 32)]


RAW = """\
==PROF== Profiling "scale" - 0: 0%....50%....100% - 3 passes
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC",\
"launch__registers_per_thread","launch__shared_mem_per_block_driver","launch__shared_mem_per_block_dynamic",\
"launch__shared_mem_per_block_static"
"","","","","","","","","","","","register/thread","Kbyte/block","{unit}/block","byte/block"
"0","77","app","127.0.0.1","scale(float *)","1","7","(128, 1, 1)","(64, 18, 1)","0","8.0","158","1.024","{value}","0"
"""


def test_the_raw_page() -> None:
    (usage,) = nsight_compute.read(RAW.format(unit="byte", value="4,096").encode(), "r.csv").usages
    figures = (usage.kernel, usage.line, usage.arch, usage.registers, usage.group_size)
    assert figures == ("scale(float *)", 4, "sm_80", 158, 128)
    assert (usage.static_local, usage.dynamic_local) == (0, 4096)


@pytest.mark.parametrize(
    ("unit", "value", "size"),
    [
        ("Kbyte", "49.152", 49152),
        ("Kbyte", "4.096000", 4096),
        ("Kbyte", "49.15", None),  # 49145 to 49155
        ("Kbyte", "48", None),
        ("Mbyte", "0.049", None),
        ("", "512", None),
        ("byte", "n/a", None),
        ("byte", "1.024", None),  # with another country's separators
        ("byte", "512.00", 512),
    ],
)
def test_scaled_sizes_only_where_each_byte_shows(unit: str, value: str, size: int | None) -> None:
    (usage,) = nsight_compute.read(RAW.format(unit=unit, value=value).encode(), "r.csv").usages
    assert usage.dynamic_local == size


def test_a_summary_of_all_launches() -> None:
    header = '"Process ID","Process Name","Host Name","Kernel Name","Block Size","Grid Size","Device","CC",\
"Invocations","Section Name","Metric Name","Metric Unit","Minimum","Maximum","Average"\n'
    row = '"1","a","h","k","(64, 1, 1)","(9, 1, 1)","0","11.0","14","Launch Statistics","{}","{}","{}","{}","{}"\n'
    text = header + row.format("Registers Per Thread", "register/thread", "32", "32", "32")
    text += row.format("Dynamic Shared Memory Per Block", "byte/block", "0", "64", "32")
    (usage,) = nsight_compute.read(text.encode(), "r").usages
    assert (usage.arch, usage.registers, usage.dynamic_local, usage.group_size) == ("sm_110", 32, None, 64)


def test_a_kernel_of_an_anonymous_namespace() -> None:
    """As Nsight Compute 2025 writes it."""
    data = details(("unnamed>::saxpy(float, const float *)", "(64, 1, 1)", "11.0", METRICS))
    assert [usage.kernel for usage in nsight_compute.read(data, "r").usages] == ["saxpy(float, const float *)"]


def test_an_old_report_needs_the_architecture_in_its_name() -> None:
    """In 2020 there was neither capability nor block size."""
    header = (
        '"ID","Process ID","Process Name","Host Name","Kernel Name","Kernel Time","Context","Stream","Section Name",\
"Metric Name","Metric Unit","Metric Value"\n'
    )
    row = '"0","28","a","127.0.0.1","k(int,float*)","2020-May-29 12:02:46","1","7","Launch Statistics",'
    text = header + row + '"Registers Per Thread","register/thread","20"\n' + row + '"Block Size","","192"\n'
    reading = nsight_compute.read(text.encode(), "report.csv")
    assert reading.usages == () and "name the file for it" in reading.problems[0].message
    (usage,) = nsight_compute.read(text.encode(), "out/report.sm_75.csv").usages
    assert (usage.kernel, usage.arch, usage.registers, usage.group_size) == ("k(int,float*)", "sm_75", 20, 192)


V3 = '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id",\
"Start_Timestamp","End_Timestamp","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count",\
"Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"\n'
V3_ROW = (
    '"KERNEL_DISPATCH","Agent 7",17,26,84,1,49,"void add<float>(float*, int)",101,15,18,{},0,{},{},{},64,2,1,9,9,1\n'
)


@pytest.mark.parametrize(
    ("arch", "figures", "said"),
    [
        ("gfx90a", (0, 12, 4, 32), (12, 4, 32, 0)),
        ("gfx942", (2048, 8, 0, 16), (8, 0, 16, None)),
        ("gfx90a", (512, 12, 4294967288, 32), (12, None, 32, None)),  # as the first releases computed it
        ("gfx90a", (0, 12, 8, 32), (12, None, 32, 0)),
        ("gfx90a", (0, 508, 12, 32), (508, None, 32, 0)),
        ("gfx908", (0, 64, 64, 48), (64, 64, 48, 0)),
        ("gfx1100", (0, 24, 0, 128), (24, None, None, 0)),
        ("gfx950", (0, 8, 0, 16), (None, None, None, 0)),
        ("gfx1250", (0, 8, 0, 128), (None, None, None, 0)),
    ],
)
def test_a_trace_of_rocprofv3(arch: str, figures: tuple[int, ...], said: tuple[int | None, ...]) -> None:
    data = (V3 + V3_ROW.format(*figures) * 3).encode()
    assert recognise(data, "t.csv") is rocprofv3.read
    (usage,) = rocprofv3.read(data, f"/x/run.{arch}_kernel_trace.csv").usages
    assert (usage.registers, usage.accumulators, usage.scalars, usage.static_local) == said
    assert (usage.kernel, usage.arch, usage.line) == ("void add<float>(float*, int)", arch, 2)
    assert (usage.group_size, usage.stack, usage.sub_group, usage.source) == (128, 0, None, "measured")


def test_a_trace_needs_the_architecture_in_its_name_or_folder() -> None:
    data = (V3 + V3_ROW.format(0, 8, 0, 16)).encode()
    (problem,) = rocprofv3.read(data, "/gfx90a/host/77_kernel_trace.csv").problems
    assert "run.gfx90a_kernel_trace.csv" in problem.message
    assert len(rocprofv3.read(data, "/host/gfx90a/77_kernel_trace.csv").usages) == 1


OTHERS = {
    "counters of rocprofv3": '"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id",\
"Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count",\
"SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"\n\
1,1,"Agent 1",2,32,32,262144,5,"k",256,0,16,12,4,32,"SQ_WAVES",13.2,15,19\n',
    "rocpd": '"Guid","Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name",\
"Correlation_Id","Start_Timestamp","End_Timestamp","Lds_Block_Size","Scratch_Size","Vgpr_Count","Accum_Vgpr_Count",\
"Sgpr_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"\n\
"00006409-00d1","KERNEL_DISPATCH","Agent 4",1,0,71,1,3,"k",1,16,17,0,16,12,4,32,256,1,1,23,1,1\n',
    "rocprof": 'Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,arch_vgpr,accum_vgpr,sgpr,\
wave_size,sig,obj,DispatchNs,BeginNs,EndNs,CompleteNs\n\
0,"k.kd",4,0,0,17,17,262144,256,0,16,12,4,32,64,0x0,0x7f,1,2,3,4\n',
    "rocprofv2": 'Dispatch_ID,GPU_ID,Queue_ID,PID,TID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,\
Arch_VGPR,Accum_VGPR,SGPR,Wave_Size,Kernel_Name,Start_Timestamp,End_Timestamp,Correlation_ID\n\
1,4,1,15,15,1024,256,0,16,12,4,32,64,"k (.kd)",0,14,3\n',
}


@pytest.mark.parametrize("tool", OTHERS)
def test_other_generations_of_the_tool(tool: str) -> None:
    assert rocprofv3.looks_like(OTHERS[tool].encode())
    (usage,) = rocprofv3.read(OTHERS[tool].encode(), "gfx90a/t.csv").usages
    assert (usage.kernel, usage.registers, usage.accumulators, usage.scalars) == ("k", 12, 4, 32)
    assert (usage.group_size, usage.static_local, usage.stack) == (256, 0, 16)
    assert usage.sub_group == (64 if "wave_size" in OTHERS[tool].lower() else None)


def test_a_name_whose_commas_are_not_quoted_is_not_read() -> None:
    data = OTHERS["rocprofv2"].replace('"k (.kd)"', "k(int, int) (.kd)").encode()
    assert rocprofv3.read(data, "gfx90a.csv") == Reading()


STATISTICS = (
    "DEVICE,SCRATCH_MEM,THREADS_PER_WORKGROUP,WAVEFRONT_SIZE,AVAILABLE_LDS_BYTES,USED_LDS_BYTES,AVAILABLE_SGPRs,\
USED_SGPRs,SGPR_SPILLS,AVAILABLE_VGPRs,USED_VGPRs,VGPR_SPILLS,CL_WORKGROUP_X_DIMENSION,CL_WORKGROUP_Y_DIMENSION,\
CL_WORKGROUP_Z_DIMENSION,ISA_SIZE\n"
)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("gfx1201,0,N/A,32,65536,65536,106,72,0,256,256,0,N/A,N/A,N/A,28948", (256, 72, 65536, 32)),
        ("gfx1100,0,0,0,65536,4096,106,45,0,256,71,0,0,0,0,4940", (71, 45, 4096, None)),
        ("gfx906,0,N/A,64,65536,0,102,N/A,0,256,12,0,N/A,N/A,N/A,400", (12, None, None, 64)),
        ("gfx90a,0,N/A,64,65536,512,102,20,0,512,40,0,N/A,N/A,N/A,400", (None, 20, 512, 64)),
        ("gfx950,0,N/A,64,163840,512,102,20,0,512,40,0,N/A,N/A,N/A,400", (None, 20, 512, 64)),
    ],
)
@pytest.mark.parametrize("separator", [",", ";"])
def test_statistics_of_rga(row: str, said: tuple[int | None, ...], separator: str) -> None:
    device = row.split(",")[0]
    data = (STATISTICS + row + "\n").replace(",", separator).encode()
    assert recognise(data, "s.csv") is rga.read
    (usage,) = rga.read(data, f"/out/{device}_my_tile_stats.csv").usages
    assert (usage.registers, usage.scalars, usage.static_local, usage.sub_group) == said
    assert (usage.kernel, usage.arch, usage.group_size, usage.source) == ("my_tile", device, None, "compiled")


@pytest.mark.parametrize("name", ["stats.csv", "gfx1100_stats_comp.csv", "gfx1100_stats.csv", "gfx1100__stats.txt"])
def test_statistics_of_no_named_kernel(name: str) -> None:
    row = "gfx1100,0,0,0,65536,4096,106,45,0,256,71,0,0,0,0,4940\n"
    reading = rga.read((STATISTICS + row).encode(), name)
    assert reading.usages == () and "DEVICE_KERNEL_stats.csv" in reading.problems[0].message


PROPERTIES = """\
=== Device Timing Summary ===

"zeCommandListAppendMemoryCopy(H2H)",            1,                18000,     0.762686,                18000

=== Kernel Properties ===

                    Kernel, Compiled, SIMD, Number of Arguments, SLM Per Work Group, Private Memory Per Thread, \
Spill Memory Per Thread, Register File Size Per Thread
"gemv(float*, int)::{lambda(sycl::nd_item<1>)#1}",      JIT,   32,    7,     1024,      0,      0,      128
"gemm[SIMD16 {20;1;1} {64;8;1}]", AOT, 16, 7, 0, 0, 640, 256
      "gemm[SIMD16 {40;1;1} {64;4;1}]",      AOT,   16,  7,  0,   0,   640,  256
"esimd", JIT, ANY, 7, 0, 0, 0, unknown
"""


def test_properties_of_unitrace() -> None:
    assert recognise(PROPERTIES.encode(), "p.txt") is unitrace.read
    told = unitrace.read(PROPERTIES.encode(), "run/properties.pvc.txt").usages
    assert [(u.kernel, u.line, u.sub_group, u.grf, u.static_local, u.spill_size, u.group_size) for u in told] == [
        ("gemv(float*, int)::{lambda(sycl::nd_item<1>)#1}", 8, 32, 128, 1024, 0, None),
        ("gemm", 9, 16, 256, 0, 640, None),
        ("esimd", 11, 1, None, 0, 0, None),
    ]
    assert {(u.arch, u.source) for u in told} == {("xe_hpc", "measured")}


def test_rows_of_other_tables_are_not_read() -> None:
    text = PROPERTIES.replace("=== Kernel", "=== Other") + "=== Kernel Properties ===\n\n"
    assert unitrace.read(text.encode(), "pvc.txt") == Reading()


def test_the_shape_of_all_launches() -> None:
    text = PROPERTIES.replace("64;4;1", "32;16;1")
    told = {u.kernel: u.group_size for u in unitrace.read(text.encode(), "dg2-g10/p.txt").usages}
    assert told["gemm"] == 512
    assert {u.arch for u in unitrace.read(text.encode(), "p.dg2.txt").usages} == {"xe_hpg", "xe_hpg_g11"}


def test_the_first_releases_of_unitrace() -> None:
    text = """=== Kernel Properties ===

              Kernel, Number of Arguments, SLM Per Work Group, Private Memory Per Thread, Spill Memory Per Thread
nn_64x40[SIMD16 {56; 1; 1} {64; 8; 1}],                  27                  8             0             32
== Kernel Metrics ==
"""
    (usage,) = unitrace.read(text.encode(), "pvc.txt").usages
    assert (usage.kernel, usage.sub_group, usage.grf, usage.group_size) == ("nn_64x40", 16, None, 512)
    assert (usage.static_local, usage.spill_size) == (8, 32)


def test_properties_need_the_device_in_the_name() -> None:
    reading = unitrace.read(PROPERTIES.encode(), "properties.txt")
    assert reading.usages == () and "properties.pvc.txt" in reading.problems[0].message


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("1,024", 1024), ("1,2", None), ("12.0", 12), ("12.5", None), ("-1", None), ("", None), (None, None),
     ("1" * 10, None), ("1,000,000", 1_000_000), ("0x10", None), ("\u0663", None)],
)  # fmt: skip
def test_whole_numbers(text: str | None, number: int | None) -> None:
    assert whole(text) == number


def test_sizes_of_groups() -> None:
    assert [threads(text) for text in ("(256, 1, 1)", "(8,8,2)", "64", "(0, 1, 1)", "(1, 2)", "")] == [
        256, 128, 64, None, None, None,
    ]  # fmt: skip
