"""Run inside Blender by blender_import.sh: checks the import of a run and the errors for damaged files.

    blender -b -P blender_check.py -- DIR MESH.obj
"""

import json
import os
import shutil
import struct
import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, os.path.join(os.environ["DOLLOP_SOURCE"], "blender"))

import dollop_blender  # noqa: E402
from dollop_blender import animation  # noqa: E402
from dollop_blender.errors import DollopError  # noqa: E402
from dollop_blender.looks import LOOKS  # noqa: E402
from dollop_blender.ply import read_ply  # noqa: E402
from dollop_blender.record import read_record  # noqa: E402

FRAMES = 4
TANK = {"shape": "container", "position": [0.6, 0.3, 0.4], "size": [1.2, 0.6, 0.8]}


def promised_vertices(path: Path) -> int:
    """By the header alone, to have an answer that does not come from our reader."""
    for line in path.read_bytes()[:2000].split(b"\n"):
        if line.startswith(b"element vertex"):
            return int(line.split()[2])
    raise AssertionError(path)


def write_record(folder: Path, **changes) -> None:
    frames = [{"number": i, "time": i / 40, "meshes": [{"file": f"surface_{i:06d}.ply", "material": -1}],
               "solids": [TANK, {"shape": "box", "position": [1, 0.3, 0.6 - i / 40], "rotation": [0, 0, 0.0785 * i],
                                 "size": [0.05, 0.2, 0.2]}]} for i in range(FRAMES)]
    record = {"dollop": "0.1.0", "frame_rate": 40.0, "spacing": 0.04, "cameras": [], "frames": frames,
              "materials": [{"name": "water", "look": "water", "color": [-1, -1, -1]}]}
    (folder / "surface.json").write_text(json.dumps(record | changes))


def an_import_shows_each_frame(folder: Path) -> None:
    scene = bpy.context.scene
    assert bpy.ops.import_scene.dollop(filepath=str(folder / "surface.json")) == {"FINISHED"}
    fluid, = animation.bound_objects(scene)
    assert (scene.frame_start, scene.frame_end) == (0, FRAMES - 1) and scene.camera
    counts = {}
    for number in (0, 3, 1, 2, 99):
        scene.frame_set(number)
        counts[number] = len(fluid.data.vertices)
        assert counts[number] == promised_vertices(folder / f"surface_{min(number, FRAMES - 1):06d}.ply")
    assert len(set(counts.values())) > 1, "frames differ"
    assert not fluid.data.validate(), "the mesh needs no mending"

    scene.frame_set(3)
    surface = read_ply(folder / "surface_000003.ply")
    velocity = fluid.data.attributes["velocity"]
    assert velocity.domain == "POINT" and velocity.data_type == "FLOAT_VECTOR"
    values = np.empty(3 * len(velocity.data), np.float32)
    velocity.data.foreach_get("vector", values)
    assert np.allclose(values.reshape(-1, 3), surface.fields["velocity"]) and np.abs(values).max() > 0.1
    assert fluid.data.attributes["density"].data_type == "FLOAT"
    assert [slot.material.get("dollop_look") for slot in fluid.material_slots] == \
        [material["look"] for material in json.loads((folder / "surface.json").read_text())["materials"]]


def solids_move_by_keyframes() -> None:
    scene = bpy.context.scene
    box, tank = (next(obj for obj in scene.objects if obj.name.startswith(name)) for name in ("box", "container"))
    heights, angles = [], []
    for number in range(FRAMES):
        scene.frame_set(number)
        heights.append(box.matrix_world.translation.z)
        angles.append(box.matrix_world.to_euler().z)
    assert np.allclose(np.diff(heights), -1 / 40, atol=2e-3), heights
    assert np.allclose(np.diff(angles), 0.0785, atol=2e-3), angles
    assert tank.animation_data is None, "what stands still has no keys"


def a_look_can_be_changed() -> None:
    fluid, = animation.bound_objects(bpy.context.scene)
    for look in LOOKS:
        fluid.material_slots[0].material.dollop_look_choice = look
        assert fluid.material_slots[0].material["dollop_look"] == look


