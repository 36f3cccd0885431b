/* Shear flow between sliding plates: the velocity profile is a straight line for any orientation of the plates and any kind of
 * solid. */
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>
#include <stdlib.h>

#define PI        3.14159265358979323846
#define HEIGHT    0.1   /* m, between the plates                       */
#define SPEED     0.2   /* m/s, of one plate against the other         */
#define VISCOSITY 100.0 /* Pa s: the flow is steady within 0.1 s       */
#define DURATION  0.5   /* s, in which the layer is sheared by 1       */
#define TILT      0.5   /* rad, of oblique plates about the direction of motion */
#define HOLD      1e4   /* Pa, stickiness: no gravity presses the layer against the plates */
#define DISORDER  0.15  /* spacings                                    */
#define WANTED    0.01
enum { ALONG = 8 /* spacings along the motion, which is periodic */, PER_SECOND = 240 };

typedef struct Plates {
    const char *name;
    double tilt; /* rad */
    bool mesh;
} Plates;

static const Plates kinds[] = {{"planes", 0, false}, {"oblique planes", TILT, false}, {"oblique meshes", TILT, true}};
enum { KINDS = (int)(sizeof kinds / sizeof *kinds) };

/* From coordinates of the layer, with z across it, to the world. */
static dlp_Vec3 tilted(dlp_Vec3 v, double tilt)
{
    return (dlp_Vec3){v.x, cos(tilt) * v.y - sin(tilt) * v.z, sin(tilt) * v.y + cos(tilt) * v.z};
}

/* A block wider than the fluid and longer than the periodic box. */
static dlp_MeshId add_block(StudyRun *run, dlp_World *world, dlp_Vec3 size)
{
    static const uint32_t triangle[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                          2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    const double half[3] = {size.x / 2, size.y / 2, size.z / 2};
    float position[24];
    for (int n = 0; n < 24; n++) {
        position[n] = (float)((n / 3 >> n % 3 & 1) != 0 ? half[n % 3] : -half[n % 3]);
    }
    const dlp_Mesh mesh = {.vertex_count = 8, .triangle_count = 12, .position = position, .triangle = triangle};
    const dlp_MeshDef def = dlp_default_mesh_def();
    dlp_MeshId id = -1;
    study_keep(run, world, dlp_world_add_mesh(world, &def, &mesh, &id));
    return id;
}

static void add_plates(StudyRun *run, dlp_World *world, const Plates *plates, double spacing)
{
    const double thick = 4 * spacing;
    for (int side = -1; side <= 1; side += 2) {
        dlp_SolidDef plate = dlp_default_solid_def();
        dlp_Vec3 at = {0, 0, side * HEIGHT / 2};
        plate.friction = 1;
        plate.stickiness = HOLD;
        plate.velocity.x = side * SPEED / 2;
        if (plates->mesh) {
            plate.shape.kind = DLP_SHAPE_MESH;
            plate.shape.mesh = add_block(run, world, (dlp_Vec3){4, 2 * HEIGHT, thick});
            at.z += side * thick / 2;
        }
        plate.shape.position = tilted(at, plates->tilt);
        plate.shape.rotation.x = plates->tilt + (plates->mesh || side < 0 ? 0 : PI);
        study_keep(run, world, dlp_world_add_solid(world, &plate, NULL));
    }
}

/* Displacement of coordinate k from its lattice position, in spacings. */
static double disorder(int k)
{
    const double noise = 43758.5453 * sin(12.9898 * k + 4.1414);
    return DISORDER * (2 * (noise - floor(noise)) - 1);
}

/* As wide as it is high, with free sides. */
static void add_layer(StudyRun *run, dlp_World *world, const Plates *plates, int n, double spacing)
{
    const dlp_MaterialId material = STUDY_MATERIAL(run, world, {"density", 1000}, {"viscosity", VISCOSITY});
    const int wide = n, count = ALONG * wide * n;
    float *points = malloc((size_t)count * 3 * sizeof *points);
    if (points == NULL) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        return;
    }
    for (int i = 0; i < count; i++) {
        const int along = i % ALONG, across = i / ALONG % wide, up = i / ALONG / wide;
        const dlp_Vec3 place = tilted((dlp_Vec3){(along + 0.5) * spacing, (across + 0.5) * spacing - HEIGHT / 2,
                                                 (up + 0.5) * spacing - HEIGHT / 2},
                                      plates->tilt);
        points[3 * i] = (float)(place.x + disorder(3 * i) * spacing);
        points[3 * i + 1] = (float)(place.y + disorder(3 * i + 1) * spacing);
        points[3 * i + 2] = (float)(place.z + disorder(3 * i + 2) * spacing);
    }
    study_keep(run, world, dlp_world_add_points(world, material, points, count, (dlp_Vec3){0, 0, 0}));
    free(points);
}

static dlp_World *make_layer(StudyRun *run, const Plates *plates, int n)
{
    dlp_WorldDef def = study_world_def(run, "physical");
    def.spacing = HEIGHT / n;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.periodic_size = (dlp_Vec3){ALONG * def.spacing, 0, 0};
    dlp_World *world = study_world(run, &def);
    if (world) {
        add_plates(run, world, plates, def.spacing);
        add_layer(run, world, plates, n, def.spacing);
    }
    return world;
}

/* RMS of the difference from a straight line, over the speed. */
static double profile_error(const StudyParticles *particles, double tilt)
{
    double square = 0;
    for (int64_t i = 0; i < particles->count; i++) {
        const float *x = particles->position[i];
        const dlp_Vec3 place = tilted((dlp_Vec3){(double)x[0], (double)x[1], (double)x[2]}, -tilt);
        const double off = (double)particles->velocity[i][0] / SPEED - place.z / HEIGHT;
        square += off * off;
    }
    return sqrt(square / (double)particles->count);
}

static double shear(StudyRun *run, const Plates *plates, int n)
{
    StudyParticles particles = {0};
    study_case(run, "%s, %d particles across", plates->name, n);
    study_weigh(run, n * n);
    dlp_World *world = make_layer(run, plates, n);
    for (int step = 0; step < DURATION * PER_SECOND && study_step(run, world, 1.0 / PER_SECOND); step++) {}
    study_read(run, world, &particles);
    const double error = particles.count > 0 ? profile_error(&particles, plates->tilt) : 0;
    study_particles_free(&particles);
    dlp_world_destroy(world);
    return error;
}

static void run(StudyRun *run)
{
    static const int sizes[] = {10, 20, 40};
    const int count = run->quick ? 1 : 3;
    StudyTable *table = study_table(run, "couette", "Velocity between sliding plates");
    double worst = 0;
    study_column(table, "plates", "");
    study_column(table, "particles across", "");
    study_column(table, "error of the profile, RMS", "%");
    study_plan(run, KINDS * DURATION * PER_SECOND * 100 * (run->quick ? 1 : 21));
    for (int i = 0; i < KINDS * count; i++) {
        const Plates *plates = &kinds[i / count];
        const int n = sizes[i % count];
        const double error = shear(run, plates, n);
        study_word(table, "%s", plates->name);
        study_number(table, n);
        study_number(table, 100 * error);
        worst = fmax(worst, error);
    }
    study_verdict(run, worst <= WANTED, "profiles are off by at most %.2f %% of the speed (RMS)", 100 * worst);
}

const Study couette_study = {
    .name = "couette",
    .paper = "known answer",
    .claim =
        "Between sliding plates the velocity profile is a straight line, within 1 %, at 10, 20 and 40 particles across, with "
        "plates along the axes, oblique, and made of triangles.",
    .run = run,
};
