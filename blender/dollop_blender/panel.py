"""The user interface of the add-on: an entry in File > Import, and the tab 'dollop' in the sidebar of the 3D View."""

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from . import animation
from .errors import DollopError
from .importer import import_surface, set_look
from .looks import LOOKS
from .record import FILE_NAME, read_record
from .render_settings import use_cycles, use_motion_blur


class _Reports:
    """An operator that shows errors instead of raising them."""

    def execute(self, context):
        try:
            self.run(context)
        except DollopError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


def _import(context, path: str, studio: bool) -> None:
    record = read_record(path)
    import_surface(context.scene, record, record.cameras[0] if record.cameras else None, studio)
    context.scene.dollop_folder = str(record.folder)
    if studio and context.screen:             # a fluid of a few centimetres would be too small in the default view
        for area in context.screen.areas:
            if area.type == "VIEW_3D":
                area.spaces.active.region_3d.view_perspective = "CAMERA"


class DOLLOP_OT_import(_Reports, bpy.types.Operator, ImportHelper):
    """Import the meshes that `dollop surface` made, with materials, solids, camera and light"""
    bl_idname = "import_scene.dollop"
    bl_label = "Import dollop surface"
    bl_options = {"REGISTER", "UNDO"}

    filename_ext = ".json"
    filter_glob: StringProperty(default=FILE_NAME, options={"HIDDEN"})
    studio: BoolProperty(name="Camera and studio", default=True,
                         description="Also place camera, lights and backdrop, and set up Cycles")

    def run(self, context):
        _import(context, self.filepath, self.studio)


class DOLLOP_OT_import_folder(_Reports, bpy.types.Operator):
    """Import the folder above"""
    bl_idname = "dollop.import_folder"
    bl_label = "Import"
    bl_options = {"REGISTER", "UNDO"}

    def run(self, context):
        _import(context, bpy.path.abspath(context.scene.dollop_folder), True)


class DOLLOP_OT_reload(_Reports, bpy.types.Operator):
    """Read the mesh of this frame again, after it was regenerated"""
    bl_idname = "dollop.reload"
    bl_label = "Reload"

    def run(self, context):
        animation.show_frame(context.scene, again=True)


class DOLLOP_OT_clean_picture(_Reports, bpy.types.Operator):
    """Set up Cycles for clean pictures of fluids"""
    bl_idname = "dollop.clean_picture"
    bl_label = "Clean picture"

    def run(self, context):
        use_cycles(context.scene)


class DOLLOP_OT_motion_blur(_Reports, bpy.types.Operator):
    """Blur along the velocities of the fluid, as a film camera does"""
    bl_idname = "dollop.motion_blur"
    bl_label = "Use motion blur"

    def run(self, context):
        use_motion_blur(context.scene)


class DOLLOP_PT_sidebar(bpy.types.Panel):
    bl_label = "dollop"
    bl_category = "dollop"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context):
        layout, scene = self.layout, context.scene
        layout.prop(scene, "dollop_folder", text="")
        row = layout.row(align=True)
        row.operator(DOLLOP_OT_import_folder.bl_idname, icon="IMPORT")
        row.operator(DOLLOP_OT_reload.bl_idname, icon="FILE_REFRESH")

        layout.label(text="Looks")
        for material in _fluid_materials(scene):
            layout.prop(material, "dollop_look_choice", text=material.name)

        layout.label(text="Render")
        layout.operator(DOLLOP_OT_clean_picture.bl_idname, icon="SHADING_RENDERED")
        layout.operator(DOLLOP_OT_motion_blur.bl_idname, icon="ONIONSKIN_ON")
        if scene.render.use_motion_blur:
            layout.prop(scene.render, "motion_blur_shutter")
        if scene.render.engine == "CYCLES":
            layout.prop(scene.cycles, "samples")


def _fluid_materials(scene) -> list[bpy.types.Material]:
    used = [slot.material for obj in animation.bound_objects(scene) for slot in obj.material_slots]
    return list(dict.fromkeys(material for material in used if material and "dollop_look" in material))


_LOOK_ITEMS = [(name, name, "") for name in LOOKS]


def _get_look(material) -> int:
    return list(LOOKS).index(material.get("dollop_look", "plain"))


def _set_look(material, index: int) -> None:
    set_look(material, list(LOOKS)[index])


def _menu(self, _context) -> None:
    self.layout.operator(DOLLOP_OT_import.bl_idname, text="dollop surface (surface.json)")


_CLASSES = (DOLLOP_OT_import, DOLLOP_OT_import_folder, DOLLOP_OT_reload, DOLLOP_OT_clean_picture, DOLLOP_OT_motion_blur,
            DOLLOP_PT_sidebar)


def register() -> None:
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Scene.dollop_folder = StringProperty(name="Folder", subtype="DIR_PATH",
                                                   description="Where surface.json and its meshes are")
    bpy.types.Material.dollop_look_choice = EnumProperty(name="Look", items=_LOOK_ITEMS, get=_get_look, set=_set_look)
    bpy.types.TOPBAR_MT_file_import.append(_menu)


def unregister() -> None:
    bpy.types.TOPBAR_MT_file_import.remove(_menu)
    del bpy.types.Material.dollop_look_choice
    del bpy.types.Scene.dollop_folder
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