def materials_take_their_own_meshes_and_slots(folder: Path) -> None:
    """Two materials: once with a mesh each, once in one mesh with the property `material`."""
    looks = [{"name": "a", "look": "honey"}, {"name": "b", "look": "unheard of", "color": [0.1, 0.2, 0.3]}]
    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    triangles = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 1, 5)]      # the last from one material to the other
    head = ("ply\nformat binary_little_endian 1.0\nelement vertex 8\n" +
            "".join(f"property float {name}\n" for name in ("x", "y", "z", "material")) +
            "element face 5\nproperty list uchar int vertex_indices\nend_header\n")
    data = b"".join(struct.pack("<4f", *corner, corner[0]) for corner in corners)
    data += b"".join(struct.pack("<B3i", 3, *triangle) for triangle in triangles)
    (folder / "both.ply").write_bytes(head.encode() + data)

    one = [{"number": 0, "meshes": [{"file": "both.ply", "material": -1}]}]
    write_record(folder, materials=looks, frames=one)
    assert bpy.ops.import_scene.dollop(filepath=str(folder / "surface.json")) == {"FINISHED"}
    fluid = next(obj for obj in animation.bound_objects(bpy.context.scene) if obj["dollop_folder"] == str(folder.resolve()))
    assert [polygon.material_index for polygon in fluid.data.polygons] == [0, 0, 1, 1, 1, 0, 0]
    assert sorted(vertex.co.x for vertex in fluid.data.vertices)[4:6] == [0.5, 0.5]      # cut in the middle
    assert [slot.material["dollop_look"] for slot in fluid.material_slots] == ["honey", "plain"]

    each = [{"number": 0, "meshes": [{"file": "both.ply", "material": 1}]},
            {"number": 1, "meshes": [{"file": "both.ply", "material": 1}, {"file": "both.ply", "material": 0}]}]
    write_record(folder, materials=looks, frames=each)
    assert bpy.ops.import_scene.dollop(filepath=str(folder / "surface.json")) == {"FINISHED"}
    fluids = {obj["dollop_mesh"]: obj for obj in animation.bound_objects(bpy.context.scene)
              if obj["dollop_folder"] == str(folder.resolve())}
    for number, vertices in ((0, 0), (1, 8)):
        bpy.context.scene.frame_set(number)
        assert len(fluids[0].data.vertices) == vertices and len(fluids[1].data.vertices) == 8


def ball(path: Path, radius: float, velocity) -> None:
    """A ball at the origin that flies with that velocity."""
    rings, around = 16, 32
    across = [np.array((0, 0, 1.0))]
    for ring in range(1, rings):
        for step in range(around):
            polar, angle = np.pi * ring / rings, 2 * np.pi * step / around
            across.append(np.array((np.sin(polar) * np.cos(angle), np.sin(polar) * np.sin(angle), np.cos(polar))))
    across.append(np.array((0, 0, -1.0)))
    triangles, last = [], len(across) - 1
    for step in range(around):
        turn = (step + 1) % around
        triangles += [(0, 1 + step, 1 + turn), (last, last - around + turn, last - around + step)]
        for ring in range(rings - 2):
            low, high = 1 + ring * around, 1 + (ring + 1) * around
            triangles += [(low + step, high + step, high + turn), (low + step, high + turn, low + turn)]
    names = [*"xyz", "nx", "ny", "nz", "velocity_x", "velocity_y", "velocity_z"]
    head = (f"ply\nformat binary_little_endian 1.0\nelement vertex {len(across)}\n" +
            "".join(f"property float {name}\n" for name in names) +
            f"element face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n")
    data = b"".join(struct.pack("<9f", *(radius * normal), *normal, *velocity) for normal in across)
    path.write_bytes(head.encode() + data + b"".join(struct.pack("<B3i", 3, *triangle) for triangle in triangles))


