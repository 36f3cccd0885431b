"""Solids as objects with keyframes, so that Cycles blurs them and an artist can edit them.

A solid that changes its shape between frames, or appears later, becomes several objects, each visible in its own frames.
"""

import bpy
from mathutils import Quaternion, Vector

from .mesh_parts import add_ball, add_box, add_capsule, add_cylinder, shaped_object
from .record import Record, Solid
from .shader_tree import ShaderTree

SHAPE = "dollop_shape"                        # property of an object: the shape of its solid

# The meshes of the fluid end within 0.1 spacings of a wall, on either side. Floors are raised by this much, so that no gap shows
# between fluid and floor.
LIFT = 0.2                                    # spacings
WALL = 0.012                                  # thickness of edge bars and floor of a tank, over its largest side


def still_floor(record: Record) -> Solid | None:
    """A horizontal plane that never moves: the backdrop replaces it."""
    solids = [frame.solids for frame in record.frames]
    return next((solid for solid in solids[0] if _is_floor(solid) and all(solid in others for others in solids)), None)


def is_grey(solid: Solid) -> bool:
    """Whether it has no distinct colour, as solids by default."""
    return max(solid.color) - min(solid.color) < 0.05


def _is_floor(solid: Solid) -> bool:
    return solid.shape == "plane" and solid.visible and (_turn(solid) @ Vector((0, 0, 1))).z > 0.9999


def add_solids(record: Record, collection: bpy.types.Collection, stage: float) -> list[bpy.types.Object]:
    """STAGE is the radius of the scene in metres; a plane is made many times larger."""
    floor = still_floor(record)
    objects = []
    for (index, first), track in _tracks(record).items():
        if first == floor:
            continue
        obj = _shape(first, collection, record.spacing, stage)
        obj.name = f"{first.shape} {index}"
        obj[SHAPE] = first.shape
        _move(obj, record, track)
        objects.append(obj)
    return objects


def _tracks(record: Record) -> dict:
    """(index in the list, first state of the solid) to {frame number: solid}, one entry per unchanged shape."""
    tracks, firsts = {}, {}
    for frame in record.frames:
        for index, solid in enumerate(frame.solids):
            form = (index, solid.shape, solid.size, solid.radius, solid.length, solid.color)
            first = firsts.setdefault(form, (index, solid))
            tracks.setdefault(first, {})[frame.number] = solid
    return tracks


def _turn(solid: Solid) -> Quaternion:
    axis = Vector(solid.rotation)
    return Quaternion(axis.normalized(), axis.length) if axis.length > 0 else Quaternion()


def _move(obj: bpy.types.Object, record: Record, track: dict[int, Solid]) -> None:
    """Places OBJ; a pose that changes between frames gets keyframes with linear interpolation."""
    obj.rotation_mode = "QUATERNION"
    edit = bpy.context.preferences.edit
    kept, edit.keyframe_new_interpolation_type = edit.keyframe_new_interpolation_type, "LINEAR"

    moves = len({(solid.position, solid.rotation) for solid in track.values()}) > 1
    for number, solid in track.items():
        turn = _turn(solid)
        turn.make_compatible(obj.rotation_quaternion)             # the shorter rotation from the previous frame
        obj.location, obj.rotation_quaternion = solid.position, turn
        if moves:
            obj.keyframe_insert("location", frame=number)
            obj.keyframe_insert("rotation_quaternion", frame=number)

    shown = {frame.number: frame.number in track and track[frame.number].visible for frame in record.frames}
    comes_and_goes = len(set(shown.values())) > 1
    for number, is_shown in shown.items():
        obj.hide_render = obj.hide_viewport = not is_shown
        if comes_and_goes:
            obj.keyframe_insert("hide_render", frame=number)
            obj.keyframe_insert("hide_viewport", frame=number)
    edit.keyframe_new_interpolation_type = kept


