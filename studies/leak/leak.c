/* Fast walls one spacing thick: a sealed box of water that is shaken, and a whisk that rotates in a bowl under a lid.
 * No particle may get out or stay inside a wall. */
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>
#include <string.h>

#define SPACING 0.01   /* m                                   */
#define DT      0.004  /* s                                   */
#define INNER   0.12   /* m, inner side of the box            */
#define OUTER   0.14   /* m                                   */
#define SHAKE   0.05   /* m, amplitude                        */
#define RATE    20.0   /* Hz: at most 3.3 spacings per step   */
#define BOWL    0.12   /* m, outer radius                     */
#define LID     0.115  /* m, height of the lid's lower side   */
#define SPIN    100.0  /* rad/s: wires move 2 spacings per step */
#define INSIDE  0.0025 /* m, deeper particles are inside a wall */
#define TWO_PI  6.28318530717958647692
enum { BOX_STEPS = 3000, WHISK_STEPS = 2000, QUICK_PART = 20 };

/* Depth of a position in the wall (m): negative inside the container, more than the wall's thickness outside. */
typedef double (*DepthFunction)(dlp_Vec3 at, double time);

typedef struct Case {
    const char *name, *method;
    dlp_World *(*make)(StudyRun *run, const char *method);
    DepthFunction depth;
    int steps;
} Case;

static double box_depth(dlp_Vec3 at, double time)
{
    const double away = sin(TWO_PI * RATE * time) * SHAKE;
    return fmax(fmax(fabs(at.x - away), fabs(at.y - 0.5 * away)), fabs(at.z - 0.7 * away)) - 0.5 * INNER;
}

static double bowl_depth(dlp_Vec3 at, double time)
{
    (void)time;
    const double below = at.z - BOWL, radius = sqrt(at.x * at.x + at.y * at.y + below * below);
    return fmax(radius - (BOWL - SPACING), at.z - LID);
}

