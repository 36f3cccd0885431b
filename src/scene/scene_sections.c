/* The sections of a scene file and the table of its `run` section. All other tables belong to the world. */
#include "scene/scene_internal.h"

#include <string.h>

#define KEYS_HELP \
    "a path: where it is at times of the world, instead of its own position; what a key leaves out is as in the one before"

static const dlp__SceneSection sections[DLP_SECTION_COUNT] = {
    [DLP_SECTION_INCLUDE] = {.key = "include",
                             .form = DLP_FORM_INCLUDE,
                             .help = "files with materials, relative to this one; what stands here is laid over them"},
    [DLP_SECTION_WORLD] = {.key = "world",
                           .form = DLP_FORM_MAP,
                           .table = dlp_world_params,
                           .hidden = "method",
                           .help = "space, resolution and gravity"},
    [DLP_SECTION_METHOD] = {.key = "method",
                            .form = DLP_FORM_METHOD,
                            .extra = "name",
                            .extra_help = "the simulation method",
                            .help = "how the fluid is solved: a name, or a map with the name and its parameters"},
    [DLP_SECTION_RUN] = {.key = "run",
                         .form = DLP_FORM_MAP,
                         .table = dlp_run_params,
                         .help = "how long, in which steps, and what is saved"},
    [DLP_SECTION_MATERIALS] = {.key = "materials",
                               .form = DLP_FORM_NAMED,
                               .table = dlp_material_params,
                               .hidden = "name",
                               .rows = "viscosity_at",
                               .rows_help = "viscosity over temperature: pairs, with straight lines of its logarithm "
                                            "between them, [[20 degC, 19 Pa.s], [40 degC, 2 Pa.s], ...]; in place of "
                                            "activation_energy",
                               .rows_table = dlp_viscosity_key_params,
                               .rows_example = "[20 degC, 19 Pa.s]: a temperature and a viscosity",
                               .help = "what fluids are made of, each under its name"},
    [DLP_SECTION_MESHES] = {.key = "meshes",
                            .form = DLP_FORM_NAMED,
                            .table = dlp_mesh_params,
                            .hidden = "name",
                            .help =
                                "triangle meshes that shapes are made of, each under its name: from files, or made"},
    [DLP_SECTION_SOLIDS] = {.key = "solids",
                            .form = DLP_FORM_LIST,
                            .table = dlp_solid_params,
                            .extra = "keys",
                            .extra_help = KEYS_HELP,
                            .extra_table = dlp_pose_key_params,
                            .help = "walls and other solids, at rest or moving as told"},
    [DLP_SECTION_JOINTS] = {.key = "joints",
                            .form = DLP_FORM_LIST,
                            .table = dlp_joint_params,
                            .help = "hinges, sliders and balls between solids, or between one and the world"},
    [DLP_SECTION_CONTACTS] = {.key = "contacts",
                              .form = DLP_FORM_LIST,
                              .table = dlp_contact_params,
                              .help = "what solids do to one material, where that differs from what they do to others"},
    [DLP_SECTION_FLUIDS] = {.key = "fluids",
                            .form = DLP_FORM_LIST,
                            .table = dlp_fluid_params,
                            .extra = "points",
                            .extra_help = "instead of a shape: positions of single particles (in m), [[x, y, z], ...]",
                            .help = "fluid that is there from the start"},
    [DLP_SECTION_COMPANIONS] = {.key = "companions",
                                .form = DLP_FORM_LIST,
                                .table = dlp_companion_params,
                                .help = "rigid and soft bodies of particles among those of the fluid"},
    [DLP_SECTION_EMITTERS] = {.key = "emitters",
                              .form = DLP_FORM_LIST,
                              .table = dlp_emitter_params,
                              .extra = "keys",
                              .extra_help = KEYS_HELP,
                              .extra_table = dlp_pose_key_params,
                              .rows = "flow",
                              .rows_help = "the flow over time: pairs of a time and a factor on its speed or rate, on "
                                           "straight lines between them, [[0, 0], [1 s, 1], ...]; 0 holds it back",
                              .rows_table = dlp_flow_key_params,
                              .rows_example = "[0.5 s, 1]: a time and a factor",
                              .help = "nozzles that push out fluid"},
    [DLP_SECTION_SINKS] = {.key = "sinks",
                           .form = DLP_FORM_LIST,
                           .table = dlp_sink_params,
                           .help = "regions in which particles are removed"},
    [DLP_SECTION_CAMERAS] = {.key = "cameras",
                             .form = DLP_FORM_LIST,
                             .table = dlp_camera_params,
                             .help = "from where pictures are taken; the first unless another is asked for by name"},
};

const dlp__SceneSection *dlp__scene_section(dlp__SectionId id)
{
    return &sections[id];
}

bool dlp__scene_shows(const dlp__SceneSection *section, const dlp_Param *param)
{
    return section->hidden == NULL || strcmp(section->hidden, param->name) != 0;
}

static const dlp_Param run_params[] = {
    {.name = "time_step",
     .type = DLP_PARAM_REAL,
     .offset = offsetof(dlp_RunDef, time_step),
     .unit = "s",
     .value = {0.0025},
     .least = 1e-9,
     .most = 1.0,
     .help = "the largest step; a frame is cut into equal steps of at most this"},
    {.name = "frame_rate",
     .type = DLP_PARAM_REAL,
     .offset = offsetof(dlp_RunDef, frame_rate),
     .unit = "1/s",
     .value = {30.0},
     .least = 1e-6,
     .most = 1e6,
     .help = "frames saved for each second of the simulation"},
    {.name = "frames",
     .type = DLP_PARAM_INT,
     .offset = offsetof(dlp_RunDef, frames),
     .unit = "",
     .value = {90.0},
     .least = 0.0,
     .most = 1e9,
     .help = "the last frame; frame 0 is the start"},
    {.name = "checkpoint_every",
     .type = DLP_PARAM_INT,
     .offset = offsetof(dlp_RunDef, checkpoint_every),
     .unit = "",
     .value = {10.0},
     .least = 0.0,
     .most = 1e9,
     .help = "frames between checkpoints, from which a stopped run goes on; 0 saves none"},
};

const dlp_ParamTable *dlp_run_params(void)
{
    static const dlp_ParamTable table = {"run", "how long, in which steps, and what is saved", sizeof(dlp_RunDef),
                                         (int)(sizeof run_params / sizeof run_params[0]), run_params};
    return &table;
}

dlp_RunDef dlp_default_run_def(void)
{
    dlp_RunDef def;
    dlp_params_default(dlp_run_params(), &def);
    return def;
}
