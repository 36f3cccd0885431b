"""Imports the surfaces of dollop, a simulator of viscoelastic fluids, into Blender."""

bl_info = {
    "name": "dollop surfaces",
    "author": "the dollop authors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > dollop surface, and the sidebar of the 3D View",
    "description": "Animated meshes of dollop with motion blur, looks, solids and a studio",
    "category": "Import-Export",
}


def register():
    from . import animation, panel
    panel.register()
    animation.register()


def unregister():
    from . import animation, panel
    animation.unregister()
    panel.unregister()
