"""Cycles settings for clean pictures of fluids, with or without a denoiser."""

import bpy

SAMPLES = 192


def use_cycles(scene: bpy.types.Scene, samples: int = SAMPLES) -> None:
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.samples = samples
    cycles.use_adaptive_sampling = True
    cycles.adaptive_threshold = 0.015
    cycles.use_denoising = _choose(cycles, "denoiser", "OPENIMAGEDENOISE")       # not every Blender is built with it
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 4.0        # avoids white specks; direct light keeps its highlights
    cycles.blur_glossy = 1.0
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 16, 2, 6
    cycles.transmission_bounces, cycles.transparent_max_bounces = 16, 24
    cycles.volume_bounces = 0                 # the fluids absorb, they do not scatter
    _choose(scene.view_settings, "view_transform", "Filmic")
    _choose(scene.view_settings, "look", "High Contrast", "Filmic - High Contrast")
    scene.view_settings.exposure = 0.1
    scene.render.use_lock_interface = True    # meshes change between frames; the viewport must not read them meanwhile


def _choose(owner, name: str, *values: str) -> bool:
    """Sets the first of VALUES that this Blender supports; returns whether there was one."""
    for value in values:
        try:
            setattr(owner, name, value)
            return True
        except TypeError:
            pass
    return False


def use_motion_blur(scene: bpy.types.Scene, shutter: float = 0.5) -> None:
    """SHUTTER is in frames: 0.5 is the 180 degree shutter of a film camera."""
    scene.render.use_motion_blur = True
    scene.render.motion_blur_shutter = shutter
