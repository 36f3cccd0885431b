/* dollop render: renders frames to pictures and a film. */
#include "apps/shared/messages.h"
#include "apps/shared/wall_clock.h"
#include "film.h"
#include "frame_surface.h"
#include "frame_survey.h"
#include "frame_work.h"
#include "subcommands.h"

#include <dollop/render.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILM_FILE "film.mp4"

typedef struct RenderOptions {
    const char *output, *color, *range, *camera, *size, *exposure, *cell, *fps, *device;
    int64_t samples, threads;
    bool particles, no_film, verbose, quiet;
} RenderOptions;

typedef struct Rendering {
    const RenderOptions *options;
    dlp_RendererDef def;
    dlp_Canvas *canvas;
    dlp_Renderer *renderer;
    FrameSurface surface;
    unsigned char *pixels;
    float *values; /* appearance or colours of the points of a frame */
    FrameSurvey survey;
    dlp_CameraDef camera;
    Film film;
} Rendering;

#ifdef DLP_RENDER

/* Parse comma-separated numbers; returns their count, or -1 if invalid. */
static int read_numbers(const char *text, double *numbers, int capacity)
{
    int count = 0;
    for (const char *at = text; count < capacity; at++) {
        char *end = NULL;
        errno = 0;
        numbers[count] = strtod(at, &end);
        if (end == at || errno || !isfinite(numbers[count])) {
            return -1;
        }
        count++;
        at = end;
        if (*at != ',') {
            return *at ? -1 : count;
        }
    }
    return -1;
}

static ExitCode read_def(Rendering *rendering)
{
    const RenderOptions *options = rendering->options;
    double numbers[2];
    rendering->def = dlp_default_renderer_def();
    rendering->surface.def = dlp_default_surface_def();
    rendering->surface.def.threads = options->threads;
    if (options->samples > 0) {
        rendering->def.samples = options->samples;
    }
    if (options->size) {
        char rest = 0;
        long width = 0, height = 0;
        if (sscanf(options->size, "%ldx%ld%c", &width, &height, &rest) != 2 || width < 16 || height < 16 ||
            width > 8192 || height > 8192) {
            message_error("--size must be WIDTHxHEIGHT from 16 to 8192, such as 1280x720, but is '%s'", options->size);
            return EXIT_USAGE;
        }
        rendering->def.width = width;
        rendering->def.height = height;
    }
    if (options->exposure) {
        if (read_numbers(options->exposure, numbers, 1) != 1 || fabs(numbers[0]) > 8.0) {
            message_error("--exposure must be a number from -8 to 8, but is '%s'", options->exposure);
            return EXIT_USAGE;
        }
        rendering->def.exposure = numbers[0];
    }
    if (options->cell) {
        if (read_numbers(options->cell, numbers, 1) != 1 || !(numbers[0] >= 0.1 && numbers[0] <= 4.0)) {
            message_error("--cell must be a number from 0.1 to 4, but is '%s'", options->cell);
            return EXIT_USAGE;
        }
        rendering->surface.def.cell = numbers[0];
    }
    return EXIT_DONE;
}

/* Survey the frames; options override the range and the frame rate. */
static ExitCode survey(Rendering *rendering, const FrameList *list)
{
    const RenderOptions *options = rendering->options;
    double ends[2] = {0.0, 0.0}, rate = 0.0;
    if (options->range && (read_numbers(options->range, ends, 2) != 2 || !(ends[0] < ends[1]))) {
        message_error("--range must be two numbers, the lower one first, such as 0,1.5, but is '%s'", options->range);
        return EXIT_USAGE;
    }
    if (options->fps && (read_numbers(options->fps, &rate, 1) != 1 || !(rate >= 0.1 && rate <= 1000.0))) {
        message_error("--fps must be a number from 0.1 to 1000, but is '%s'", options->fps);
        return EXIT_USAGE;
    }
    const ExitCode code = frames_survey(&rendering->survey, list, options->color);
    if (options->range) {
        rendering->survey.low = ends[0];
        rendering->survey.high = ends[1];
    }
    if (options->fps) {
        rendering->survey.frame_rate = rate;
    }
    return code;
}

