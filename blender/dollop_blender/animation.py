"""Shows the mesh of each frame. Objects store their source folder, so a saved .blend file keeps working."""

import os

import bpy
from bpy.app.handlers import persistent

from .errors import DollopError
from .mesh_fill import fill_mesh
from .ply import read_ply
from .record import FILE_NAME, Record, read_record

FOLDER, KEY, SHOWN = "dollop_folder", "dollop_mesh", "dollop_shown"
_records: dict[str, tuple[float, Record]] = {}


def bind(obj: bpy.types.Object, record: Record, key: int) -> None:
    """Makes OBJ show the meshes of material KEY (-1: all materials) of RECORD."""
    obj[FOLDER], obj[KEY] = str(record.folder.resolve()), key


def bound_objects(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    return [obj for obj in scene.objects if FOLDER in obj and obj.type == "MESH"]


def show_frame(scene: bpy.types.Scene, again=False) -> None:
    """Fills the fluids' meshes for the scene's frame. Raises DollopError when a file is broken."""
    for obj in bound_objects(scene):
        record = _record(obj[FOLDER])
        file = record.frame_at(scene.frame_current).meshes.get(obj[KEY])
        shown = file.name if file else ""
        if obj.get(SHOWN) == shown and not again:
            continue
        obj.data.clear_geometry()             # so that no outdated mesh stays visible if the file cannot be read
        obj[SHOWN] = ""
        if file:
            fill_mesh(obj.data, read_ply(file), velocity_scale(scene, record))
        obj[SHOWN] = shown


def velocity_scale(scene: bpy.types.Scene, record: Record) -> float:
    """Cycles computes the motion in a frame as velocity / (frames per second of the scene)."""
    fps = scene.render.fps / scene.render.fps_base
    return fps / record.frame_rate if record.frame_rate > 0 else 1.0


def _record(folder: str) -> Record:
    """Read once, and again when the file has changed."""
    folder = bpy.path.abspath(folder)
    try:
        changed = os.path.getmtime(os.path.join(folder, FILE_NAME))
    except OSError:
        changed = -1.0
    if folder not in _records or _records[folder][0] != changed:
        _records[folder] = (changed, read_record(folder))
    return _records[folder][1]


@persistent
def on_frame_change(scene, _depsgraph=None) -> None:
    # Only motion blur requests subframes, and it uses the velocities of the whole frame.
    if scene.frame_subframe:
        return
    try:
        show_frame(scene)
    except DollopError as error:
        print(f"dollop: {error}")


def register() -> None:
    if on_frame_change not in bpy.app.handlers.frame_change_pre:
        bpy.app.handlers.frame_change_pre.append(on_frame_change)


def unregister() -> None:
    if on_frame_change in bpy.app.handlers.frame_change_pre:
        bpy.app.handlers.frame_change_pre.remove(on_frame_change)
    _records.clear()
