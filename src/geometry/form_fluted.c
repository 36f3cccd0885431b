/* Forms whose radius changes around the z axis: the gear, the nozzle with its star, the flat star, the scalloped mould. All their
 * loops have points at the same angles, a whole number to each tooth, so that corners stay sharp and no band crosses
 * another. */
#include "geometry/form_loops.h"
#include "geometry/form_shapes.h"

static const double PI = 3.14159265358979323846;

/* A loop at height z whose radius is `radius` times 1 - depth * dent, where the dent goes from 0 to 1 and back with
 * each tooth. */
typedef struct Fluted {
    double (*dent)(double part, int64_t teeth); /* of a tooth, 0 at its middle and 1/2 between two */
    int64_t teeth;
    double radius, depth, wall, z; /* `wall` is added to the radius at all angles */
} Fluted;

static dlp_Vec3 fluted_point(const void *context, double turn)
{
    const Fluted *loop = context;
    const double teeth = turn * (double)loop->teeth, part = fabs(teeth - floor(teeth + 0.5));
    const double radius = loop->radius * (1.0 - loop->depth * loop->dent(part, loop->teeth)) + loop->wall;
    return dlp__vec3(radius * cos(2.0 * PI * turn), radius * sin(2.0 * PI * turn), loop->z);
}

/* Points around that are a multiple of `each` to a tooth. */
static int64_t columns_of(int64_t teeth, int64_t each)
{
    const int64_t times = (DLP_FORM_COLUMNS + teeth * each - 1) / (teeth * each);
    return teeth * each * times;
}

/* A flat disc from the axis outwards or back, up to but without `radius`. */
static void add_disc(dlp__Stack *stack, double radius, double outer, double z, bool outwards)
{
    const int64_t rings = dlp__form_pieces(radius, 2.0 * PI * outer / DLP_FORM_COLUMNS, 100);
    for (int64_t n = 0; n < rings; n++) {
        const double r = radius * (double)(outwards ? n : rings - 1 - n) / (double)rings;
        dlp__stack_circle(stack, dlp__form_columns(r, outer), r, z);
    }
}

/* A gear's tooth: flat on top and below, with straight flanks between 0.2 and 0.3 of a tooth from its middle. */
static double gear_dent(double part, int64_t teeth)
{
    (void)teeth;
    return fmin(fmax((part - 0.2) / 0.1, 0.0), 1.0);
}

/* The loop of a gear at `part` of the way from its round core to its teeth. */
static void add_gear_loop(dlp__Stack *stack, const dlp_MeshDef *def, int64_t columns, double core, double part,
                          double z)
{
    const Fluted loop = {.dent = gear_dent,
                         .teeth = def->count,
                         .radius = part * def->radius,
                         .depth = def->thickness / def->radius,
                         .wall = (1.0 - part) * core,
                         .z = z};
    dlp__stack_add(stack, columns, fluted_point, &loop);
}

dlp_Result dlp__form_gear(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    enum { STEPS = 4 };
    dlp_Result result = dlp__form_check_less("thickness", def->thickness, "radius", def->radius, 0.7, error);
    if (result != DLP_OK) {
        return result;
    }
    const double r = def->radius, h = def->height, core = 0.85 * (r - def->thickness);
    const int64_t columns = columns_of(def->count, def->count <= 20 ? 20 : 10);
    const int64_t rows = dlp__form_pieces(h, 2.0 * PI * r / DLP_FORM_COLUMNS, 100);
    dlp__Stack stack = {.model = model};
    add_disc(&stack, core, r, 0.0, true);
    for (int n = 0; n < STEPS; n++) {
        add_gear_loop(&stack, def, columns, core, (double)n / STEPS, 0.0);
    }
    for (int64_t n = 0; n <= rows; n++) {
        add_gear_loop(&stack, def, columns, core, 1.0, h * (double)n / (double)rows);
    }
    for (int n = STEPS - 1; n >= 0; n--) {
        add_gear_loop(&stack, def, columns, core, (double)n / STEPS, h);
    }
    add_disc(&stack, core, r, h, false);
    return DLP_OK;
}

/* A star with straight sides from its points to half of their radius between them. */
static double star_dent(double part, int64_t teeth)
{
    const double wedge = PI / (double)teeth, angle = 2.0 * part * wedge;
    const double radius = 0.5 * sin(wedge) / (sin(angle) + 0.5 * sin(wedge - angle));
    return 1.0 - radius;
}