def motion_blur_goes_along_the_velocity(folder: Path) -> None:
    """A ball of 20 cm at 4 m/s and 40 fps, half a frame open: 5 cm longer along the motion, as high as before. Also when the
    scene plays at another rate than was simulated: the way of a frame stays."""
    folder.mkdir()
    ball(folder / "ball.ply", 0.1, (4, 0, 0))
    camera = {"position": [0, -2, 0], "target": [0, 0, 0], "angle": 0.2}
    write_record(folder, materials=[{"look": "clay"}], frames=[{"number": 0, "meshes": [{"file": "ball.ply"}]}], cameras=[camera])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    bpy.ops.import_scene.dollop(filepath=str(folder / "surface.json"))
    bpy.data.objects.remove(bpy.data.objects["dollop backdrop"])
    scene.render.resolution_x, scene.render.resolution_y, scene.render.film_transparent = 160, 90, True
    scene.cycles.samples, scene.cycles.use_adaptive_sampling = 16, False
    pixel = 2 * 2 * np.tan(0.1) / 90          # m

    def silhouette(blurred: bool, fps: int) -> np.ndarray:
        scene.render.use_motion_blur, scene.render.fps = blurred, fps
        animation.show_frame(scene, again=True)
        scene.render.filepath = str(folder / "ball.png")
        bpy.ops.render.render(write_still=True)
        picture = bpy.data.images.load(scene.render.filepath)
        alpha = np.array(picture.pixels[:]).reshape(90, 160, 4)[:, :, 3] > 0.02
        bpy.data.images.remove(picture)
        return np.array([alpha.any(axis=0).sum(), alpha.any(axis=1).sum()]) * pixel

    sharp = silhouette(False, 40)
    assert np.allclose(sharp, 0.2, atol=3 * pixel), sharp
    for fps in (40, 24):
        longer = silhouette(True, fps) - sharp
        assert abs(longer[0] - 0.05) < 3 * pixel and abs(longer[1]) < 2 * pixel, (fps, longer)


def refuses(words: str, call, *arguments) -> None:
    try:
        call(*arguments)
    except DollopError as error:
        assert words in str(error) and "\n" not in str(error), error
        return
    raise AssertionError(f"nothing was said about: {words}")


def broken_meshes_are_refused(folder: Path, sound: bytes) -> None:
    head, _, body = sound.partition(b"end_header\n")
    count = head.split(b"element vertex ")[1].split(b"\n")[0]
    broken = folder / "broken.ply"
    last = sound[:-4]
    for words, data in (
            ("is not a PLY", b"solid\n"),
            ("its header has no end", sound[:60]),
            ("cut short", sound[:-7]),
            ("too long", sound + b"more"),
            ("cut short", sound.replace(count, b"2000000000", 1)),
            ("more than a mesh can have", sound.replace(count, b"99999999999", 1)),
            ("element vertex COUNT", sound.replace(count, b"-3", 1)),
            ("binary little endian", sound.replace(b"binary_little_endian", b"ascii", 1)),
            ("float properties only", sound.replace(b"property float nx", b"property double nx", 1)),
            ("each property once", sound.replace(b"property float nx", b"property float x", 1)),
            ("corners that do not exist", last + struct.pack("<i", 1 << 30)),
            ("corners that do not exist", last + struct.pack("<i", -1)),
            ("not numbers", head + b"end_header\n" + struct.pack("<f", float("nan")) + body[4:])):
        broken.write_bytes(data)
        refuses(words, read_ply, broken)
        refuses("broken.ply", read_ply, broken)
    refuses("there is no such file", read_ply, folder / "gone.ply")