/* The camera given by name or by numbers; by default the first camera of the scene, or one that frames everything. */
static ExitCode choose_camera(Rendering *rendering)
{
    const dlp_FrameScene scene = dlp_frame_scene(
        rendering->survey.first); /* the cameras of the first frame are used for all */
    dlp_CameraDef *camera = &rendering->camera;
    const char *selected = rendering->options->camera;
    double n[7];
    if (!selected || strcmp(selected, "auto") == 0) {
        *camera = !selected && scene.camera_count > 0
                      ? scene.cameras[0]
                      : dlp_camera_around(rendering->survey.shown.lower, rendering->survey.shown.upper,
                                          (double)rendering->def.width / (double)rendering->def.height);
        return EXIT_DONE;
    }
    for (int i = 0; i < scene.camera_count; i++) {
        if (strcmp(scene.cameras[i].name, selected) == 0) {
            *camera = scene.cameras[i];
            return EXIT_DONE;
        }
    }
    const int count = read_numbers(selected, n, 7);
    if (count != 6 && count != 7) {
        message_error(
            "--camera must be the name of a camera of the scene, 'auto', or its position and target in metres as "
            "x,y,z,x,y,z[,DEGREES] with an optional vertical field of view, but is '%s'",
            selected);
        return EXIT_USAGE;
    }
    *camera = dlp_default_camera_def();
    camera->position = (dlp_Vec3){n[0], n[1], n[2]};
    camera->target = (dlp_Vec3){n[3], n[4], n[5]};
    if (count == 7) {
        camera->angle = n[6] * 3.14159265358979323846 / 180.0;
    }
    dlp_Error error = {0};
    if (dlp_params_check(dlp_camera_params(), camera, &error) != DLP_OK ||
        (n[0] == n[3] && n[1] == n[4] && n[2] == n[5])) {
        message_error("--camera: %s", error.text[0] ? error.text : "position and target must be different");
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* The surface mesh of a frame with the look of its materials. */
static dlp_Result make_mesh(Rendering *rendering, const dlp_Frame *frame, dlp_Mesh *mesh, dlp_Error *error)
{
    const dlp_FrameScene scene = dlp_frame_scene(frame);
    dlp_Points points = dlp_frame_points(frame);
    dlp_PointField fields[DLP_LOOK_FIELDS];
    points.field_count = dlp_looks_add(&points, &scene, rendering->values, fields);
    points.fields = fields;
    return frame_surface_build(&rendering->surface, dlp_frame_info(frame).spacing, &points, mesh, error);
}

/* Spheres coloured by a field or by material. */
static void make_spheres(Rendering *rendering, const dlp_Frame *frame, dlp_Drawing *drawing)
{
    const dlp_FrameScene scene = dlp_frame_scene(frame);
    const dlp_Points points = dlp_frame_points(frame);
    const dlp_PointField *field = rendering->options->color ? point_field(&points, rendering->options->color) : NULL;
    float *color = rendering->values, *value = rendering->values + 3 * points.count;
    if (field) {
        for (int64_t i = 0; i < points.count; i++) {
            value[i] = point_value(field, i);
        }
        dlp_colors_map(value, points.count, rendering->survey.low, rendering->survey.high, color);
        drawing->bar = (dlp_ColorBar){field->name, field->unit, rendering->survey.low, rendering->survey.high};
    } else {
        dlp_looks_color(&points, &scene, color);
    }
    drawing->spheres = (dlp_Spheres){.count = points.count,
                                     .position = {points.position[0], points.position[1], points.position[2]},
                                     .color = color,
                                     .radius = 0.5 * dlp_frame_info(frame).spacing};
}

/* Seconds of the stages of a frame. */
typedef struct StageTimes {
    double read, surface, draw, write;
} StageTimes;

/* The time since `last`, which is set to now. */
static double lap(double *last)
{
    const double now = clock_seconds(), seconds = now - *last;
    *last = now;
    return seconds;
}

/* Render a frame to `pixels`. */
static ExitCode draw_frame(Rendering *rendering, const dlp_Frame *frame, StageTimes *times)
{
    double last = clock_seconds();
    const dlp_FrameScene scene = dlp_frame_scene(frame);
    const int64_t count = dlp_frame_points(frame).count;
    dlp_Error error = {0};
    dlp_Mesh mesh = {0};
    dlp_Drawing drawing = {.solids = scene.solids,
                           .solid_count = scene.solid_count,
                           .solid_meshes = scene.meshes,
                           .solid_mesh_count = scene.mesh_count,
                           .lower = rendering->survey.shown.lower,
                           .upper = rendering->survey.shown.upper,
                           .casters_lower = rendering->survey.casters.lower,
                           .casters_upper = rendering->survey.casters.upper,
                           .floor = rendering->survey.floor,
                           .camera = rendering->camera};
    float *values = realloc(rendering->values, ((size_t)count + 1) * DLP_LOOK_VALUES * sizeof *values);
    if (!values) {
        message_error("out of memory");
        return EXIT_MEMORY;
    }
    rendering->values = values;
    dlp_Result result = DLP_OK;
    if (rendering->options->particles || rendering->options->color) {
        make_spheres(rendering, frame, &drawing);
    } else {
        result = make_mesh(rendering, frame, &mesh, &error);
        drawing.mesh = &mesh;
    }
    times->surface = lap(&last);
    if (result == DLP_OK) {
        result = dlp_renderer_draw(rendering->renderer, &drawing, rendering->pixels, &error);
    }
    times->draw = lap(&last);
    if (result != DLP_OK) {
        message_error("%s", error.text);
    }
    return exit_code_of(result);
}

static void summarize(const Rendering *rendering, const FolderPath *picture, const StageTimes *times, char *summary,
                      size_t size)
{
    const int length = snprintf(summary, size, "%s", picture->text);
    if (rendering->options->verbose && length >= 0 && (size_t)length < size) {
        snprintf(summary + length, size - (size_t)length, "  read %.2f s, surface %.2f s, draw %.2f s, write %.2f s",
                 times->read, times->surface, times->draw, times->write);
    }
}

static ExitCode render_frame(void *context, const FolderPath *path, FrameProduct *product)
{
    Rendering *rendering = context;
    const dlp_RendererDef *def = &rendering->def;
    StageTimes times = {0};
    double last = clock_seconds();
    dlp_Frame *frame = NULL;
    ExitCode code = frame_open(path, &frame);
    times.read = lap(&last);
    code = code == EXIT_DONE ? draw_frame(rendering, frame, &times) : code;
    dlp_frame_destroy(frame);
    if (code == EXIT_DONE) {
        dlp_Error error = {0};
        last = clock_seconds();
        const FolderPath picture = frame_product(path, rendering->options->output, "picture", "png");
        const dlp_Result result = dlp_picture_write(picture.text, rendering->pixels, def->width, def->height, &error);
        if (result != DLP_OK) {
            message_error("%s", error.text);
            return exit_code_of(result);
        }
        film_add(&rendering->film, rendering->pixels, (size_t)(3 * def->width * def->height));
        times.write = lap(&last);
        summarize(rendering, &picture, &times, product->summary, sizeof product->summary);
    }
    return code;
}

/* Software drivers of Mesa read the number of threads from the environment. */
static void limit_driver_threads(int64_t threads)
{
    char number[24];
    if (threads > 0) {
        snprintf(number, sizeof number, "%" PRId64, threads);
        setenv("LP_NUM_THREADS", number, 0);
    }
}

static dlp_CanvasDevice chosen_device(const RenderOptions *options)
{
    if (!options->device || strcmp(options->device, "auto") == 0) {
        return DLP_CANVAS_AUTO;
    }
    return strcmp(options->device, "gpu") == 0 ? DLP_CANVAS_HARDWARE : DLP_CANVAS_SOFTWARE;
}

static ExitCode open_renderer(Rendering *rendering)
{
    const dlp_RendererDef *def = &rendering->def;
    dlp_Error error = {0};
    limit_driver_threads(rendering->options->threads);
    dlp_Result result = dlp_canvas_create(chosen_device(rendering->options), &rendering->canvas, &error);
    if (result == DLP_OK) {
        result = dlp_renderer_create(def, &rendering->renderer, &error);
    }
    if (result != DLP_OK) {
        message_error("%s", error.text);
        return exit_code_of(result);
    }
    if (rendering->options->verbose) {
        message_note("drawing with %s: %s", dlp_canvas_is_software(rendering->canvas) ? "software" : "a graphics card",
                     dlp_canvas_name(rendering->canvas));
    }
    rendering->pixels = malloc((size_t)(3 * def->width * def->height));
    if (!rendering->pixels) {
        message_error("out of memory");
    }
    return rendering->pixels ? EXIT_DONE : EXIT_MEMORY;
}

/* The film is in the folder of the pictures. */
static ExitCode begin_film(Rendering *rendering, const FrameList *list)
{
    const FolderPath picture = frame_product(&list->frames[0], rendering->options->output, "picture", "png");
    const FolderPath path = folder_file(&(RunFolder){.path = path_folder(&picture), .lock = -1}, FILM_FILE);
    return film_begin(&rendering->film, &path, rendering->def.width, rendering->def.height,
                      rendering->survey.frame_rate);
}

static ExitCode render_frames(Rendering *rendering, const FrameList *list)
{
    const bool film = list->count > 1 && rendering->survey.frame_rate > 0.0 && !rendering->options->no_film;
    const ExitCode begun = film ? begin_film(rendering, list) : EXIT_DONE;
    if (begun != EXIT_DONE) {
        return begun;
    }
    ExitCode code = frames_process(
        &(FrameJob){
            .process = render_frame, .context = rendering, .done = "rendered", .quiet = rendering->options->quiet},
        list);
    if (film) {
        bool made = false;
        const ExitCode ended = film_end(&rendering->film, &made);
        code = code == EXIT_DONE ? ended : code;
        if (made && !rendering->options->quiet) {
            fprintf(stderr, "%s\n", printable(rendering->film.path.text).text);
        }
    }
    return code;
}

static const char *const products[] = {"picture_*.png", FILM_FILE, NULL};

static ExitCode make_pictures(const char *const *operands, int count, const void *given)
{
    Rendering rendering = {.options = given, .film = {.pipe = -1, .process = -1}};
    FrameList list = {0};
    RunFolder folder = {.lock = -1};
    frames_install_signals();
    ExitCode code = read_def(&rendering);
    code = code == EXIT_DONE ? frames_list(&list, operands, count, rendering.options->output) : code;
    if (code == EXIT_DONE && rendering.options->output) {
        code = folder_open(&folder, rendering.options->output);
    }
    code = code == EXIT_DONE ? frames_clean_products(&list, rendering.options->output, products) : code;
    code = code == EXIT_DONE ? survey(&rendering, &list) : code;
    code = code == EXIT_DONE ? choose_camera(&rendering) : code;
    code = code == EXIT_DONE ? open_renderer(&rendering) : code;
    code = code == EXIT_DONE ? render_frames(&rendering, &list) : code;
    dlp_frame_destroy(rendering.survey.first);
    frame_surface_release(&rendering.surface);
    dlp_renderer_destroy(rendering.renderer);
    dlp_canvas_destroy(rendering.canvas);
    free(rendering.pixels);
    free(rendering.values);
    folder_close(&folder);
    frames_release(&list);
    return code;
}

#else

static ExitCode make_pictures(const char *const *operands, int count, const void *given)
{
    (void)operands, (void)count, (void)given;
    message_error("this build of dollop cannot render pictures; rebuild it with -DDOLLOP_RENDER=ON");
    return EXIT_UNSUPPORTED;
}

#endif

#define TEXT(member, letter_, name_, argument_, group_, help_) \
    { \
        .name = name_, .letter = letter_, .argument = argument_, .kind = OPTION_TEXT, \
        .offset = offsetof(RenderOptions, member), .group = group_, .help = help_ \
    }
#define FLAG(member, letter_, name_, group_, help_) \
    { \
        .name = name_, .letter = letter_, .kind = OPTION_FLAG, .offset = offsetof(RenderOptions, member), \
        .group = group_, .help = help_ \
    }
#define INTEGER(member, letter_, name_, argument_, most_, group_, help_) \
    { \
        .name = name_, .letter = letter_, .argument = argument_, .kind = OPTION_INTEGER, \
        .offset = offsetof(RenderOptions, member), .least = 0, .most = most_, .group = group_, .help = help_ \
    }

static const char *const devices[] = {"auto", "gpu", "cpu", NULL};

static const Option render_options[] = {
    TEXT(output, 'o', "output", "DIR", "Files",
         "output folder of pictures and film (default: the folder of the frames)"),
    TEXT(fps, 0, "fps", "N", "Files", "frames per second of the film (default: real time)"),
    FLAG(no_film, 0, "no-film", "Files", "write pictures only"),
    TEXT(size, 's', "size", "WxH", "Picture", "size in pixels (default: 1280x720)"),
    TEXT(camera, 0, "camera", "CAMERA", "Picture",
         "name of a camera of the scene, or position and target as x,y,z,x,y,z[,DEGREES]; 'auto' frames all fluid "
         "(default: the first camera of the scene, otherwise auto)"),
    TEXT(exposure, 0, "exposure", "STOPS", "Picture", "exposure compensation; +1 doubles the brightness"),
    INTEGER(samples, 0, "samples", "N", 4, "Picture", "samples along each side of a pixel, 1 to 4 (default: 2)"),
    TEXT(cell, 'c', "cell", "SPACINGS", "Picture", "cell size of the surface mesh (default: 0.5); 1 is faster"),
    FLAG(particles, 'p', "particles", "Particles", "draw particles as spheres instead of a surface"),
    TEXT(color, 0, "color", "FIELD", "Particles", "draw particles as spheres coloured by a field such as velocity"),
    TEXT(range, 0, "range", "LOW,HIGH", "Particles",
         "values at the ends of the colour map (default: range of the field)"),
    {.name = "threads",
     .letter = 'j',
     .former = 't',
     .argument = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(RenderOptions, threads),
     .least = 0,
     .most = 1024,
     .group = "Machine",
     .help = "number of threads; 0: one per core"},
    {.name = "device",
     .argument = "DEVICE",
     .kind = OPTION_TEXT,
     .offset = offsetof(RenderOptions, device),
     .choices = devices,
     .group = "Machine",
     .help = "gpu: a graphics card, cpu: software, auto: a graphics card if there is one (default: auto)"},
    FLAG(verbose, 'v', "verbose", "Messages", "print the OpenGL driver, and the time of each stage of a frame"),
    FLAG(quiet, 'q', "quiet", "Messages", "print only errors"),
};

static const Example render_examples[] = {
    {"dollop render out/honey", "a picture of every frame and the film out/honey/film.mp4"},
    {"dollop render out/honey/frame_000120.vtkhdf -s 1920x1080 -o pictures", "one picture in full HD"},
    {"dollop render out/honey --color velocity --range 0,2", "particles coloured by speed, with a colour legend"},
    {NULL, NULL},
};

const Command render_command = {
    .name = "render",
    .operands = "DIR|FRAME...",
    .summary = "render frames to pictures and a film",
    .description =
        "Renders the surface of the fluid, with the 'look' of its materials, and the solids of the scene. No display is needed. "
        "For a folder, all frames in it are rendered.",
    .examples = render_examples,
    .options = render_options,
    .option_count = OPTION_COUNT(render_options),
    .least_operands = 1,
    .most_operands = 1000000,
    .options_size = sizeof(RenderOptions),
    .run = make_pictures,
};