/* The corners and triangles of a box, counter-clockwise from outside; the bits of n give x, y, z of corner n. */
static void write_box(double size, uint32_t first, bool turned, float *position, uint32_t *triangle)
{
    static const uint32_t corner[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                        2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    for (int n = 0; n < 24; n++) {
        position[n] = (float)((n / 3 >> n % 3 & 1) != 0 ? 0.5 * size : -0.5 * size);
    }
    for (int n = 0; n < 36; n++) {
        triangle[n] = first + corner[turned ? n / 3 * 3 + 2 - n % 3 : n];
    }
}

static dlp_World *make_box(StudyRun *run, const char *method)
{
    dlp_WorldDef def = study_world_def(run, method);
    def.spacing = SPACING;
    dlp_World *world = study_world(run, &def);
    if (world == NULL) {
        return NULL;
    }
    float position[48];
    uint32_t triangle[72];
    write_box(OUTER, 0, false, position, triangle);
    write_box(INNER, 8, true, position + 24, triangle + 36);
    const dlp_Mesh mesh = {.vertex_count = 16, .triangle_count = 24, .position = position, .triangle = triangle};
    const dlp_MeshDef mesh_def = dlp_default_mesh_def();
    dlp_SolidDef box = dlp_default_solid_def();
    box.friction = 0.0;
    box.shape.kind = DLP_SHAPE_MESH;
    box.shape.position = (dlp_Vec3){0, 0, 0};
    box.amplitude = (dlp_Vec3){SHAKE, 0.5 * SHAKE, 0.7 * SHAKE};
    box.frequency = RATE;
    study_keep(run, world, dlp_world_add_mesh(world, &mesh_def, &mesh, &box.shape.mesh));
    study_keep(run, world, dlp_world_add_solid(world, &box, NULL));
    study_block(run, world,
                &(StudyBlock){.material = STUDY_MATERIAL(run, world, {"density", 1000}),
                              .counts = {12, 12, 12},
                              .corner = {-0.5 * INNER, -0.5 * INNER, -0.5 * INNER}});
    return world;
}

static void add_mesh_solid(StudyRun *run, dlp_World *world, const dlp_MeshDef *form, dlp_Vec3 position, double spin)
{
    dlp_Model *model = NULL;
    dlp_Error error;
    dlp_SolidDef def = dlp_default_solid_def();
    def.friction = 0.0;
    const dlp_Result result = dlp_model_create(form, NULL, NULL, &model, &error);
    if (result != DLP_OK) {
        study_fail(run, result, "%s", error.text);
        return;
    }
    def.shape.kind = DLP_SHAPE_MESH;
    def.shape.position = position;
    def.spin = (dlp_Vec3){0, 0, spin};
    study_keep(run, world, dlp_world_add_mesh(world, form, dlp_model_mesh(model), &def.shape.mesh));
    study_keep(run, world, dlp_world_add_solid(world, &def, NULL));
    dlp_model_destroy(model);
}

static dlp_World *make_whisk(StudyRun *run, const char *method)
{
    dlp_WorldDef def = study_world_def(run, method);
    def.spacing = SPACING;
    dlp_World *world = study_world(run, &def);
    if (world == NULL) {
        return NULL;
    }
    dlp_MeshDef bowl = dlp_default_mesh_def(), whisk = bowl;
    bowl.form = DLP_FORM_BOWL;
    bowl.radius = bowl.height = BOWL;
    bowl.thickness = SPACING;
    add_mesh_solid(run, world, &bowl, (dlp_Vec3){0, 0, 0}, 0.0);
    whisk.form = DLP_FORM_WHISK;
    whisk.radius = 0.05;
    whisk.height = 0.25;
    whisk.thickness = SPACING;
    whisk.count = 2;
    add_mesh_solid(run, world, &whisk, (dlp_Vec3){0, 0, 0.03}, SPIN);
    dlp_SolidDef lid = dlp_default_solid_def();
    lid.friction = 0.0;
    lid.shape.kind = DLP_SHAPE_PLANE;
    lid.shape.position = (dlp_Vec3){0, 0, LID};
    lid.shape.rotation = (dlp_Vec3){0.5 * TWO_PI, 0, 0};
    study_keep(run, world, dlp_world_add_solid(world, &lid, NULL));
    study_block(run, world,
                &(StudyBlock){.material = STUDY_MATERIAL(run, world, {"density", 1000}, {"viscosity", 0.1}),
                              .counts = {12, 12, 5},
                              .corner = {-0.06, -0.06, 0.055}});
    return world;
}

typedef struct Leak {
    int64_t particles, out, inside; /* the worst of all steps */
    double deepest;                 /* m, in a wall           */
} Leak;

static void check_particles(const Case *c, const dlp_World *world, const StudyParticles *particles, Leak *leak)
{
    int64_t out = 0, inside = 0;
    for (int64_t i = 0; i < particles->count; i++) {
        const float *x = particles->position[i];
        const double depth = c->depth((dlp_Vec3){(double)x[0], (double)x[1], (double)x[2]}, dlp_world_time(world));
        out += depth >= SPACING;
        inside += depth > INSIDE && depth < SPACING;
        leak->deepest = fmax(leak->deepest, depth);
    }
    leak->particles = particles->count;
    leak->out = out > leak->out ? out : leak->out;
    leak->inside = inside > leak->inside ? inside : leak->inside;
}

static Leak shake(StudyRun *run, const Case *c, int steps)
{
    StudyParticles particles = {0};
    Leak leak = {0};
    study_case(run, "%s, %s", c->name, c->method);
    dlp_World *world = c->make(run, c->method);
    for (int step = 0; step < steps && study_step(run, world, DT); step++) {
        study_read(run, world, &particles);
        check_particles(c, world, &particles, &leak);
    }
    study_particles_free(&particles);
    dlp_world_destroy(world);
    return leak;
}

static void run(StudyRun *run)
{
    static const Case cases[] = {{"box", "pbf", make_box, box_depth, BOX_STEPS},
                                 {"box", "physical", make_box, box_depth, BOX_STEPS},
                                 {"whisk", "pbf", make_whisk, bowl_depth, WHISK_STEPS},
                                 {"whisk", "physical", make_whisk, bowl_depth, WHISK_STEPS}};
    const int part = run->quick ? QUICK_PART : 1;
    StudyTable *table = study_table(run, "leak", "Particles that passed walls one spacing thick");
    int64_t out = 0, inside = 0, steps = 0;
    study_column(table, "case", "");
    study_column(table, "method", "");
    study_column(table, "particles", "");
    study_column(table, "steps", "");
    study_column(table, "out", "");
    study_column(table, "inside", "");
    study_column(table, "deepest", "m");
    study_plan(run, 2.0 * (BOX_STEPS + WHISK_STEPS) / part);
    for (int n = 0; n < 4; n++) {
        const int count = cases[n].steps / part;
        const Leak leak = shake(run, &cases[n], count);
        study_word(table, "%s", cases[n].name);
        study_word(table, "%s", cases[n].method);
        study_number(table, (double)leak.particles);
        study_number(table, count);
        study_number(table, (double)leak.out);
        study_number(table, (double)leak.inside);
        study_number(table, leak.deepest);
        out += leak.out;
        inside += leak.inside;
        steps += count;
    }
    study_verdict(run, out + inside == 0, "in %lld steps %lld particles got out and %lld were inside a wall",
                  (long long)steps, (long long)out, (long long)inside);
}

const Study leak_study = {
    .name = "leak",
    .paper = "known answer",
    .claim = "Nothing passes walls one spacing thick, of a box that is shaken hard or a bowl with a whisk in it.",
    .run = run,
};
