/* The sections of a scene file, and the parameter table of the `run` section. All other tables belong to the world. */
#include "scene/scene_internal.h"

#include <dollop/probe.h>

#include <string.h>

#define KEYS_HELP \
    "motion along a path, instead of a fixed position; values missing from a key are taken from the previous key"

static const dlp__SceneSection sections[DLP_SECTION_COUNT] = {
    [DLP_SECTION_INCLUDE] = {.key = "include",
                             .form = DLP_FORM_INCLUDE,
                             .help =
                                 "files with materials, relative to this file and in the folder of the scene (others: "
                                 "option --allow-include); materials of this file override them"},
    [DLP_SECTION_WORLD] = {.key = "world",
                           .form = DLP_FORM_MAP,
                           .table = dlp_world_params,
                           .hidden = "method",
                           .help = "space, resolution and gravity"},
    [DLP_SECTION_METHOD] = {.key = "method",
                            .form = DLP_FORM_METHOD,
                            .extra = "name",
                            .extra_help = "the simulation method",
                            .help = "the simulation method: a name, or a map with the name and its parameters"},
    [DLP_SECTION_RUN] = {.key = "run",
                         .form = DLP_FORM_MAP,
                         .table = dlp_run_params,
                         .help = "duration, time step and output"},
    [DLP_SECTION_MATERIALS] = {.key = "materials",
                               .form = DLP_FORM_NAMED,
                               .table = dlp_material_params,
                               .hidden = "name",
                               .rows = "viscosity_at",
                               .rows_help = "viscosity over temperature as pairs, [[20 degC, 19 Pa.s], [40 degC, 2 "
                                            "Pa.s], ...], interpolated as viscosity_lines says; instead of "
                                            "activation_energy",
                               .rows_table = dlp_viscosity_key_params,
                               .rows_use = DLP_USE_RHEOLOGY,
                               .rows_example = "[20 degC, 19 Pa.s]: a temperature and a viscosity",
                               .info = dlp__scene_material_info,
                               .help = "physical properties of fluids, by name; values that are not given are those of "
                                       "the built-in material with that name, if there is one (`dollop materials`)"},
    [DLP_SECTION_MESHES] = {.key = "meshes",
                            .form = DLP_FORM_NAMED,
                            .table = dlp_mesh_params,
                            .hidden = "name",
                            .help = "triangle meshes for shapes, by name: read from files or generated"},
    [DLP_SECTION_SOLIDS] = {.key = "solids",
                            .form = DLP_FORM_LIST,
                            .table = dlp_solid_params,
                            .extra = "keys",
                            .extra_help = KEYS_HELP,
                            .extra_table = dlp_pose_key_params,
                            .extra_when = "!density",
                            .help = "walls and other solids: at rest, with prescribed motion, or free"},
    [DLP_SECTION_JOINTS] = {.key = "joints",
                            .form = DLP_FORM_LIST,
                            .table = dlp_joint_params,
                            .help =
                                "hinges, sliders and ball joints between two solids, or between a solid and the world"},
    [DLP_SECTION_CONTACTS] =
        {.key = "contacts",
         .form = DLP_FORM_LIST,
         .table = dlp_contact_params,
         .help =
             "friction and adhesion between solids and one material, where they differ from the values of the solid"},
    [DLP_SECTION_FLUIDS] = {.key = "fluids",
                            .form = DLP_FORM_LIST,
                            .table = dlp_fluid_params,
                            .extra = "points",
                            .extra_help = "positions of single particles in m, [[x, y, z], ...], instead of a shape",
                            .help = "fluid that is present at the start"},
    [DLP_SECTION_COMPANIONS] = {.key = "companions",
                                .form = DLP_FORM_LIST,
                                .table = dlp_companion_params,
                                .help = "rigid and soft bodies made of particles"},
    [DLP_SECTION_EMITTERS] = {.key = "emitters",
                              .form = DLP_FORM_LIST,
                              .table = dlp_emitter_params,
                              .extra = "keys",
                              .extra_help = KEYS_HELP,
                              .extra_table = dlp_pose_key_params,
                              .rows = "flow",
                              .rows_help = "the flow over time as pairs of a time and a factor on speed or rate, "
                                           "[[0, 0], [1 s, 1], ...], interpolated linearly; 0 stops the flow",
                              .rows_table = dlp_flow_key_params,
                              .rows_example = "[0.5 s, 1]: a time and a factor",
                              .help = "nozzles that emit fluid"},
    [DLP_SECTION_SINKS] = {.key = "sinks",
                           .form = DLP_FORM_LIST,
                           .table = dlp_sink_params,
                           .help = "regions that remove particles"},
    [DLP_SECTION_PROBES] = {.key = "probes",
                            .form = DLP_FORM_LIST,
                            .table = dlp_probe_params,
                            .help =
                                "measurements, each written to a file probe_NAME.csv: forces on solids, flow rates, "
                                "volumes, values at points, energy, connected pieces"},
    [DLP_SECTION_CAMERAS] = {.key = "cameras",
                             .form = DLP_FORM_LIST,
                             .table = dlp_camera_params,
                             .help = "cameras for pictures; the first is used unless another is selected by name"},
};

