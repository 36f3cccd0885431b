/* Rigid bodies for tests: a world of bodies alone, helpers to add things to it, and meshes of known shape. */
#ifndef DLP_TESTS_BODY_FIXTURE_H
#define DLP_TESTS_BODY_FIXTURE_H

#include "bodies/bodies.h"

static const double PI = 3.14159265358979323846;
static const double GRAVITY = 9.81; /* m/s2 */
static const dlp_Vec3 DOWN = {0, 0, -9.81};

/* A world of bodies alone, with its step count. */
typedef struct BodyStage {
    dlp__Memory memory;
    dlp__Bodies *bodies;
    int64_t step;
} BodyStage;

/* 0, or what main() must return without rigid bodies: 77 if the error message is correct. */
int bodies_missing(void);

/* Fail with the error's message. */
void expect_ok(dlp_Result result, const dlp_Error *error);
void assert_near(dlp_Vec3 a, dlp_Vec3 b, double tolerance);
void assert_close(double value, double wanted, double tolerance);

BodyStage *body_stage_create(void);
void body_stage_destroy(BodyStage *stage);
void body_stage_run(BodyStage *stage, double seconds, double dt, dlp_Vec3 gravity);

/* Radius and length are derived from the size; friction is 0.5. */
dlp__BodyForm form_of(dlp_ShapeKind kind, dlp_Vec3 position, dlp_Vec3 size);
dlp__BodyForm turned(dlp__BodyForm form, dlp_Vec3 rotation);

/* Each returns its number. add_form uses the density of water. */
int add_body(BodyStage *stage, const dlp__BodyDef *def);
int add_form(BodyStage *stage, dlp__BodyForm form);
int add_obstacle(BodyStage *stage, dlp__BodyForm form);
int add_floor(BodyStage *stage); /* at z = 0 */
void add_joint(BodyStage *stage, const dlp__JointSpec *spec);

dlp__BodyState state_of(const BodyStage *stage, int body);
dlp_Vec3 place_of(const BodyStage *stage, int body);

/* Closed meshes. */
enum { RING = 48, TUBE = 24 };

typedef struct TestMesh {
    dlp_Mesh mesh;
    float position[3 * RING * TUBE];
    uint32_t triangle[6 * RING * TUBE];
} TestMesh;

void make_torus(TestMesh *made, double radius, double tube, dlp_Vec3 center);
void make_box(TestMesh *made, dlp_Vec3 low, dlp_Vec3 high);
dlp__BodyForm mesh_form(const TestMesh *made, dlp_Vec3 position);

#endif
