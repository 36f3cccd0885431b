"""A photo studio: a seamless backdrop, a soft key light, a light from above and behind, and a sky as fill light."""

import math

import bpy
from mathutils import Matrix, Vector

from .mesh_parts import mesh_object
from .shader_tree import ShaderTree

BACKDROP_COLOR = (0.70, 0.63, 0.54)           # warm off-white paper, linear RGB
BEND_STEPS = 24

# Angle from the camera (rad, left is positive), height (rad), size and distance in radii of the stage, irradiance of the stage
# (W/m^2; the radiance of white paper is a third of it), colour.
LIGHTS = {
    "key": (1.0, 0.80, 1.7, 3.6, 4.2, (1.0, 0.95, 0.88)),
    "top": (2.6, 1.20, 2.2, 3.6, 1.8, (1.0, 0.97, 0.93)),
}
FILL = (-1.1, 0.6)                            # direction of the brightest sky, opposite the key light: a fill light without noise


def build_studio(scene: bpy.types.Scene, collection: bpy.types.Collection, center, radius: float, floor: float,
                 floor_color=BACKDROP_COLOR) -> None:
    """Builds the studio around a stage of that centre and radius. The paper lies at the height FLOOR and rises behind the stage,
    seen from the camera."""
    eye = scene.camera.location - Vector(center)
    azimuth = math.atan2(eye.y, eye.x)
    reach = max(radius, eye.xy.length / 4)
    _add_backdrop(collection, Vector((center[0], center[1], floor)), reach, azimuth, floor_color)
    for name, (turn, height, size, distance, irradiance, color) in LIGHTS.items():
        offset = _direction(azimuth + turn, height) * distance * radius
        _add_light(collection, name, Vector(center), offset, size * radius, irradiance, color)
    scene.world = _sky(azimuth)


def _add_light(collection, name, center, offset, size, irradiance, color) -> None:
    data = bpy.data.lights.new(f"dollop {name}", "AREA")
    data.shape, data.size, data.color = "DISK", size, color
    data.energy = irradiance * math.pi * offset.length_squared
    light = bpy.data.objects.new(data.name, data)
    light.location = center + offset
    light.rotation_euler = (-offset).to_track_quat("-Z", "Y").to_euler()
    light.visible_camera = False
    collection.objects.link(light)


def _add_backdrop(collection, origin: Vector, reach: float, azimuth: float, color) -> None:
    """A strip of paper: from behind the camera along the floor, up in a quarter circle, and to the ceiling."""
    bend, behind = 3 * reach, 3 * reach
    profile = [(8 * reach, 0.0)]
    for step in range(BEND_STEPS + 1):
        angle = math.pi / 2 * step / BEND_STEPS
        profile.append((-behind - bend * math.sin(angle), bend * (1 - math.cos(angle))))
    profile.append((-behind - bend, 12 * reach))
    half = 14 * reach
    points = [(x, side * half, z) for x, z in profile for side in (-1, 1)]
    faces = [(2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1) for i in range(len(profile) - 1)]
    backdrop = mesh_object(collection, "dollop backdrop", points, faces, smooth=True)
    backdrop.matrix_world = Matrix.Translation(origin) @ Matrix.Rotation(azimuth, 4, "Z")
    paper = bpy.data.materials.new("dollop backdrop")
    tree = ShaderTree(paper)
    tree.add("OutputMaterial", {"Surface": tree.add("BsdfPrincipled", {"Base Color": color, "Roughness": 0.75,
                                                                      "Specular": 0.15})})
    backdrop.data.materials.append(paper)


def _sky(azimuth: float) -> bpy.types.World:
    """Dark below, brighter above, brightest towards the fill direction: the reflection environment of glossy surfaces."""
    world = bpy.data.worlds.new("dollop sky")
    tree = ShaderTree(world)
    direction = tree.add("TexCoord").outputs["Generated"]
    towards = tree.add("VectorMath", {0: direction, 1: _direction(azimuth + FILL[0], FILL[1])}, operation="DOT_PRODUCT")
    glow = tree.add("MapRange", {0: towards.outputs["Value"], 1: 0.55, 2: 0.95, 3: 0.0, 4: 0.7},
                    interpolation_type="SMOOTHSTEP").outputs[0]
    height = tree.add("SeparateXYZ", {0: direction}).outputs["Z"]
    strength = tree.add("MapRange", {0: height, 1: -0.1, 2: 1.0, 3: 0.08, 4: 0.28}).outputs[0]
    tree.add("OutputWorld", {0: tree.add("Background", {0: (0.92, 0.96, 1.0), 1: tree.math("ADD", strength, glow)})})
    world.cycles.sampling_method = "NONE"     # the sky is smooth, so all light samples go to the lamps
    return world


def _direction(azimuth: float, height: float) -> Vector:
    return Vector((math.cos(azimuth) * math.cos(height), math.sin(azimuth) * math.cos(height), math.sin(height)))
