/* dollop surface: surface meshes of the particles of frames. */
#include "apps/shared/human.h"
#include "apps/shared/messages.h"
#include "frame_surface.h"
#include "frame_work.h"
#include "point_choice.h"
#include "command_ranks.h"
#include "subcommands.h"
#include "surface_record.h"

#include <dollop/surface.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct SurfaceOptions {
    const char *output, *format, *fields;
    const char *field, *cell, *radius, *smoothing, *flatness, *rounds;
    int64_t threads, simd, ranks;
    bool separate, unclipped, quiet;
} SurfaceOptions;

/* Set a parameter of the surface, with the range of its table. */
static ExitCode set_param(dlp_SurfaceDef *def, const char *name, const char *value)
{
    const dlp_Param *param = dlp_params_find(dlp_surface_params(), name);
    void *target = (char *)def + param->offset;
    char *end = NULL;
    if (!value) {
        return EXIT_DONE;
    }
    if (param->type == DLP_PARAM_CHOICE) {
        for (int32_t i = 0; param->choices[i]; i++) {
            if (strcmp(param->choices[i], value) == 0) {
                *(int32_t *)target = i;
            }
        }
        return EXIT_DONE; /* checked by the choices of the option */
    }
    errno = 0;
    const double number = strtod(value, &end);
    if (end == value || *end || errno || !(number >= param->least && number <= param->most)) {
        message_error("--%s must be a number from %g to %g, but is '%s'", name, param->least, param->most, value);
        return EXIT_USAGE;
    }
    if (param->type == DLP_PARAM_INT) {
        *(int64_t *)target = (int64_t)number;
    } else {
        *(double *)target = number;
    }
    return EXIT_DONE;
}

static ExitCode read_def(const SurfaceOptions *options, dlp_SurfaceDef *def)
{
    const struct {
        const char *name, *value;
    } params[] = {{"field", options->field},         {"cell", options->cell},         {"radius", options->radius},
                  {"smoothing", options->smoothing}, {"flatness", options->flatness}, {"rounds", options->rounds}};
    ExitCode code = EXIT_DONE;
    *def = dlp_default_surface_def();
    for (size_t i = 0; i < sizeof params / sizeof params[0] && code == EXIT_DONE; i++) {
        code = set_param(def, params[i].name, params[i].value);
    }
    def->threads = options->threads;
    def->simd = options->simd;
    return code;
}

typedef struct Meshing {
    const SurfaceOptions *options;
    FrameSurface surface;
    SurfaceRecord record;
    dlp_Ranks *ranks;
} Meshing;

/* The meshes of a frame. */
typedef struct FrameMeshes {
    FolderPath first; /* path of the first mesh */
    int64_t count, triangles;
} FrameMeshes;

static FolderPath mesh_path(const SurfaceOptions *options, const FolderPath *frame_path, int material)
{
    char name[32] = "surface";
    if (material >= 0) {
        snprintf(name, sizeof name, "surface_m%d", material);
    }
    return frame_product(frame_path, options->output, name, options->format ? options->format : "ply");
}

/* Mesh the points of one material (-1: all) and write the mesh to a file. */
static dlp_Result mesh_points(Meshing *meshing, const FolderPath *path, double spacing, const dlp_Points *points,
                              int material, FrameMeshes *made, dlp_Error *error)
{
    const FolderPath product = mesh_path(meshing->options, path, material);
    dlp_Mesh mesh = {0};
    PointChoice choice;
    dlp_Result result = DLP_ERROR_MEMORY;
    if (points_choose(&choice, points, meshing->options->fields, material)) {
        result = frame_surface_build(&meshing->surface, spacing, &choice.points, &mesh, error);
    } else {
        snprintf(error->text, sizeof error->text, "out of memory while selecting from %" PRId64 " points",
                 points->count);
    }
    if (result == DLP_OK) {
        result = dlp_mesh_write(&mesh, product.text, error);
    }
    if (result == DLP_OK) {
        made->first = made->count == 0 ? product : made->first;
        made->count++;
        made->triangles += mesh.triangle_count;
    }
    points_release(&choice);
    return result;
}

/* The next material to mesh: starts after END and ends with END; -1 means all materials in one mesh. */
enum { END = -2 };
static int next_mesh_material(const Meshing *meshing, const dlp_Points *points, int material)
{
    if (!meshing->options->separate || !points->material) {
        return material == END ? -1 : END;
    }
    const int next = next_material(points, material == END ? -1 : material);
    return next >= 0 ? next : END;
}

