"""Run inside Blender: loads the level set of a ball with a radius of 40 cm at (1, 2, 3) m and converts it to a mesh."""

import math
import sys

import bpy

bpy.ops.object.volume_import(filepath=sys.argv[sys.argv.index("--") + 1])
volume = bpy.context.object
grids = volume.data.grids
assert grids.load(), grids.error_message
assert [(grid.name, grid.data_type) for grid in grids] == [("surface", "FLOAT")]
matrix = grids[0].matrix_object
assert all(abs(matrix[i][j] - (0.02 if i == j else 0)) < 1e-7 for i in range(3) for j in range(4)), matrix

shell = bpy.data.objects.new("shell", bpy.data.meshes.new("shell"))
bpy.context.collection.objects.link(shell)
modifier = shell.modifiers.new("mesh", "VOLUME_TO_MESH")
modifier.object = volume
modifier.grid_name = "surface"
modifier.threshold = 0
mesh = shell.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
places = [vertex.co for vertex in mesh.vertices]
assert len(places) > 1000, f"{len(places)} vertices"
for axis, center in enumerate((1, 2, 3)):
    low, high = min(p[axis] for p in places), max(p[axis] for p in places)
    assert abs(low - center + 0.4) < 0.04 and abs(high - center - 0.4) < 0.04, f"axis {axis}: {low} to {high} m"
mean = sum(math.dist(p, (1, 2, 3)) for p in places) / len(places)
assert abs(mean - 0.4) < 0.01, f"{mean} m from the middle"
print(f"grid surface: {len(places)} vertices, {mean:.4f} m from the middle")
