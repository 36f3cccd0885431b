"""Checks the output of surface_materials.sh: water (2) in 0 < x < 0.4 m, oil (1) beside it up to 0.8 m."""

import json

import numpy


def read_ply(path):
    """The vertices by name, and the triangles."""
    data = open(path, "rb").read()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    words = [line.split() for line in data[:end].decode().splitlines()]
    counts = [int(w[2]) for w in words if w[0] == "element"]
    names = [w[2] for w in words if w[:2] == ["property", "float"]]
    vertices = numpy.frombuffer(data, "<f4", counts[0] * len(names), end).reshape(counts[0], len(names))
    faces = numpy.frombuffer(data, [("n", "u1"), ("v", "<i4", 3)], counts[1], end + vertices.nbytes)
    return dict(zip(names, vertices.T)), faces["v"]


def volume(path):
    columns, faces = read_ply(path)
    corner = numpy.stack([columns[a].astype(float) for a in "xyz"], axis=1)[faces]
    return numpy.einsum("ij,ij->", corner[:, 0], numpy.cross(corner[:, 1], corner[:, 2])) / 6


def has(path, *names):
    columns, _ = read_ply(path)
    return [name in columns for name in names]


columns, _ = read_ply("two/surface_000000.ply")
assert "velocity_x" in columns and "density" not in columns
material, x = columns["material"], columns["x"]
assert material.min() >= 1 and material.max() <= 2
assert (material[x < 0.2] == 2).all() and (material[x > 0.6] == 1).all(), "only one material on each side"
between = material[abs(x - 0.4) < 0.01]
assert len(between) > 10 and abs(between.mean() - 1.5) < 0.1, f"the mean in between is not 1.5 but {between.mean()}"

assert has("one/surface_000000.ply", "velocity_x", "material") == [True, False], "no material field with a single material"
assert has("listed/surface_000000.ply", "velocity_x", "density", "material") == [False, True, False], "fields as listed"
assert (read_ply("listed_one/surface_000000.ply")[0]["material"] == 2).all(), "material listed explicitly"

water, oil = (f"separate/surface_m{m}_000000.ply" for m in (2, 1))
assert has(water, "velocity_x", "material") == [True, False]
assert read_ply(water)[0]["x"].max() < 0.42 and read_ply(oil)[0]["x"].min() > 0.38
for path in (water, oil, "one/surface_000000.ply"):
    assert abs(volume(path) / 0.064 - 1) < 0.1, f"{path}: {volume(path)} m3"
assert numpy.array_equal(read_ply(water)[0]["x"], read_ply("one/surface_000000.ply")[0]["x"]), "same mesh as without the other material"
print(f"water {volume(water):.4f} m3, oil {volume(oil):.4f} m3, both in one {volume('two/surface_000000.ply'):.4f} m3")
meshes = json.load(open("separate/surface.json"))["frames"][0]["meshes"]
assert [(m["file"], m["material"]) for m in meshes] == [("surface_m1_000000.ply", 1), ("surface_m2_000000.ply", 2)], meshes
