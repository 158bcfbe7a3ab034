"""Kernels of Warp. `expected.json` has what compilers made of each: see `tests/warp_ptx`."""

# ruff: noqa

import warp
import warp as wp
from warp import kernel as compiled

N = 32
ROWS, COLUMNS = 8, 12
TILE = wp.constant(16)
BLOCKS = 3
OPTIONS = {"launch_bounds": 256}
vec5 = wp.types.vector(length=5, dtype=float)


@wp.struct
class Particle:
    position: wp.vec3
    mass: float


@wp.func
def square(x: float):
    return x * x


@wp.func
def twice(x: float):
    return square(x) + square(x)


@wp.func
def kept(x: float):
    t = wp.tile_zeros(shape=64, dtype=float, storage="shared")
    return x + wp.tile_extract(t, 0)


@wp.func
def stored(x: wp.array[float]):
    t = wp.tile_ones(shape=N, dtype=float, storage="shared")
    wp.tile_store(x, t)


@wp.func
def stored_more(x: wp.array[float]):
    t = wp.tile_ones(shape=(N, 2), dtype=float, storage="shared")
    wp.tile_store(x, wp.tile_zeros(shape=N, dtype=float))
    stored(x)


@wp.func_native("__shared__ float s[64]; s[threadIdx.x % 64] = x; __syncthreads(); return s[0];")
def native(x: float) -> float: ...


