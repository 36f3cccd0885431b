/* Pictures of particles: balls under a parallel projection, drawn from the back to the front. A depth buffer leaves out
 * those that cannot be seen, which keeps the files small. */
#include "studies/study_host.h"
#include "studies/study_output.h"
#include "apps/plot/plot_svg.h"
#include "apps/plot/plot_ticks.h"
#include "studies/study_world.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#define PI          3.14159265358979323846
#define AZIMUTH     (30 * PI / 180) /* of the raised view */
#define ELEVATION   (22 * PI / 180)
#define BALL_RADIUS 0.56  /* spacings: balls overlap a little, so that nothing shines through */
#define OUTLIERS    0.003 /* part of the particles on each side that may lie outside the picture */
#define PANEL_WIDTH 260.0 /* px */
#define MARGIN      16.0
#define TITLE       40.0
#define CAPTION     34.0
#define FOOT        34.0
enum { PANELS_PER_ROW = 4, SHADES = 6, BUFFER_MOST = 2000, BUFFER_CELLS = 4 /* per spacing */, GREY = 6 };

/* On the page: x to the right, y up, depth away from the viewer; m. */
typedef struct Ball {
    float x, y, depth;
    uint8_t color;
} Ball;

typedef struct Box {
    double least[3], most[3];
} Box;

typedef struct Panel {
    struct Panel *next;
    char caption[128];
    double spacing; /* m */
    Box page;       /* of the balls' centres */
    Box world;      /* of the particles, m   */
    int64_t count;  /* of the balls that can be seen, from the back to the front */
    Ball balls[];
} Panel;

struct StudyPicture {
    StudyOutput output;
    StudyView view;
    bool ground, solids;
    double slope; /* tangent of the angle by which the ground falls along x */
    int panels_per_row;
    bool windowed; /* `window` is the part of the world to show */
    Box window;    /* m */
    Panel *first, **last;
    int panel_count;
};

static Ball project(StudyView view, double x, double y, double z)
{
    if (view == STUDY_VIEW_SIDE) {
        return (Ball){(float)x, (float)z, (float)y, 0};
    }
    const double right = x * cos(AZIMUTH) - y * sin(AZIMUTH), away = x * sin(AZIMUTH) + y * cos(AZIMUTH);
    return (Ball){(float)right, (float)(z * cos(ELEVATION) + away * sin(ELEVATION)),
                  (float)(away * cos(ELEVATION) - z * sin(ELEVATION)), 0};
}

