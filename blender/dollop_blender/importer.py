"""Imports a sequence into the scene: fluids, solids, camera and studio. Used by the add-on and the render script."""

import bpy
import numpy as np
from mathutils import Vector

from . import animation
from .camera import framed_camera, place_camera
from .extent import Extent, measure
from .look_nodes import build_shader
from .looks import LOOKS, look_of
from .mesh_parts import link_mesh
from .record import Camera, Material, Record
from .render_settings import use_cycles
from .solids import LIFT, SHAPE, add_solids, is_grey, still_floor
from .studio import BACKDROP_COLOR, build_studio

MAX_FPS = 240
MUCH_LARGER = 2.5


def import_surface(scene: bpy.types.Scene, record: Record, camera: Camera | None, studio=True) -> None:
    """Without CAMERA, places one that frames all fluid. Raises DollopError if a mesh is invalid."""
    extent = measure(record)
    collection = _emptied_collection(scene, f"dollop {record.folder.resolve().name}")
    _set_time(scene, record)
    _add_fluids(collection, record, extent)
    solids = add_solids(record, collection, extent.radius)
    animation.register()
    scene.frame_set(scene.frame_start)
    animation.show_frame(scene)               # raises errors that the handler only prints
    if studio:
        use_cycles(scene)
        _set_stage(scene, record, extent, solids, camera)


def _emptied_collection(scene: bpy.types.Scene, name: str) -> bpy.types.Collection:
    """A second import replaces the first."""
    collection = bpy.data.collections.get(name) or bpy.data.collections.new(name)
    for obj in list(collection.objects):
        data = obj.data                       # None for an empty that a user has added
        bpy.data.objects.remove(obj)
        if data and not data.users:
            bpy.data.batch_remove([data])
    if name not in scene.collection.children:
        scene.collection.children.link(collection)
    return collection


def _set_time(scene: bpy.types.Scene, record: Record) -> None:
    if record.frame_rate > 0:                 # fps is an integer; fps_base holds the remainder
        scene.render.fps = max(1, min(MAX_FPS, round(record.frame_rate)))
        scene.render.fps_base = scene.render.fps / min(record.frame_rate, MAX_FPS)
    scene.frame_start, scene.frame_end = record.frames[0].number, record.frames[-1].number


def _add_fluids(collection, record: Record, extent: Extent) -> None:
    materials = [_material(material, extent.body) for material in record.materials]
    materials = materials or [_material(Material("fluid", "plain", None), extent.body)]
    for key in record.mesh_keys():
        used = materials if key < 0 else [materials[key]]
        mesh = bpy.data.meshes.new("fluid" if len(used) > 1 else used[0].name)
        for material in used:
            mesh.materials.append(material)
        animation.bind(link_mesh(collection, mesh), record, key)


def _material(material: Material, body: float) -> bpy.types.Material:
    made = bpy.data.materials.new(material.name or material.look)
    made["dollop_body"] = body
    if material.color:
        made["dollop_color"] = material.color
    set_look(made, material.look)
    return made


def set_look(material: bpy.types.Material, name: str) -> None:
    """For a material that came from a record."""
    color = material.get("dollop_color")
    material["dollop_look"] = name if name in LOOKS else "plain"
    build_shader(material, look_of(name, tuple(color) if color else None), material["dollop_body"])


def _set_stage(scene, record: Record, extent: Extent, solids, camera: Camera | None) -> None:
    collection = _emptied_collection(scene, "dollop studio")
    stage, bottom = _with_solids(extent, solids)
    aspect = scene.render.resolution_x / scene.render.resolution_y
    place_camera(scene, collection, camera or framed_camera(stage, aspect))
    plane = still_floor(record)
    floor = (plane.position[2] if plane else min(bottom, float(extent.low[2]))) + LIFT * record.spacing
    color = BACKDROP_COLOR if plane is None or is_grey(plane) else plane.color
    build_studio(scene, collection, stage.center, stage.radius, floor, color)


def _with_solids(extent: Extent, solids) -> tuple[Extent, float]:
    """The extent of the fluid and the solids (without the solids if they are much larger), and the lowest point of the solids."""
    bpy.context.view_layer.update()
    corners = [obj.matrix_world @ Vector(corner) for obj in solids if not obj.hide_render and obj[SHAPE] != "plane"
               for corner in obj.bound_box]
    if not corners:
        return extent, float("inf")
    low, high = np.minimum(extent.low, np.min(corners, axis=0)), np.maximum(extent.high, np.max(corners, axis=0))
    joined = Extent(low, high, np.concatenate([extent.points, corners]), extent.body)
    return joined if joined.radius < MUCH_LARGER * extent.radius else extent, float(np.min(corners, axis=0)[2])
