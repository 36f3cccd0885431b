"""Builds the shader of a material from its look."""

import math

import bpy

from .looks import Clear, Glow, Look, Soft
from .shader_tree import ShaderTree


def build_shader(material: bpy.types.Material, look: Look, body: float) -> None:
    """BODY is the unit of length of the look's depths, in metres."""
    tree = ShaderTree(material)
    volume = None
    if isinstance(look, Clear):
        surface, volume = _clear(tree, look, body)
    elif isinstance(look, Soft):
        surface = _soft(tree, look, body)
    else:
        surface = _glow(tree, look, body)
    output = tree.add("OutputMaterial", {"Surface": surface})
    if volume:
        tree.connect(output, "Volume", volume)
    material.diffuse_color = (*(min(c, 1.0) for c in look.color), 1.0)      # in the viewport's solid mode


def _clear(tree: ShaderTree, look: Clear, body: float):
    path = tree.add("LightPath")
    surface = tree.add("BsdfGlass", {"Color": (1, 1, 1), "Roughness": 0.0, "IOR": look.ior})
    if look.cloud:
        cloud = tree.mix(0.5, tree.add("BsdfDiffuse", {"Color": look.cloud_color}),
                         tree.add("BsdfTranslucent", {"Color": look.cloud_color}))
        # Only where the camera ray enters: inside, each of many reflections would add it again, as noise
        outside = tree.math("SUBTRACT", look.cloud, tree.math("MULTIPLY", 1e3, path.outputs["Ray Depth"]))
        surface = tree.mix(tree.math("MAXIMUM", outside, 0.0), surface, cloud)
    # Light from lamps and floor passes straight through and is coloured by the volume. Refracted, it would be a caustic, which
    # path tracing samples badly: black shadows and white specks.
    straight = tree.math("MAXIMUM", path.outputs["Is Shadow Ray"], path.outputs["Is Diffuse Ray"])
    surface = tree.mix(straight, surface, tree.add("BsdfTransparent", {"Color": (0.92, 0.92, 0.92)}))

    rates = [-math.log(min(max(c, 1e-4), 0.9999)) / (look.depth * body) for c in look.color]
    density = max(rates)                      # Blender absorbs at (1 - colour) density per metre
    volume = tree.add("VolumeAbsorption", {"Color": [1 - rate / density for rate in rates], "Density": density})
    return surface, volume


def _soft(tree: ShaderTree, look: Soft, body: float):
    # Mixed explicitly: the Principled BSDF would scatter all of the light below the surface, with more noise
    share = look.subsurface
    skin = tree.add("BsdfPrincipled", {"Base Color": look.color, "Roughness": look.roughness,
                                       "Specular": min(look.specular / (1 - share), 1.0)})
    if look.grain:
        bump = tree.add("Bump", {"Height": _noise(tree, 40 / body), "Distance": look.grain * body})
        tree.connect(skin, "Normal", bump)
    if not share:
        return skin
    below = tree.add("SubsurfaceScattering", {"Color": look.color, "Scale": look.reach * body, "Radius": look.reach_color})
    return tree.mix(share, skin, below)


def _glow(tree: ShaderTree, look: Glow, body: float):
    # Without the attribute Blender returns 0 K: then cracks with the look's own temperature run through a cooler crust.
    noise = _noise(tree, 4 / body, detail=8.0)
    ridge = tree.math("ABSOLUTE", tree.math("SUBTRACT", noise, 0.5))
    own = tree.add("MapRange", {0: ridge, 1: 0.0, 2: 0.06, 3: look.temperature, 4: look.temperature - 650}).outputs[0]
    given = tree.add("Attribute", attribute_name="temperature").outputs["Fac"]
    is_given = tree.math("GREATER_THAN", given, 1.0)
    difference = tree.math("SUBTRACT", given, own)
    kelvin = tree.math("ADD", own, tree.math("MULTIPLY", difference, is_given))

    # The visible light of a black body grows with about the 17th power of its temperature here. The tenth power keeps more of the
    # crust in the range of a picture, where 1400 K is as bright as a lamp's reflection.
    strength = tree.math("MULTIPLY", 6.0, tree.math("POWER", tree.math("DIVIDE", kelvin, 1400.0), 10.0))
    light = tree.add("Emission", {"Color": tree.add("Blackbody", {0: kelvin}), "Strength": strength})
    bump = tree.add("Bump", {"Height": _noise(tree, 25 / body), "Distance": 0.03 * body})
    crust = tree.add("BsdfPrincipled", {"Base Color": look.color, "Roughness": 0.6, "Normal": bump})
    return tree.add("AddShader", {0: crust, 1: light})


def _noise(tree: ShaderTree, scale: float, detail=4.0) -> bpy.types.NodeSocket:
    place = tree.add("TexCoord").outputs["Object"]
    return tree.add("TexNoise", {"Vector": place, "Scale": scale, "Detail": detail}).outputs["Fac"]