static Box empty_box(void)
{
    return (Box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The box of the particles but for the few that fly far out, which would make all else small. */
static bool box_of_most(const StudyParticles *particles, Box *box)
{
    const int64_t count = particles->count, out = (int64_t)(OUTLIERS * (double)count);
    float *sorted = malloc(((size_t)count + 1) * sizeof *sorted);
    for (int axis = 0; sorted && axis < 3; axis++) {
        for (int64_t i = 0; i < count; i++) {
            sorted[i] = particles->position[i][axis];
        }
        qsort(sorted, (size_t)count, sizeof *sorted, ascending);
        box->least[axis] = count ? sorted[out] : 0;
        box->most[axis] = count ? sorted[count - 1 - out] : 0;
    }
    free(sorted);
    return sorted != NULL;
}

static bool box_holds(const Box *box, const float *point, double room)
{
    for (int axis = 0; axis < 3; axis++) {
        if (!(point[axis] >= box->least[axis] - room && point[axis] <= box->most[axis] + room)) {
            return false;
        }
    }
    return true;
}

static void box_add(Box *box, double x, double y, double z)
{
    const double point[3] = {x, y, z};
    for (int axis = 0; axis < 3; axis++) {
        box->least[axis] = fmin(box->least[axis], point[axis]);
        box->most[axis] = fmax(box->most[axis], point[axis]);
    }
}

/* The nearest ball of each cell of the page, -1 where there is none. */
typedef struct DepthBuffer {
    int width, height;
    double cell; /* m */
    int64_t *nearest;
} DepthBuffer;

static bool buffer_make(DepthBuffer *buffer, const Panel *panel)
{
    const double width = panel->page.most[0] - panel->page.least[0] + 2 * panel->spacing;
    const double height = panel->page.most[1] - panel->page.least[1] + 2 * panel->spacing;
    buffer->cell = fmax(panel->spacing / BUFFER_CELLS, fmax(width, height) / BUFFER_MOST);
    buffer->width = (int)(width / buffer->cell) + 1;
    buffer->height = (int)(height / buffer->cell) + 1;
    const size_t cells = (size_t)buffer->width * (size_t)buffer->height;
    buffer->nearest = malloc(cells * sizeof *buffer->nearest);
    for (size_t i = 0; buffer->nearest && i < cells; i++) {
        buffer->nearest[i] = -1;
    }
    return buffer->nearest != NULL;
}

static void buffer_add(DepthBuffer *buffer, const Panel *panel, int64_t index)
{
    const Ball *ball = &panel->balls[index];
    const double x = (ball->x - panel->page.least[0] + panel->spacing) / buffer->cell;
    const double y = (ball->y - panel->page.least[1] + panel->spacing) / buffer->cell;
    const double radius = BALL_RADIUS * panel->spacing / buffer->cell;
    for (int row = (int)fmax(0, y - radius); row <= y + radius && row < buffer->height; row++) {
        for (int column = (int)fmax(0, x - radius); column <= x + radius && column < buffer->width; column++) {
            const double dx = column + 0.5 - x, dy = row + 0.5 - y;
            int64_t *cell = &buffer->nearest[(size_t)row * (size_t)buffer->width + (size_t)column];
            if (dx * dx + dy * dy <= radius * radius && (*cell < 0 || ball->depth < panel->balls[*cell].depth)) {
                *cell = index;
            }
        }
    }
}

static int back_to_front(const void *a, const void *b)
{
    const float x = ((const Ball *)a)->depth, y = ((const Ball *)b)->depth;
    return (x < y) - (x > y);
}

/* Keep what can be seen. */
static bool drop_hidden(Panel *panel)
{
    DepthBuffer buffer;
    uint8_t *seen = calloc((size_t)panel->count + 1, 1);
    if (!seen || !buffer_make(&buffer, panel)) {
        free(seen);
        return false;
    }
    for (int64_t i = 0; i < panel->count; i++) {
        buffer_add(&buffer, panel, i);
    }
    for (size_t i = 0; i < (size_t)buffer.width * (size_t)buffer.height; i++) {
        if (buffer.nearest[i] >= 0) {
            seen[buffer.nearest[i]] = 1;
        }
    }
    int64_t kept = 0;
    for (int64_t i = 0; i < panel->count; i++) {
        if (seen[i]) {
            panel->balls[kept++] = panel->balls[i];
        }
    }
    panel->count = kept;
    qsort(panel->balls, (size_t)kept, sizeof panel->balls[0], back_to_front);
    free(buffer.nearest);
    free(seen);
    return true;
}

/* Balls for the particles in the part of the world that is shown. `colors`: null for that of their material. */
static void add_balls(Panel *panel, const StudyPicture *picture, const StudyParticles *particles, const uint8_t *colors)
{
    for (int64_t i = 0; i < particles->count; i++) {
        const float *x = particles->position[i];
        if (!box_holds(&panel->world, x, picture->windowed ? 0 : 2 * panel->spacing)) {
            continue;
        }
        Ball ball = project(picture->view, x[0], x[1], x[2]);
        ball.color = (uint8_t)((colors ? colors[i] : particles->material[i]) % STUDY_COLORS);
        box_add(&panel->page, ball.x, ball.y, ball.depth);
        panel->balls[panel->count++] = ball;
    }
}

static Panel *make_panel(const StudyPicture *picture, const StudyParticles *particles, const StudyParticles *solids,
                         const uint8_t *colors, double spacing)
{
    const size_t most = (size_t)(particles->count + solids->count);
    Panel *panel = calloc(1, sizeof *panel + most * sizeof panel->balls[0]);
    if (!panel || !box_of_most(particles, &panel->world)) {
        free(panel);
        return NULL;
    }
    if (picture->windowed) {
        panel->world = picture->window;
    }
    panel->spacing = spacing;
    panel->page = empty_box();
    add_balls(panel, picture, particles, colors);
    add_balls(panel, picture, solids, NULL);
    if (panel->count > 0 && !drop_hidden(panel)) {
        free(panel);
        return NULL;
    }
    return panel;
}

/* The solids as particles: a world of its own in which their shapes are filled. */
static void read_solids(StudyRun *run, const dlp_World *world, StudyParticles *solids)
{
    const dlp_WorldDef def = dlp_world_def(world);
    dlp_World *filled = study_world(run, &def);
    STUDY_MATERIAL(run, filled, {"density", 1000});
    for (dlp_SolidId id = 0; filled && id < dlp_world_solid_count(world); id++) {
        dlp_SolidDef solid;
        dlp_SolidState state;
        dlp_FluidDef fluid = dlp_default_fluid_def();
        study_keep(run, world, dlp_world_get_solid(world, id, &solid));
        study_keep(run, world, dlp_world_solid_state(world, id, &state));
        fluid.shape = solid.shape;
        fluid.shape.position = state.position;
        fluid.shape.rotation = state.rotation;
        if (solid.shape.kind != DLP_SHAPE_PLANE && solid.shape.kind != DLP_SHAPE_CONTAINER &&
            solid.shape.kind != DLP_SHAPE_MESH) {
            study_fluid(run, filled, &fluid);
        }
    }
    study_read(run, filled, solids);
    for (int64_t i = 0; i < solids->count; i++) {
        solids->material[i] = GREY;
    }
    dlp_world_destroy(filled);
}

/* What all panels show together, on the page or in the world. */
static Box union_of(const StudyPicture *picture, bool page)
{
    Box box = empty_box();
    for (const Panel *panel = picture->first; panel; panel = panel->next) {
        const Box *part = page ? &panel->page : &panel->world;
        const double room = panel->spacing * 0.6;
        if (panel->count > 0) {
            box_add(&box, part->least[0] - room, part->least[1] - room, part->least[2] - room);
            box_add(&box, part->most[0] + room, part->most[1] + room, part->most[2] + room);
        }
    }
    return box;
}

/* The corners of the patch of ground below all panels, on the page. */
static void ground_corners(const StudyPicture *picture, Ball corners[4])
{
    const Box box = union_of(picture, false);
    const double room = 0.12 * fmax(box.most[0] - box.least[0], box.most[1] - box.least[1]);
    const double x[2] = {box.least[0] - room, box.most[0] + room}, y[2] = {box.least[1] - room, box.most[1] + room};
    for (int i = 0; i < 4; i++) {
        const double along = x[i == 1 || i == 2];
        corners[i] = project(picture->view, along, y[i / 2], -picture->slope * along);
    }
}

/* From metres on the page to px in a panel. */
typedef struct Window {
    double left, top; /* m */
    double scale;     /* px per m */
    double height;    /* px of a panel */
} Window;

static Window make_window(const StudyPicture *picture)
{
    Box box = union_of(picture, true);
    if (picture->ground) {
        Ball corners[4];
        ground_corners(picture, corners);
        for (int i = 0; i < 4; i++) {
            box_add(&box, corners[i].x, corners[i].y, 0);
        }
    }
    if (!(box.most[0] > box.least[0])) {
        box = (Box){{0, 0, 0}, {1, 1, 1}};
    }
    Window window = {.left = box.least[0], .top = box.most[1]};
    window.scale = PANEL_WIDTH / (box.most[0] - box.least[0]);
    window.height = fmax(20, (box.most[1] - box.least[1]) * window.scale + 6);
    return window;
}

static double px_x(const Window *window, double x)
{
    return (x - window->left) * window->scale;
}

static double px_y(const Window *window, double y)
{
    return (window->top - y) * window->scale;
}

static void draw_ground(FILE *file, const StudyPicture *picture, const Window *window)
{
    Ball corners[4];
    ground_corners(picture, corners);
    if (picture->view == STUDY_VIEW_SIDE) {
        const double x = px_x(window, corners[0].x), y = px_y(window, corners[0].y);
        const double to_x = px_x(window, corners[1].x), to_y = px_y(window, corners[1].y);
        fprintf(file,
                "<path d=\"M%.1f %.1fL%.1f %.1fv6L%.1f %.1fz\" fill=\"#e4e2dc\"/>"
                "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#777\"/>\n",
                x, y, to_x, to_y, x, y + 6, x, y, to_x, to_y);
        return;
    }
    fputs("<path d=\"", file);
    for (int i = 0; i < 4; i++) {
        fprintf(file, "%c%.1f %.1f", i ? 'L' : 'M', px_x(window, corners[i].x), px_y(window, corners[i].y));
    }
    fputs("z\" fill=\"#f1efea\" stroke=\"#d8d4ca\"/>\n", file);
}

/* A ball of each colour and shade that is used, lit from the upper left; the farther ones are darker. */
static void define_balls(FILE *file, double radius)
{
    fputs("<defs>\n", file);
    for (int color = 0; color < STUDY_COLORS; color++) {
        const PlotColor base = plot_color(color);
        for (int shade = 0; shade < SHADES; shade++) {
            const double dark = 1 - 0.38 * shade / (SHADES - 1), light = 0.55 * dark;
            fprintf(file,
                    "<radialGradient id=\"g%d%d\" cx=\".38\" cy=\".34\" r=\".68\"><stop offset=\"0\" "
                    "stop-color=\"rgb(%.0f,%.0f,%.0f)\"/><stop offset=\"1\" stop-color=\"rgb(%.0f,%.0f,%.0f)\"/>"
                    "</radialGradient><circle id=\"b%d%d\" r=\"%.2f\" fill=\"url(#g%d%d)\"/>\n",
                    color, shade, base.red * dark + (255 - base.red) * light,
                    base.green * dark + (255 - base.green) * light, base.blue * dark + (255 - base.blue) * light,
                    base.red * dark * 0.8, base.green * dark * 0.8, base.blue * dark * 0.8, color, shade, radius, color,
                    shade);
        }
    }
    fputs("</defs>\n", file);
}

static void draw_panel(FILE *file, const StudyPicture *picture, const Panel *panel, const Window *window)
{
    const double near = panel->page.least[2], far = panel->page.most[2];
    if (picture->ground) {
        draw_ground(file, picture, window);
    }
    for (int64_t i = 0; i < panel->count; i++) {
        const Ball *ball = &panel->balls[i];
        const double part = far > near ? (ball->depth - near) / (far - near) : 0;
        fprintf(file, "<use href=\"#b%d%d\" x=\"%.1f\" y=\"%.1f\"/>\n", ball->color, (int)(part * (SHADES - 0.01)),
                px_x(window, ball->x), px_y(window, ball->y));
    }
    svg_text(file, PANEL_WIDTH / 2, window->height + 20, "middle", "", panel->caption);
}

/* A bar of a round length that is about a quarter of a panel. */
static void draw_scale_bar(FILE *file, const Window *window, double y)
{
    char number[PLOT_NUMBER_SIZE], label[PLOT_NUMBER_SIZE + 4];
    const PlotTicks ticks = plot_ticks_linear(0, PANEL_WIDTH / window->scale, 5);
    const double length = ticks.at[1];
    fprintf(file, "<path d=\"M%.1f %.1fv6h%.1fv-6\" fill=\"none\" stroke=\"#444\"/>\n", MARGIN, y,
            length * window->scale);
    plot_format_number(number, sizeof number, length, 3);
    snprintf(label, sizeof label, "%s m", number);
    svg_text(file, MARGIN + length * window->scale + 8, y + 7, "start", "fill=\"#444\"", label);
}

static void write_picture(const StudyOutput *output, FILE *file)
{
    const StudyPicture *picture = (const StudyPicture *)output;
    const Window window = make_window(picture);
    const int columns = picture->panels_per_row;
    const int rows = (picture->panel_count + columns - 1) / columns;
    const double pitch = window.height + CAPTION, foot = TITLE + rows * pitch;
    const int used = picture->panel_count < columns ? picture->panel_count : columns;
    const double width = fmax(MARGIN + used * (PANEL_WIDTH + MARGIN), 2 * MARGIN + 1.2 * svg_text_width(output->title));
    svg_begin(file, width, foot + FOOT, output->title);
    define_balls(file, BALL_RADIUS * (picture->first ? picture->first->spacing : 0) * window.scale);
    svg_text(file, MARGIN, 25, "start", "font-size=\"14\" font-weight=\"bold\"", output->title);
    int index = 0;
    for (const Panel *panel = picture->first; panel; panel = panel->next, index++) {
        const int row = index / columns, column = index % columns;
        fprintf(file, "<g transform=\"translate(%.1f %.1f)\">\n", MARGIN + column * (PANEL_WIDTH + MARGIN),
                TITLE + row * pitch);
        draw_panel(file, picture, panel, &window);
        fputs("</g>\n", file);
    }
    draw_scale_bar(file, &window, foot + 6);
    svg_end(file);
}

static void release_picture(StudyOutput *output)
{
    StudyPicture *picture = (StudyPicture *)output;
    while (picture->first) {
        Panel *panel = picture->first;
        picture->first = panel->next;
        free(panel);
    }
    free(picture);
}

StudyPicture *study_picture(StudyRun *run, const char *name, const char *title, StudyView view)
{
    StudyPicture *picture = study_output_new(run, sizeof *picture, name, "svg", title, release_picture);
    if (picture) {
        picture->output.write = write_picture;
        picture->last = &picture->first;
        picture->view = view;
        picture->panels_per_row = PANELS_PER_ROW;
    }
    return picture;
}

void study_ground(StudyPicture *picture)
{
    if (picture) {
        picture->ground = true;
    }
}

void study_slope(StudyPicture *picture, double angle)
{
    study_ground(picture);
    if (picture) {
        picture->slope = tan(angle);
    }
}

void study_solids(StudyPicture *picture)
{
    if (picture) {
        picture->solids = true;
    }
}

void study_panels_per_row(StudyPicture *picture, int count)
{
    if (picture) {
        picture->panels_per_row = count;
    }
}

void study_window(StudyPicture *picture, dlp_Vec3 lower, dlp_Vec3 upper)
{
    if (picture) {
        picture->windowed = true;
        picture->window = (Box){{lower.x, lower.y, lower.z}, {upper.x, upper.y, upper.z}};
    }
}

void study_panel(StudyPicture *picture, const dlp_World *world, const uint8_t *colors, const char *format, ...)
{
    StudyParticles particles = {0}, solids = {0};
    if (!picture || !world) {
        return;
    }
    StudyRun *run = picture->output.run;
    study_read(run, world, &particles);
    if (picture->solids) {
        read_solids(run, world, &solids);
    }
    const double spacing = dlp_world_def(world).spacing;
    Panel *panel = study_going(run) ? make_panel(picture, &particles, &solids, colors, spacing) : NULL;
    study_particles_free(&particles);
    study_particles_free(&solids);
    if (!panel) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(panel->caption, sizeof panel->caption, format, arguments);
    va_end(arguments);
    *picture->last = panel;
    picture->last = &panel->next;
    ++picture->panel_count;
}

uint8_t *study_bands(StudyRun *run, const int counts[3], int axis, int bands)
{
    const int64_t count = (int64_t)counts[0] * counts[1] * counts[2];
    uint8_t *colors = malloc((size_t)count);
    if (!colors) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
    }
    for (int64_t i = 0; colors && i < count; i++) {
        const int64_t row = i / counts[0];
        const int64_t place[3] = {i % counts[0], row % counts[1], row / counts[1]};
        colors[i] = (uint8_t)(place[axis] * bands / counts[axis] % 2);
    }
    return colors;
}