static dlp_Result mesh_materials(Meshing *meshing, const FolderPath *path, const dlp_Frame *frame,
                                 const dlp_Points *points, FrameMeshes *made, RecordEntry *entry, dlp_Error *error)
{
    const int first = next_mesh_material(meshing, points, END);
    dlp_Result result = DLP_OK;
    for (int m = first; m != END && result == DLP_OK; m = next_mesh_material(meshing, points, m)) {
        result = mesh_points(meshing, path, dlp_frame_info(frame).spacing, points, m, made, error);
    }
    if (result == DLP_OK) {
        const FolderPath record_path = mesh_path(meshing->options, path, -1);
        entry_begin(entry, path, &record_path, frame);
        for (int m = first; m != END; m = next_mesh_material(meshing, points, m)) {
            const FolderPath product = mesh_path(meshing->options, path, m);
            entry_mesh(entry, &product, m);
        }
        entry_end(entry, frame);
        if (!entry->data) {
            snprintf(error->text, sizeof error->text, "out of memory for the entry of a frame in surface.json");
            result = DLP_ERROR_MEMORY;
        }
    }
    return result;
}

/* Convert one frame to one mesh file, or to one per material. */
static ExitCode mesh_frame(void *context, const FolderPath *path, FrameProduct *product)
{
    Meshing *meshing = context;
    const SurfaceOptions *options = meshing->options;
    dlp_Error error = {0};
    dlp_Frame *frame = NULL;
    FrameMeshes made = {.count = 0};
    RecordEntry entry = {.data = NULL};
    const ExitCode opened = frame_open(path, &frame);
    if (opened != EXIT_DONE) {
        return opened;
    }
    dlp_Points points = dlp_frame_points(frame);
    points.solid_count = options->unclipped ? 0 : points.solid_count;
    const dlp_Result result = mesh_materials(meshing, path, frame, &points, &made, &entry, &error);
    if (result != DLP_OK) {
        message_error("%s", error.text);
    } else {
        char more[32] = "";
        if (made.count > 1) {
            snprintf(more, sizeof more, " and %" PRId64 " more", made.count - 1);
        }
        snprintf(product->summary, sizeof product->summary, "%s%s: %s particles, %s triangles",
                 made.count > 0 ? made.first.text : path->text, more, human_count(dlp_frame_info(frame).particles).text,
                 human_count(made.triangles).text);
    }
    product->data = entry.data;
    product->size = entry.size;
    dlp_frame_destroy(frame);
    return exit_code_of(result);
}

static ExitCode collect_entry(void *context, const void *data)
{
    Meshing *meshing = context;
    return record_add(&meshing->record, data);
}

static ExitCode mesh_frames(const SurfaceOptions *options, const dlp_SurfaceDef *def, const FrameList *list,
                            dlp_Ranks *ranks)
{
    Meshing meshing = {.options = options, .surface = {.def = *def}};
    meshing.surface.def.threads = def->threads > 0 ? def->threads : dlp_ranks_threads(ranks);
    const FrameJob job = {.process = mesh_frame,
                          .collect = collect_entry,
                          .context = &meshing,
                          .done = "meshed",
                          .quiet = options->quiet,
                          .ranks = ranks};
    const ExitCode worst = frames_process(&job, list);
    const ExitCode code = record_write(&meshing.record);
    frame_surface_release(&meshing.surface);
    record_release(&meshing.record);
    return ranks_agree(ranks, code != EXIT_DONE ? code : worst);
}

static const char *const products[] = {"surface_*.ply", "surface_*.obj", "surface_*.glb",
                                       "surface_*.vdb", "surface.json",  NULL};

/* The folder of the meshes, without those of earlier commands. One rank does it. */
static ExitCode prepare_folder(const SurfaceOptions *options, const FrameList *list, RunFolder *folder)
{
    const ExitCode code = options->output ? folder_open(folder, options->output) : EXIT_DONE;
    return code == EXIT_DONE ? frames_clean_products(list, options->output, products) : code;
}

static ExitCode make_surfaces(const char *const *operands, int count, const void *given)
{
    const SurfaceOptions *options = given;
    dlp_SurfaceDef def = {0};
    FrameList list = {0};
    RunFolder folder = {.lock = -1};
    dlp_Ranks *ranks = NULL;
    frames_install_signals();
    ExitCode code = ranks_join(&ranks);
    if (code == EXIT_DONE && options->ranks > 0 && !ranks) {
        return ranks_start_mpirun(options->ranks, "run the same command again");
    }
    if (code == EXIT_DONE) {
        code = read_def(options, &def);
    }
    if (code == EXIT_DONE) {
        code = frames_list(&list, operands, count, options->output);
    }
    if (code == EXIT_DONE && dlp_ranks_number(ranks) == 0) {
        code = prepare_folder(options, &list, &folder);
    }
    code = ranks_agree(ranks, code);
    if (code == EXIT_DONE) {
        ranks_print_errors();
        code = mesh_frames(options, &def, &list, ranks);
    }
    folder_close(&folder);
    frames_release(&list);
    return ranks_leave(ranks, code);
}

