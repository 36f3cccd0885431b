"""Fills a Blender mesh with a surface: triangles, normals, and the fields as point attributes."""

import bpy
import numpy as np

from .material_cut import cut_by_material
from .ply import Surface

# Before 4.0 the number of corners of a face had to be set; now it follows from the start of each face.
_TELLS_CORNERS = not bpy.types.MeshPolygon.bl_rna.properties["loop_total"].is_readonly


def fill_mesh(mesh: bpy.types.Mesh, surface: Surface, velocity_scale: float) -> None:
    """Replaces the contents of MESH except its materials. Cycles blurs along the attribute `velocity`, in metres per second at
    the scene's frame rate: VELOCITY_SCALE is that rate over the rate of the simulation."""
    mesh.clear_geometry()
    if not len(surface.triangles):
        return
    slots = None
    if "material" in surface.fields and len(mesh.materials) > 1:
        surface, slots = cut_by_material(surface)
    _add_triangles(mesh, surface)
    for name, values in surface.fields.items():
        _add_attribute(mesh, name, values * velocity_scale if name == "velocity" else values)
    if slots is not None:
        mesh.polygons.foreach_set("material_index", np.minimum(slots, len(mesh.materials) - 1))
    mesh.update(calc_edges=True)
    if surface.normals is not None:
        _use_normals(mesh, surface.normals)


def _add_triangles(mesh: bpy.types.Mesh, surface: Surface) -> None:
    count = len(surface.triangles)
    mesh.vertices.add(len(surface.positions))
    mesh.vertices.foreach_set("co", surface.positions.ravel())
    mesh.loops.add(3 * count)
    mesh.loops.foreach_set("vertex_index", surface.triangles.ravel())
    mesh.polygons.add(count)
    mesh.polygons.foreach_set("loop_start", np.arange(0, 3 * count, 3, dtype=np.int32))
    if _TELLS_CORNERS:
        mesh.polygons.foreach_set("loop_total", np.full(count, 3, dtype=np.int32))
    mesh.polygons.foreach_set("use_smooth", np.ones(count, dtype=bool))


def _add_attribute(mesh: bpy.types.Mesh, name: str, values: np.ndarray) -> None:
    if name in mesh.attributes:               # Blender's own, such as `position`
        return
    is_vector = values.ndim == 2
    attribute = mesh.attributes.new(name, "FLOAT_VECTOR" if is_vector else "FLOAT", "POINT")
    attribute.data.foreach_set("vector" if is_vector else "value", np.ascontiguousarray(values, np.float32).ravel())


def _use_normals(mesh: bpy.types.Mesh, normals: np.ndarray) -> None:
    if hasattr(mesh, "use_auto_smooth"):      # before 4.0 custom normals need this
        mesh.use_auto_smooth = True
        mesh.auto_smooth_angle = np.pi
    mesh.normals_split_custom_set_from_vertices(normals)