dlp_Result dlp__form_nozzle(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    static const double ROUND_FROM = 0.75; /* of the height: above, the inside is a plain cone */
    const double t = def->thickness;
    dlp_Result result = dlp__form_check_less("hole and thickness together", def->hole + t, "radius", def->radius, 1.0,
                                             error);
    if (result != DLP_OK) {
        return result;
    }
    const int64_t columns = columns_of(def->count, 8);
    const int64_t rows = dlp__form_pieces(def->height, 2.0 * PI * def->radius / DLP_FORM_COLUMNS, 100);
    dlp__Stack stack = {.model = model};
    for (int64_t n = 0; n < 2 * (rows + 1); n++) { /* up on the outer side, down on the inner one */
        const bool outer = n <= rows;
        const double up = (double)(outer ? n : 2 * rows + 1 - n) / (double)rows;
        const Fluted loop = {.dent = star_dent,
                             .teeth = def->count,
                             .radius = def->hole + up * (def->radius - t - def->hole),
                             .depth = 1.0 - dlp__form_smooth(up / ROUND_FROM),
                             .wall = outer ? t : 0.0,
                             .z = up * def->height};
        dlp__stack_add(&stack, columns, fluted_point, &loop);
    }
    dlp__stack_close(&stack);
    return DLP_OK;
}

/* A fan about the middle. */
dlp_Result dlp__form_star(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    dlp_Result result = dlp__form_check_less("hole", def->hole, "radius", def->radius, 1.0, error);
    if (result != DLP_OK) {
        return result;
    }
    const int64_t corners = 2 * def->count;
    dlp__model_vertex(model, 0.0, 0.0, 0.0);
    for (int64_t n = 0; n < corners; n++) {
        const double angle = 2.0 * PI * (double)n / (double)corners, radius = n % 2 == 0 ? def->radius : def->hole;
        dlp__model_vertex(model, radius * cos(angle), radius * sin(angle), 0.0);
        dlp__model_triangle(model, 0, 1 + n, 1 + (n + 1) % corners);
    }
    return DLP_OK;
}

/* Round bulges with ridges between them. */
static double scallop_dent(double part, int64_t teeth)
{
    (void)teeth;
    return 1.0 - fabs(cos(PI * part));
}

/* The hollow of a mould from its upper edge down to the round middle of its floor. */
static void add_hollow(dlp__Stack *stack, const dlp_MeshDef *def, int64_t columns, double pitch)
{
    enum { ROUND = 8, FLOOR = 5 };
    static const double LEAN = 0.25; /* how much narrower it is below, so that what was cast in it comes out */
    const double top = def->radius - def->thickness, deep = def->height - def->thickness;
    const double edge = fmin(0.3 * deep, 0.2 * top), slope = LEAN * top / deep;
    Fluted loop = {scallop_dent, def->count, top, fmin(0.12, 2.0 / (double)def->count), 0.0, def->height};
    const int64_t rows = dlp__form_pieces(deep - edge, pitch, 100);
    for (int64_t n = 0; n < rows; n++) {
        const double down = (deep - edge) * (double)n / (double)rows;
        loop.radius = top - slope * down;
        loop.z = def->height - down;
        dlp__stack_add(stack, columns, fluted_point, &loop);
    }
    const double low = top - slope * (deep - edge);
    for (int n = 0; n <= ROUND; n++) {
        const double angle = 0.5 * PI * n / ROUND;
        loop.radius = low - edge * (1.0 - cos(angle));
        loop.z = def->thickness + edge * (1.0 - sin(angle));
        dlp__stack_add(stack, columns, fluted_point, &loop);
    }
    const double floor_radius = loop.radius, depth = loop.depth;
    for (int n = 1; n <= FLOOR; n++) { /* the scallops fade into a circle */
        loop.radius = floor_radius * (1.0 - 0.35 * n / FLOOR);
        loop.depth = depth * (1.0 - (double)n / FLOOR);
        dlp__stack_add(stack, columns, fluted_point, &loop);
    }
    add_disc(stack, loop.radius, def->radius, def->thickness, false);
}

dlp_Result dlp__form_mould(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    const double r = def->radius, h = def->height, pitch = 2.0 * PI * r / DLP_FORM_COLUMNS;
    dlp_Result result = dlp__form_check_less("thickness", def->thickness, "radius", r, 0.8, error);
    if (result == DLP_OK) {
        result = dlp__form_check_less("thickness", def->thickness, "height", h, 0.9, error);
    }
    if (result != DLP_OK) {
        return result;
    }
    const int64_t columns = columns_of(def->count, 8), rows = dlp__form_pieces(h, pitch, 100);
    dlp__Stack stack = {.model = model};
    add_disc(&stack, r, r, 0.0, true);
    for (int64_t n = 0; n <= rows; n++) {
        dlp__stack_circle(&stack, n < rows ? DLP_FORM_COLUMNS : columns, r, h * (double)n / (double)rows);
    }
    add_hollow(&stack, def, columns, pitch);
    return DLP_OK;
}