const dlp__SceneSection *dlp__scene_section(dlp__SectionId id)
{
    return &sections[id];
}

bool dlp__scene_has_param(const dlp__SceneSection *section, const dlp_Param *param)
{
    return section->hidden == NULL || strcmp(section->hidden, param->name) != 0;
}

static const char *const time_step_words[] = {"auto", NULL};
/* In the order of the bits of dlp_DerivedField. */
static const char *const derived_names[] = {"shear_rate", "stress", "viscosity", NULL};

static const dlp_Param run_params[] = {
    {.name = "time_step",
     .type = DLP_PARAM_REAL,
     .offset = offsetof(dlp_RunDef, time_step),
     .unit = "s",
     .value = {0.0},
     .least = 1e-9,
     .most = 1.0,
     .choices = time_step_words,
     .help =
         "auto: each step is as long as speeds, materials and frame times allow; a number: maximum time step, a frame is split "
         "into equal steps of at most this length"},
    {.name = "frame_rate",
     .type = DLP_PARAM_REAL,
     .offset = offsetof(dlp_RunDef, frame_rate),
     .unit = "1/s",
     .value = {30.0},
     .least = 1e-6,
     .most = 1e6,
     .help = "frames saved per second of simulated time"},
    {.name = "frames",
     .type = DLP_PARAM_INT,
     .offset = offsetof(dlp_RunDef, frames),
     .unit = "",
     .value = {90.0},
     .least = 0.0,
     .most = 1e9,
     .help = "number of the last frame; frame 0 is the initial state"},
    {.name = "checkpoint_every",
     .type = DLP_PARAM_INT,
     .offset = offsetof(dlp_RunDef, checkpoint_every),
     .unit = "",
     .value = {10.0},
     .least = 0.0,
     .most = 1e9,
     .help = "frames between checkpoints, from which an interrupted run can be resumed; 0: no checkpoints",
     .use = DLP_USE_OUTPUT},
    {.name = "fields",
     .type = DLP_PARAM_FLAGS,
     .offset = offsetof(dlp_RunDef, fields),
     .unit = "",
     .least = 0.0,
     .most = 7.0,
     .choices = derived_names,
     .help = "derived fields that frames and exports contain in addition, such as [shear_rate, stress]",
     .use = DLP_USE_OUTPUT},
};

const dlp_ParamTable *dlp_run_params(void)
{
    static const dlp_ParamTable table = {"run", "duration, time step and output", sizeof(dlp_RunDef),
                                         (int)(sizeof run_params / sizeof run_params[0]), run_params};
    return &table;
}

dlp_RunDef dlp_default_run_def(void)
{
    dlp_RunDef def;
    dlp_params_default(dlp_run_params(), &def);
    return def;
}
