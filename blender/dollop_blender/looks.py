"""The looks of fluids, in one table. look_nodes.py builds shaders from it.

Colours are linear RGB. Depths are in bodies, the edge of a cube with the volume of all fluid, so that a spoon and a tank of
honey are both golden where thin and amber where thick.
"""

from dataclasses import dataclass, replace

Color = tuple[float, float, float]


@dataclass(frozen=True)
class Clear:
    """Light passes through and is absorbed (Beer-Lambert law)."""
    color: Color                              # of white light after `depth`
    depth: float = 1.0                        # bodies
    ior: float = 1.33
    cloud: float = 0.0                        # fraction of the light scattered near the surface
    cloud_color: Color = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Soft:
    """Subsurface scattering under a more or less glossy surface."""
    color: Color
    roughness: float
    specular: float = 0.5
    subsurface: float = 0.0                   # fraction of the light scattered below the surface
    reach: float = 0.03                       # bodies; scattering distance of red light
    reach_color: Color = (1.0, 0.6, 0.4)
    grain: float = 0.0                        # height of small bumps, bodies


@dataclass(frozen=True)
class Glow:
    """A black body with a dark crust, at the attribute `temperature` if there is one, otherwise at `temperature`."""
    color: Color                              # of the crust
    temperature: float                        # K


Look = Clear | Soft | Glow

LOOKS: dict[str, Look] = {
    "water": Clear((0.62, 0.86, 0.91), ior=1.33),
    "honey": Clear((0.86, 0.44, 0.016), depth=0.45, ior=1.49, cloud=0.10, cloud_color=(0.95, 0.50, 0.05)),
    "syrup": Clear((0.42, 0.075, 0.014), depth=0.50, ior=1.46, cloud=0.04, cloud_color=(0.35, 0.07, 0.02)),
    "slime": Clear((0.16, 0.62, 0.05), depth=0.40, ior=1.36, cloud=0.22, cloud_color=(0.16, 0.70, 0.05)),
    "jelly": Clear((0.75, 0.035, 0.03), depth=0.35, ior=1.35, cloud=0.10, cloud_color=(0.9, 0.06, 0.05)),
    "cream": Soft((0.86, 0.78, 0.64), roughness=0.30, subsurface=0.4, reach=0.03, reach_color=(1.0, 0.8, 0.6)),
    "dough": Soft((0.74, 0.59, 0.40), roughness=0.62, specular=0.3, subsurface=0.3, reach=0.02, grain=0.004),
    "toothpaste": Soft((0.66, 0.84, 0.77), roughness=0.16, subsurface=0.3, reach=0.02, reach_color=(0.7, 1.0, 0.9)),
    "chocolate": Soft((0.070, 0.023, 0.009), roughness=0.22, specular=0.4),
    "clay": Soft((0.42, 0.14, 0.07), roughness=0.85, specular=0.2, grain=0.006),
    "lava": Glow((0.016, 0.013, 0.012), temperature=1400.0),
    "plain": Soft((0.22, 0.31, 0.42), roughness=0.3),
}


def look_of(name: str, color: Color | None = None) -> Look:
    """The look of that name, or plain; COLOR replaces its main colour."""
    look = LOOKS.get(name, LOOKS["plain"])
    if color is None:
        return look
    changed = replace(look, color=color)
    return replace(changed, cloud_color=color) if isinstance(look, Clear) else changed