@wp.kernel
def k001(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel()
def k002(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@warp.kernel
def k003(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@compiled
def k004(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(enable_backward=False)
def k005(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(launch_bounds=128)
def k006(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(launch_bounds=(128,))
def k007(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(launch_bounds=(128, 4))
def k008(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(launch_bounds=[256, 2])
def k009(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(launch_bounds=(N * 8, BLOCKS))
def k010(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(launch_bounds=1024)
def k011(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(launch_bounds=None)
def k012(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(**OPTIONS)
def k013(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(cuda_max_registers=32)
def k014(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(cuda_max_registers=N + N)
def k015(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(cluster_dim=2)
def k016(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(cluster_dim=4, launch_bounds=256)
def k017(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(grid_stride=False)
def k018(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(grid_stride=False, launch_bounds=(512, 2))
def k019(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(name="k020")
def k020(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(enable_cuda_smem_spilling=True)
def k021(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(enable_cuda_smem_spilling=True, launch_bounds=256)
def k022(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(launch_bounds=(256, 1), enable_backward=False)
def k023(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel(launch_bounds=(64, 16))
def k024(x: wp.array[float]):
    x[wp.tid()] = x[wp.tid()] * 2.0


@wp.kernel
def k025(x: wp.array[float], n: int):
    i = wp.tid()
    if i < n:
        x[i] = square(x[i])


@wp.kernel
def k026(x: wp.array[float], n: int):
    i = wp.tid()
    x[i] = twice(x[i]) + wp.sin(float(n))


@wp.kernel
def k027(x: wp.array[float]):
    i = wp.tid()
    v = wp.vec3(x[i], 1.0, 2.0)
    x[i] = wp.length(v)


@wp.kernel
def k028(x: wp.array[float]):
    i = wp.tid()
    s = float(0.0)
    for j in range(10):
        s += x[j]
    wp.atomic_add(x, i, s)


@wp.kernel
def k029(x: wp.array[Particle]):
    i = wp.tid()
    p = x[i]
    p.mass = 2.0
    x[i] = p


@wp.kernel
def k030(x: wp.array[float]):
    i = wp.tid()
    r = wp.rand_init(42, i)
    x[i] = wp.randf(r)


@wp.kernel
def k031(x: wp.array[float]):
    i = wp.tid()
    x[i] = native(x[i])


@wp.kernel
def k032(x: wp.array2d[float]):
    i, j = wp.tid()
    x[i, j] = x[i, j] + wp.min(x[i, 0], x[0, j])


@wp.kernel
def k033(x: wp.array[float], m: wp.uint64):
    i = wp.tid()
    p = wp.vec3(x[i], x[i], x[i])
    q = wp.mesh_query_point(m, p, 1.0)
    x[i] = q.u


@wp.kernel
def k034(x: wp.array[float], m: wp.uint64):
    i = wp.tid()
    p = wp.vec3(x[i], x[i], x[i])
    q = wp.mesh_query_ray(m, p, p, 1.0)
    x[i] = q.t


@wp.kernel
def k035(x: wp.array[float], m: wp.uint64):
    i = wp.tid()
    p = wp.vec3(x[i], x[i], x[i])
    q = wp.mesh_query_aabb(m, p, p)
    f = int(0)
    while wp.mesh_query_aabb_next(q, f):
        x[i] = float(f)


@wp.kernel
def k036(x: wp.array[float], m: wp.uint64):
    i = wp.tid()
    p = wp.vec3(x[i], x[i], x[i])
    q = wp.bvh_query_aabb(m, p, p)
    f = int(0)
    while wp.bvh_query_next(q, f):
        x[i] = float(f)


@wp.kernel
def k037(x: wp.array[float], m: wp.uint64):
    i = wp.tid()
    p = wp.vec3(x[i], x[i], x[i])
    q = wp.bvh_query_ray(m, p, p)
    f = int(0)
    while wp.bvh_query_next(q, f):
        x[i] = float(f)


@wp.kernel
def k038(x: wp.array[float], m: wp.uint64):
    i = wp.tid()
    p = wp.vec3(x[i], x[i], x[i])
    q = wp.bvh_query_ray(m, p, p)
    r = wp.bvh_query_aabb(m, p, p)
    f = int(0)
    while wp.bvh_query_next(q, f):
        x[i] = float(f)
    while wp.bvh_query_next(r, f):
        x[i] = float(f)


@wp.kernel
def k039(x: wp.array[float], m: wp.uint64):
    i = wp.tid()
    p = wp.vec3(x[i], x[i], x[i])
    x[i] = wp.mesh_eval_position(m, i, 0.5, 0.5)[0] + wp.volume_sample_f(m, p, wp.Volume.LINEAR)


@wp.kernel
def k040(x: wp.array[float], m: wp.uint64):
    i = wp.tid()
    p = wp.vec3(x[i], x[i], x[i])
    q = wp.hash_grid_query(m, p, 1.0)
    f = int(0)
    while wp.hash_grid_query_next(q, f):
        x[i] = float(f)


@wp.kernel
def k041(x: wp.array[float]):
    s = wp.tile_zeros(shape=64, dtype=float, storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k042(x: wp.array2d[float]):
    s = wp.tile_zeros(shape=(N, 4), dtype=float, storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k043(x: wp.array2d[float]):
    s = wp.tile_zeros((ROWS, COLUMNS), float, "shared")
    wp.tile_store(x, s)


@wp.kernel
def k044(x: wp.array[float]):
    s = wp.tile_ones(shape=3, dtype=float, storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k045(x: wp.array[float]):
    s = wp.tile_full(shape=10, value=1.0, dtype=float, storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k046(x: wp.array[float]):
    s = wp.tile_empty(shape=10, dtype=float, storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k047(x: wp.array[wp.float64]):
    s = wp.tile_zeros(shape=10, dtype=wp.float64, storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k048(x: wp.array[wp.vec3]):
    s = wp.tile_zeros(shape=7, dtype=wp.vec3, storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k049(x: wp.array[wp.mat33]):
    s = wp.tile_zeros(shape=5, dtype=wp.mat33, storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k050(x: wp.array[wp.uint8]):
    s = wp.tile_zeros(shape=5, dtype=wp.uint8, storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k051(x: wp.array[int]):
    s = wp.tile_zeros(shape=TILE, dtype=int, storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k052(x: wp.array[float]):
    s = wp.tile_zeros(shape=64, dtype=float)
    wp.tile_store(x, s)


@wp.kernel
def k053(x: wp.array[float]):
    s = wp.tile_zeros(shape=64, dtype=float, storage="register")
    wp.tile_store(x, s)


@wp.kernel
def k054(x: wp.array[float]):
    s = wp.tile_load(x, shape=64)
    wp.tile_store(x, s)


@wp.kernel
def k055(x: wp.array[float]):
    s = wp.tile_load(x, shape=64, storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k056(x: wp.array[float]):
    s = wp.tile_load(x, 64, wp.tid() * 64, "shared")
    wp.tile_store(x, s)


@wp.kernel
def k057(x: wp.array2d[float]):
    s = wp.tile_load(x, shape=(4, N), offset=(0, 0), storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k058(x: wp.array(dtype=wp.vec4)):
    s = wp.tile_load(x, shape=33, storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k059(x: wp.array(dtype=wp.float16, ndim=2)):
    s = wp.tile_load(x, shape=(2, 9), storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k060(x: wp.array[float]):
    s = wp.tile_load(x, shape=64)
    s = wp.tile_zeros(shape=64, dtype=float, storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k061(x: wp.array[float]):
    a = wp.tile_zeros(shape=64, dtype=float, storage="shared")
    b = wp.tile_zeros(shape=100, dtype=float, storage="shared")
    wp.tile_store(x, a)
    wp.tile_store(x, b)


@wp.kernel
def k062(x: wp.array[float], n: int):
    if n > 2:
        s = wp.tile_zeros(shape=64, dtype=float, storage="shared")
        wp.tile_store(x, s)
    else:
        r = wp.tile_zeros(shape=32, dtype=float, storage="shared")
        wp.tile_store(x, r)


@wp.kernel
def k063(x: wp.array[float], n: int):
    for i in range(n):
        s = wp.tile_zeros(shape=64, dtype=float, storage="shared")
        wp.tile_store(x, s)


@wp.kernel
def k064(x: wp.array[float]):
    for i in range(4):
        s = wp.tile_zeros(shape=64, dtype=float, storage="shared")
        wp.tile_store(x, s)


@wp.kernel
def k065(x: wp.array[float]):
    for i in range(40):
        s = wp.tile_zeros(shape=64, dtype=float, storage="shared")
        wp.tile_store(x, s)


@wp.kernel
def k066(x: wp.array[float]):
    for i in range(0, N, 8):
        s = wp.tile_zeros(shape=16, dtype=float, storage="shared")
        wp.tile_store(x, s)


@wp.kernel
def k067(x: wp.array[float], n: int):
    i = int(0)
    while i < n:
        s = wp.tile_zeros(shape=64, dtype=float, storage="shared")
        wp.tile_store(x, s)
        i += 1


@wp.kernel
def k068(x: wp.array[float]):
    if N > 64:
        s = wp.tile_zeros(shape=64, dtype=float, storage="shared")
        wp.tile_store(x, s)


@wp.kernel
def k069(x: wp.array[float]):
    stored(x)


@wp.kernel
def k070(x: wp.array[float]):
    stored_more(x)
    stored(x)


@wp.kernel
def k071(x: wp.array[float]):
    s = wp.tile_zeros(shape=100, dtype=float, storage="shared")
    wp.tile_store(x, s)
    stored(x)
    stored(x)


@wp.kernel
def k072(x: wp.array[float]):
    x[0] = kept(x[1])


@wp.kernel
def k073(x: wp.array[float]):
    s = wp.tile_load(x, shape=64)
    x[0] = wp.tile_sum(s)[0]


@wp.kernel
def k074(x: wp.array[float]):
    s = wp.tile_load(x, shape=64, storage="shared")
    wp.tile_store(x, wp.tile_sum(s))


@wp.kernel
def k075(x: wp.array[float]):
    s = wp.tile_load(x, shape=64)
    wp.tile_store(x, s + s * 2.0)


@wp.kernel
def k076(x: wp.array[float]):
    s = wp.tile_load(x, shape=64, storage="shared")
    wp.tile_store(x, s + s)


@wp.kernel
def k077(x: wp.array[float]):
    s = wp.tile_load(x, shape=64)
    wp.tile_store(x, wp.tile_map(wp.sin, s))


@wp.kernel
def k078(x: wp.array[float]):
    s = wp.tile_load(x, shape=64)
    s += wp.tile_ones(shape=64, dtype=float)
    wp.tile_store(x, s)


@wp.kernel
def k079(x: wp.array[float]):
    s = wp.tile_load(x, shape=64)
    s[0] = 1.0
    wp.tile_store(x, s)


@wp.kernel
def k080(x: wp.array[float]):
    s = wp.tile_load(x, shape=64)
    x[0] = s[3]


@wp.kernel
def k081(x: wp.array[float]):
    s = wp.tile_arange(0, 64, dtype=float, storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k082(x: wp.array[vec5]):
    s = wp.tile_zeros(shape=64, dtype=vec5, storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k083(x: wp.array[Particle]):
    s = wp.tile_zeros(shape=6, dtype=Particle, storage="shared")
    wp.tile_store(x, s)


@wp.kernel(enable_backward=False)
def k084(x: wp.array2d[float]):
    s = wp.tile_zeros(shape=(64, 64), dtype=float, storage="shared")
    r = wp.tile_zeros(shape=(64, 64), dtype=float, storage="shared")
    u = wp.tile_zeros(shape=(64, 64), dtype=float, storage="shared")
    v = wp.tile_zeros(shape=(64, 64), dtype=float, storage="shared")
    wp.tile_store(x, s)
    wp.tile_store(x, r)
    wp.tile_store(x, u)
    wp.tile_store(x, v)


@wp.kernel(launch_bounds=(256, 2))
def k085(x: wp.array2d[float]):
    s = wp.tile_zeros(shape=(64, 64), dtype=float, storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k086(x: wp.array2d[float]):
    s = wp.tile_load(x, shape=(16, 16))
    wp.tile_store(x, wp.tile_transpose(s))


@wp.kernel
def k087(x: wp.array2d[float]):
    s = wp.tile_load(x, shape=(16, 16), storage="shared")
    r = wp.tile_view(s, offset=(0, 0), shape=(4, 4))
    wp.tile_store(x, r)


@wp.kernel
def k088(x: wp.array[float]):
    s = wp.tile_load(x, shape=64)
    x[0] = wp.tile_extract(s, 3)


@wp.kernel
def k089(x: wp.array[float]):
    s = wp.tile_load(x, shape=64)
    wp.tile_atomic_add(x, s)


@wp.kernel
def k090(x: wp.array[float]):
    s = wp.tile_zeros(shape=64)
    wp.tile_store(x, s)


@wp.kernel
def k091(x: wp.array[float]):
    s = wp.tile_zeros(shape=64, storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k092(x: wp.array2d[float]):
    s = wp.tile_load(x[0], shape=64, storage="shared")
    wp.tile_store(x[0], s)


@wp.kernel
def k093(x: wp.array[float], m: wp.uint64):
    i = wp.tid()
    p = wp.vec3(x[i], x[i], x[i])
    q = wp.mesh_query_aabb(m, p, p)
    f = int(0)
    while wp.mesh_query_next(q, f):
        x[i] = float(f)
    r = wp.mesh_query_sphere(m, p, 1.0)
    while wp.mesh_query_next(r, f):
        x[i] = float(f)
    s = wp.mesh_query_point_sign_normal(m, p, 1.0)
    x[i] = s.u


@wp.kernel
def k094(x: wp.array[float], m: wp.uint64):
    i = wp.tid()
    p = wp.vec3(x[i], x[i], x[i])
    q = wp.bvh_query_sphere(m, p, 1.0)
    f = int(0)
    while wp.bvh_query_next(q, f):
        x[i] = float(f)


@wp.kernel
def k095(x: wp.array[float], m: wp.uint64):
    i = wp.tid()
    p = wp.vec3(x[i], x[i], x[i])
    wp.bvh_query_aabb(m, p, p)
    x[i] = 1.0


@wp.kernel
def k096(x: wp.array[float], m: wp.uint64):
    i = wp.tid()
    p = wp.vec3(x[i], x[i], x[i])
    q = wp.bvh_query_capsule(m, p, p, 1.0)
    f = int(0)
    while wp.bvh_query_next(q, f):
        x[i] = float(f)


@wp.kernel
def k097(x: wp.array[float]):
    s = wp.tile_load(x, shape=64, storage="shared")
    wp.tile_store(x, wp.tile_map(wp.sin, s))


@wp.kernel
def k098(x: wp.array[float]):
    s = wp.tile_load(x, shape=64)
    wp.tile_store(x, wp.tile_map(wp.add, s, s))


@wp.kernel
def k099(x: wp.array[float]):
    s = wp.tile_load(x, shape=64)
    wp.tile_store(x, wp.tile_map(square, s))


@wp.kernel
def k100(x: wp.array[float]):
    s = wp.tile_load(x, shape=64)
    wp.tile_store(x, wp.tile_max(s))
    wp.tile_store(x, wp.tile_min(s))
    wp.tile_store(x, wp.tile_sum(s))


@wp.kernel
def k101(x: wp.array[wp.float64]):
    s = wp.tile_load(x, shape=300)
    wp.tile_store(x, wp.tile_sum(s))


@wp.kernel
def k102(x: wp.array[wp.vec3]):
    s = wp.tile_load(x, shape=300)
    wp.tile_store(x, wp.tile_sum(s))
    u = wp.tile_load(x, shape=30)
    wp.tile_store(x, wp.tile_sum(u))


@wp.kernel
def k103(x: wp.array2d[float]):
    s = wp.tile_load(x, shape=(16, 16))
    wp.tile_store(x[0], wp.tile_sum(s))


@wp.kernel
def k104(x: wp.array[float]):
    s = wp.tile_load(x, shape=64, storage="shared")
    x[0] = s[3] + s[4]


@wp.kernel
def k105(x: wp.array[float]):
    s = wp.tile_load(x, shape=64)
    r = wp.tile_load(x, shape=64)
    x[0] = s[3]
    wp.tile_store(x, r)


@wp.kernel
def k106(x: wp.array[float]):
    s = wp.tile_load(x, shape=64)
    r = s
    wp.tile_store(x, r)


@wp.kernel
def k107(x: wp.array[float]):
    s = wp.tile_load(x, shape=64, storage="shared")
    r = s
    wp.tile_store(x, r)


@wp.kernel
def k108(x: wp.array[float], n: int):
    s = wp.tile_load(x, shape=64, storage="shared")
    if n > 3:
        s = wp.tile_zeros(shape=64, dtype=float, storage="shared")
    wp.tile_store(x, s)


@wp.kernel
def k109(x: wp.array[float], n: int):
    s = wp.tile_zeros(shape=64, dtype=float)
    for i in range(n):
        s += wp.tile_load(x, shape=64, offset=i)
    wp.tile_store(x, s)


@wp.kernel
def k110(x: wp.array[float], n: int):
    s = wp.tile_zeros(shape=64, dtype=float, storage="shared")
    for i in range(n):
        s += wp.tile_load(x, shape=64, offset=i)
    wp.tile_store(x, s)


@wp.kernel
def k111(x: wp.array[float], n: int):
    s = wp.tile_zeros(shape=64, dtype=float)
    for i in range(n):
        s = s + wp.tile_load(x, shape=64, offset=i)
    wp.tile_store(x, s)


@wp.kernel
def k112(x: wp.array[float]):
    for i in range(2):
        for j in range(3):
            s = wp.tile_zeros(shape=16, dtype=float, storage="shared")
            wp.tile_store(x, s)


@wp.kernel
def k113(x: wp.array[float], n: int):
    for i in range(n):
        for j in range(3):
            s = wp.tile_zeros(shape=16, dtype=float, storage="shared")
            wp.tile_store(x, s)


@wp.kernel
def k114(x: wp.array[float]):
    for i in range(N // 4):
        s = wp.tile_zeros(shape=16, dtype=float, storage="shared")
        wp.tile_store(x, s)


@wp.kernel
def k115(x: wp.array[float]):
    for i in range(5):
        if x[i] > 1.0:
            break
        s = wp.tile_zeros(shape=16, dtype=float, storage="shared")
        wp.tile_store(x, s)


@wp.kernel
def k116(x: wp.array[float]):
    for i in range(17):
        s = wp.tile_zeros(shape=16, dtype=float, storage="shared")
        wp.tile_store(x, s)


@wp.kernel
def k117(x: wp.array[float]):
    for i in range(16):
        s = wp.tile_zeros(shape=16, dtype=float, storage="shared")
        wp.tile_store(x, s)


@wp.kernel
def k118(x: wp.array[float]):
    for i in range(TILE):
        s = wp.tile_zeros(shape=16, dtype=float, storage="shared")
        wp.tile_store(x, s)


@wp.kernel
def k119(x: wp.array[float]):
    for i in range(3):
        stored(x)


@wp.kernel
def k120(x: wp.array[float]):
    m = 3
    for i in range(m):
        s = wp.tile_zeros(shape=16, dtype=float, storage="shared")
        wp.tile_store(x, s)


@wp.kernel
def k121(x: wp.array[float]):
    if TILE:
        s = wp.tile_zeros(shape=16, dtype=float, storage="shared")
        wp.tile_store(x, s)


@wp.kernel
def k122(x: wp.array2d[float]):
    s = wp.tile_load(x, shape=(16, 16))
    wp.tile_store(x, wp.tile_transpose(s) + s)


@wp.kernel
def k123(x: wp.array2d[float]):
    s = wp.tile_load(x, shape=(16, 16), storage="shared")
    wp.tile_store(x, wp.tile_transpose(wp.tile_view(s, offset=(0, 0), shape=(8, 8))))


@wp.kernel
def k124(x: wp.array2d[float]):
    s = wp.tile_load(x, shape=(16, 16), storage="shared")
    wp.tile_store(x[0], s[3])


@wp.kernel
def k125(x: wp.array2d[float]):
    s = wp.tile_load(x, shape=(16, 16))
    x[0, 0] = s[3, 4]


@wp.kernel
def k126(x: wp.array2d[float]):
    s = wp.tile_load(x, shape=(16, 16), storage="shared")
    r = wp.tile_load(x, shape=(16, 16), storage="shared")
    wp.tile_store(x, s - r)
    wp.tile_store(x, s * 2.0)
    wp.tile_store(x, -s)


@wp.kernel
def k127(x: wp.array[float]):
    s = wp.tile_load(x, shape=64) * 2.0
    x[0] = s[1]


@wp.kernel
def k128(x: wp.array[float]):
    r = wp.tile_atomic_add(x, wp.tile_load(x, shape=64))
    x[0] = r[1]


@wp.kernel
def k129(x: wp.array[float], m: wp.uint64):
    s = wp.tile_load(x, shape=TILE, storage="shared")
    q = wp.mesh_query_aabb(m, wp.vec3(), wp.vec3())
    f = int(0)
    while wp.mesh_query_next(q, f):
        wp.tile_store(x, s)


@wp.kernel
def k130(x: wp.array2d[float], n: int):
    i, j = wp.tid()
    c = wp.tile_zeros(shape=(TILE, TILE), dtype=float)
    for k in range(n):
        a = wp.tile_load(x, shape=(TILE, N), offset=(i * TILE, k * N))
        b = wp.tile_load(x, shape=(N, TILE), offset=(k * N, j * TILE))
        wp.tile_matmul(a, b, c)
    wp.tile_store(x, c, offset=(i * TILE, j * TILE))


@wp.kernel
def k131(x: wp.array[float], m: wp.uint64):
    if wp.static(N > 64):
        q = wp.bvh_query_aabb(m, wp.vec3(), wp.vec3())
        f = int(0)
        while wp.bvh_query_next(q, f):
            x[f] = 1.0


@wp.kernel
def k132(x: wp.array[float], m: wp.uint64):
    i = wp.tid()
    if i > 64:
        q = wp.bvh_query_aabb(m, wp.vec3(), wp.vec3())
        f = int(0)
        while wp.bvh_query_next(q, f):
            x[f] = 1.0


@wp.kernel
def k133(x: wp.array[float], m: wp.uint64):
    if N > 64:
        q = wp.bvh_query_aabb(m, wp.vec3(), wp.vec3())
        f = int(0)
        while wp.bvh_query_next(q, f):
            x[f] = 1.0


@wp.kernel
def k134(x: wp.array[float], m: wp.uint64):
    few = wp.static(N > 64)
    if few:
        q = wp.bvh_query_aabb(m, wp.vec3(), wp.vec3())
        f = int(0)
        while wp.bvh_query_next(q, f):
            x[f] = 1.0