def broken_records_are_refused(folder: Path) -> None:
    frame = {"number": 0, "meshes": []}
    for words, changes in (
            ("spacing must be a number", {"spacing": "wide"}),
            ("spacing must be a number", {"spacing": float("nan")}),
            ("frames must be a list", {"frames": None}),
            ("there are no frames", {"frames": []}),
            ("is there twice", {"frames": [frame, frame]}),
            ("frames[0].number must be a whole number", {"frames": [{"number": 1e30}]}),
            ("frames[0].solids[0].shape must be one of", {"frames": [frame | {"solids": [{"shape": "torus"}]}]}),
            ("materials[0] must be an object", {"materials": ["honey"]}),
            ("materials[0].name must be a text", {"materials": [{"name": "\ud800"}]}),
            ("materials[0].name must be a text", {"materials": [{"name": "a\0b"}]}),
            ("position and target differ", {"cameras": [{"position": [0, 0, 0], "target": [0, 0, 0]}]}),
            *(("frames[0].meshes[0].file must be the plain name", {"frames": [frame | {"meshes": [{"file": name}]}]})
              for name in ("../surface_000000.ply", "/etc/passwd", "..", "a\\b.ply", "C:x.ply", ""))):
        write_record(folder, **changes)
        refuses(words, read_record, folder)
        refuses("surface.json", read_record, folder)
    for text in ("{", "[" * 100000, "\0"):
        (folder / "surface.json").write_text(text)
        refuses("is not JSON", read_record, folder)
    write_record(folder, frames=[frame | {"meshes": [{"file": "link.ply"}]}])
    (folder / "link.ply").symlink_to("/etc/passwd")
    refuses("leads out of it", read_record, folder)


def the_handler_survives_a_broken_file(folder: Path) -> None:
    """It prints, shows nothing, and goes on with the next frame."""
    scene = bpy.context.scene
    for number in (1, 2):
        shutil.copy(folder.parent / "out" / f"surface_{number:06d}.ply", folder)
    (folder / "surface_000000.ply").write_bytes((folder / "surface_000001.ply").read_bytes())
    write_record(folder, frames=[{"number": i, "meshes": [{"file": f"surface_{i:06d}.ply"}]} for i in range(3)])
    assert bpy.ops.import_scene.dollop(filepath=str(folder / "surface.json")) == {"FINISHED"}
    (folder / "surface_000001.ply").write_bytes(b"ply\nbroken")
    fluid = next(obj for obj in animation.bound_objects(scene) if obj["dollop_folder"] == str(folder.resolve()))
    vertices = []
    for number in range(3):
        scene.frame_set(number)
        vertices.append(len(fluid.data.vertices))
    assert vertices[0] > 0 and vertices[1] == 0 and vertices[2] > 0, vertices


def a_saved_scene_goes_on(folder: Path) -> None:
    """The .blend file knows where its meshes are, and the handler is there after loading."""
    file = str(folder.parent.resolve() / "saved.blend")
    bpy.context.scene.frame_set(0)
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.open_mainfile(filepath=file)
    fluid = next(obj for obj in animation.bound_objects(bpy.context.scene) if obj["dollop_folder"] == str(folder.resolve()))
    for number in (2, 1):
        bpy.context.scene.frame_set(number)
        assert len(fluid.data.vertices) == promised_vertices(folder / f"surface_{number:06d}.ply")


def blenders_own_importers_agree(ply: Path, obj: Path) -> None:
    """The command's files are plain PLY and OBJ to anyone else."""
    wanted = promised_vertices(ply)
    by_ply = bpy.ops.wm.ply_import if hasattr(bpy.types, "WM_OT_ply_import") else bpy.ops.import_mesh.ply
    for call, file in ((by_ply, ply), (bpy.ops.wm.obj_import, obj)):
        call(filepath=str(file))
        assert len(bpy.context.object.data.vertices) == wanted, (file, len(bpy.context.object.data.vertices), wanted)


def main(folder: Path, obj: Path) -> None:
    if not (folder / "surface.json").exists():
        write_record(folder)
    scratch = folder.parent / "scratch"
    scratch.mkdir(exist_ok=True)
    dollop_blender.register()
    an_import_shows_each_frame(folder)
    solids_move_by_keyframes()
    a_saved_scene_goes_on(folder)
    a_look_can_be_changed()
    materials_take_their_own_meshes_and_slots(scratch)
    broken_meshes_are_refused(scratch, (folder / "surface_000003.ply").read_bytes())
    broken_records_are_refused(scratch)
    the_handler_survives_a_broken_file(scratch)
    blenders_own_importers_agree(folder / "surface_000003.ply", obj)
    motion_blur_goes_along_the_velocity(scratch / "ball")
    dollop_blender.unregister()
    print("all is well")


main(*(Path(argument) for argument in sys.argv[sys.argv.index("--") + 1:]))
