"""Renders a folder of `dollop surface` with Cycles, without opening a window. See --help."""

import argparse
import math
import shutil
import subprocess
import sys
import time
import traceback
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from dollop_blender import animation  # noqa: E402  (found through the line above)
from dollop_blender.errors import DollopError  # noqa: E402
from dollop_blender.importer import import_surface  # noqa: E402
from dollop_blender.record import Camera, Record, read_record  # noqa: E402
from dollop_blender.render_settings import SAMPLES, use_cycles, use_motion_blur  # noqa: E402

HELP = """\
Render the meshes of `dollop surface` with Cycles.

  blender -b -P blender/render.py -- DIR [options]

DIR holds surface.json and the meshes beside it. Pictures go to OUT/render_000000.png ...; when there is more than one,
ffmpeg joins them into OUT/render.mp4."""

EXAMPLES = """\
examples:
  blender -b -P blender/render.py -- out/honey
      every frame, at 1280x720
  blender -b -P blender/render.py -- out/honey --frames 37 --size 480x270 --samples 32
      a quick preview of one frame
  blender -b -P blender/render.py -- out/honey --frames 0-120 --motion-blur --camera 2,-3,1.5:0,0,0.2
      part of the sequence, with motion blur, from the given camera position

More samples give less noise; twice as many take twice as long."""


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("render.py", usage=argparse.SUPPRESS, description=HELP, epilog=EXAMPLES,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", type=Path, help="folder with surface.json")
    parser.add_argument("-o", "--output", metavar="OUT", type=Path, help="folder for the pictures; default DIR/render")
    parser.add_argument("--frames", metavar="A-B", type=frame_range, help="one frame or a range, such as 37 or 0-120; default all")
    parser.add_argument("--size", metavar="WxH", type=picture_size, default=(1280, 720), help="in pixels; default 1280x720")
    parser.add_argument("--samples", metavar="N", type=int, default=SAMPLES,
                        help=f"light paths per pixel, at most; default {SAMPLES}")
    parser.add_argument("--motion-blur", action="store_true",
                        help="blur moving objects, from the velocities in the meshes; the shutter is open for half a frame")
    parser.add_argument("--camera", metavar="WHICH", default="",
                        help="name or number (1, 2, ...) of a camera of the scene, 'auto' to frame the fluid, or X,Y,Z:X,Y,Z for "
                        "position and target in metres, with = before a minus sign, as in --camera=-1,-3,1:0,0,0; default the "
                        "scene's first camera")
    parser.add_argument("--save", metavar="FILE.blend", type=Path, help="also save the scene, for further work in Blender")
    args = parser.parse_args(arguments)
    if not 1 <= args.samples <= 1 << 20:
        parser.error("--samples needs a number from 1 to 1048576")
    return args


def frame_range(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    if not first.isdigit() or not (last or first).isdigit() or int(last or first) < int(first):
        raise argparse.ArgumentTypeError(f"'{text}' is neither a frame, as 37, nor a range, as 0-120")
    return int(first), int(last or first)


def picture_size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit() and 4 <= int(width) <= 16384 and 4 <= int(height) <= 16384):
        raise argparse.ArgumentTypeError(f"'{text}' is no size from 4x4 to 16384x16384, as 1280x720")
    return int(width), int(height)


def choose_camera(record: Record, which: str) -> Camera | None:
    """None: the importer frames the fluid."""
    cameras = record.cameras
    if which == "auto" or not (which or cameras):
        return None
    if not which:
        return cameras[0]
    for place, camera in enumerate(cameras, 1):
        if which in (camera.name, str(place)):
            return camera
    try:
        position, target = (tuple(float(x) for x in part.split(",")) for part in which.split(":"))
        if len(position) == len(target) == 3 and math.dist(position, target) > 0:
            return Camera("asked", position, target, cameras[0].angle if cameras else 0.6)
    except ValueError:
        pass
    known = ", ".join(camera.name or str(place) for place, camera in enumerate(cameras, 1)) or "none"
    raise DollopError(f"--camera {which}: neither a camera of the scene ({known}), nor 'auto', nor X,Y,Z:X,Y,Z")


def numbers_to_render(record: Record, asked: tuple[int, int] | None) -> list[int]:
    numbers = [frame.number for frame in record.frames]
    chosen = [number for number in numbers if not asked or asked[0] <= number <= asked[1]]
    if not chosen:
        raise DollopError(f"--frames: {record.folder} has frames {numbers[0]} to {numbers[-1]}, none of the requested ones")
    return chosen


def render(scene: bpy.types.Scene, numbers: list[int], output: Path) -> None:
    start = time.monotonic()
    for done, number in enumerate(numbers, 1):
        scene.frame_set(number)
        animation.show_frame(scene)           # raises errors that the handler only prints
        scene.render.filepath = str(output / f"render_{number:06d}.png")
        bpy.ops.render.render(write_still=True)
        if not Path(scene.render.filepath).is_file():
            raise DollopError(f"{scene.render.filepath}: could not be written")
        spent = time.monotonic() - start
        print(f"dollop: frame {number}, {done} of {len(numbers)}, {clock(spent / done)} each, "
              f"{clock(spent / done * (len(numbers) - done))} left", flush=True)


def clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s" if minutes else f"{seconds:.1f} s"


def join_film(scene: bpy.types.Scene, numbers: list[int], output: Path) -> None:
    ffmpeg = shutil.which("ffmpeg")
    if not ffmpeg:
        print("dollop: ffmpeg not found, so there are pictures but no film")
        return
    names = output / "render.txt"             # numbers may have gaps, so ffmpeg gets a list
    names.write_text("".join(f"file 'render_{number:06d}.png'\n" for number in numbers))
    film = output / "render.mp4"
    fps = scene.render.fps / scene.render.fps_base
    done = subprocess.run([ffmpeg, "-y", "-loglevel", "error", "-r", f"{fps:g}", "-f", "concat", "-i", str(names),
                           "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "17",
                           "-movflags", "+faststart", str(film)], capture_output=True, text=True)
    names.unlink()
    if done.returncode:
        raise DollopError(f"{film}: ffmpeg failed: {done.stderr.strip().splitlines()[-1:]}")
    print(f"dollop: {film}")


def main(arguments: list[str]) -> None:
    args = parse(arguments)
    record = read_record(args.folder)
    numbers = numbers_to_render(record, args.frames)
    camera = choose_camera(record, args.camera)
    output = (args.output or record.folder / "render").resolve()
    output.mkdir(parents=True, exist_ok=True)

    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.resolution_x, scene.render.resolution_y = args.size
    import_surface(scene, record, camera)
    use_cycles(scene, args.samples)
    if args.motion_blur:
        use_motion_blur(scene)
    if args.save:
        bpy.ops.wm.save_as_mainfile(filepath=str(args.save.resolve()))
    render(scene, numbers, output)
    if len(numbers) > 1:
        join_film(scene, numbers, output)


if __name__ == "__main__":
    try:
        main(sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else ["--help"])
    except (DollopError, OSError) as error:
        print(f"dollop: {error}", file=sys.stderr)
        sys.exit(1)
    except Exception:                         # Blender would print it and exit with code 0
        traceback.print_exc()
        sys.exit(2)