static const char *const formats[] = {"ply", "obj", "glb", "vdb", NULL};
static const char *const field_choices[] = {"anisotropic", "isotropic", "averaged", "blobs", NULL};

#define TEXT(member, letter_, name_, argument_, choices_, group_, help_) \
    { \
        .name = name_, .letter = letter_, .argument = argument_, .kind = OPTION_TEXT, \
        .offset = offsetof(SurfaceOptions, member), .choices = choices_, .group = group_, .help = help_ \
    }

static const Option surface_options[] = {
    TEXT(output, 'o', "output", "DIR", NULL, "Files",
         "output folder of the meshes (default: the folder of the frames)"),
    TEXT(format, 'f', "format", "FORMAT", formats, "Files",
         "ply, obj, glb (glTF) or vdb (OpenVDB level set) (default: ply)"),
    TEXT(fields, 0, "fields", "NAMES", NULL, "Files",
         "fields of the vertices, such as velocity,density, or all (default: velocity, and the material index if there "
         "are several materials)"),
    {.name = "separate",
     .kind = OPTION_FLAG,
     .offset = offsetof(SurfaceOptions, separate),
     .group = "Files",
     .help = "write one mesh per material: surface_m0_000000.ply, surface_m1_000000.ply ..."},
    TEXT(field, 0, "field", "KIND", field_choices, "Surface",
         "scalar field whose isosurface is the mesh: anisotropic, isotropic, averaged or blobs"),
    TEXT(cell, 'c', "cell", "SPACINGS", NULL, "Surface", "cell size of the grid (default: 0.5)"),
    TEXT(radius, 0, "radius", "SPACINGS", NULL, "Surface", "radius of influence of a particle"),
    TEXT(smoothing, 0, "smoothing", "FRACTION", NULL, "Surface",
         "how far particles are moved towards the mean of their neighbours before meshing, 0 to 1"),
    TEXT(flatness, 0, "flatness", "RATIO", NULL, "Surface",
         "maximum ratio of the longest to the shortest axis of an ellipsoid"),
    TEXT(rounds, 0, "rounds", "N", NULL, "Surface", "smoothing passes over the mesh; 0: no smoothing"),
    {.name = "unclipped",
     .kind = OPTION_FLAG,
     .offset = offsetof(SurfaceOptions, unclipped),
     .group = "Surface",
     .help = "do not clip the surface at the solids of the scene"},
    {.name = "threads",
     .letter = 'j',
     .former = 't',
     .argument = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(SurfaceOptions, threads),
     .least = 0,
     .most = 1024,
     .group = "Machine",
     .help = "number of threads; 0: one per core"},
    {.name = "ranks",
     .argument = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(SurfaceOptions, ranks),
     .least = 1,
     .most = 65536,
     .group = "Machine",
     .help = "number of processes of this machine, which mesh one frame each at a time, with MPI; the same as "
             "'mpirun -n N dollop surface ...', which also runs on several machines"},
    {.name = "simd",
     .argument = "LANES",
     .kind = OPTION_INTEGER,
     .offset = offsetof(SurfaceOptions, simd),
     .least = 0,
     .most = 16,
     .group = "Machine",
     .help = "SIMD lanes: 1, 4, 8 or 16; 0: the widest that the machine supports"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = offsetof(SurfaceOptions, quiet),
     .group = "Messages",
     .help = "print only errors"},
};

static const Example surface_examples[] = {
    {"dollop surface out/honey", "one mesh per frame: out/honey/surface_000000.ply ..."},
    {"dollop surface out/honey/frame_000120.vtkhdf -f glb -o meshes", "one frame as glTF"},
    {"dollop surface out/honey --cell 1 --fields velocity,density", "coarser meshes with two fields for shading"},
    {"dollop surface out/honey -f vdb", "level sets for Blender or Houdini"},
    {NULL, NULL},
};

const Command surface_command = {
    .name = "surface",
    .operands = "DIR|FRAME...",
    .summary = "reconstruct the fluid surface as meshes",
    .description =
        "Meshes are closed, oriented, and do not depend on the number of threads. For a folder, all frames in it are meshed.",
    .examples = surface_examples,
    .options = surface_options,
    .option_count = OPTION_COUNT(surface_options),
    .least_operands = 1,
    .most_operands = 1000000,
    .options_size = sizeof(SurfaceOptions),
    .run = make_surfaces,
};