def _shape(solid: Solid, collection, spacing: float, stage: float) -> bpy.types.Object:
    if solid.shape == "container":
        return _tank(solid, collection, spacing)
    half = Vector(solid.size) / 2
    far = 40 * stage
    build, smooth = {
        "plane": (lambda shape: add_box(shape, (-far, -far, -0.01 * far), (far, far, LIFT * spacing)), False),
        "box": (lambda shape: add_box(shape, -half, half), False),
        "sphere": (lambda shape: add_ball(shape, solid.radius), True),
        "capsule": (lambda shape: add_capsule(shape, solid.radius, solid.length), True),
        "cylinder": (lambda shape: add_cylinder(shape, solid.radius, solid.length), True),
    }[solid.shape]
    obj = shaped_object(collection, solid.shape, build, smooth)
    obj.data.materials.append(_solid_material(solid.color))
    if solid.shape in ("box", "cylinder"):
        _round_edges(obj, min(obj.dimensions) * 0.06)
    return obj


def _tank(solid: Solid, collection, spacing: float) -> bpy.types.Object:
    """A floor and four panes with bars along their edges, without a lid. Panes are slightly outside the fluid."""
    half = Vector(solid.size) / 2 + Vector((1, 1, 0)) * 0.4 * spacing
    bar = WALL * max(solid.size)
    low, high = -half, half
    floor = low.z + LIFT * spacing

    def build(shape):
        add_box(shape, (low.x - bar, low.y - bar, low.z - bar), (high.x + bar, high.y + bar, floor))
        for x in (low.x - bar, high.x):
            for y in (low.y - bar, high.y):
                add_box(shape, (x, y, floor), (x + bar, y + bar, high.z))
        frame = len(shape.faces)
        for side in (-1, 1):
            for axis in (0, 1):
                _add_pane(shape, half, axis, side, floor)
        shape.faces.ensure_lookup_table()
        for face in shape.faces[frame:]:
            face.material_index = 1

    obj = shaped_object(collection, "container", build)
    obj.data.materials.append(_solid_material(solid.color))
    obj.data.materials.append(_pane_material())
    return obj


def _add_pane(shape, half: Vector, axis: int, side: int, floor: float) -> None:
    corners = []
    for along, z in ((-1, floor), (1, floor), (1, half.z), (-1, half.z)):
        corner = Vector((along * half.x, along * half.y, z))
        corner[axis] = side * half[axis]
        corners.append(shape.verts.new(corner))
    shape.faces.new(corners)


def _round_edges(obj: bpy.types.Object, width: float) -> None:
    """Bevelled edges show highlights, as real ones do."""
    bevel = obj.modifiers.new("edges", "BEVEL")
    bevel.width, bevel.segments, bevel.limit_method = width, 3, "ANGLE"


def _solid_material(color) -> bpy.types.Material:
    material = bpy.data.materials.new("dollop solid")
    tree = ShaderTree(material)
    tree.add("OutputMaterial", {0: tree.add("BsdfPrincipled", {"Base Color": color, "Roughness": 0.4})})
    material.diffuse_color = (*(min(c, 1.0) for c in color), 1.0)
    return material


def _pane_material() -> bpy.types.Material:
    """Thin glass: reflects slightly at grazing angles, does not refract, and casts almost no shadow."""
    material = bpy.data.materials.new("dollop glass")
    tree = ShaderTree(material)
    clear = tree.add("BsdfTransparent", {0: (0.96, 0.98, 0.97)})
    mirror = tree.add("BsdfGlossy", {"Color": (1, 1, 1), "Roughness": 0.0})
    path = tree.add("LightPath")
    grazing = tree.add("Fresnel", {"IOR": 1.18}).outputs[0]
    seen = tree.math("MULTIPLY", grazing, path.outputs["Is Camera Ray"])
    tree.add("OutputMaterial", {0: tree.mix(seen, clear, mirror)})
    material.diffuse_color = (0.8, 0.9, 0.9, 0.15)
    return material
