#include "support/body_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int bodies_missing(void)
{
    dlp__Memory memory;
    dlp__Bodies *bodies = NULL;
    dlp_Error error = {0};
    dlp__memory_init(&memory, NULL);
    if (dlp__bodies_create(&memory, &bodies, &error) == DLP_ERROR_UNSUPPORTED) {
        return strstr(error.text, "libode-dev") != NULL ? 77 : 1;
    }
    dlp__bodies_destroy(bodies);
    return 0;
}

void expect_ok(dlp_Result result, const dlp_Error *error)
{
    if (result != DLP_OK) {
        fail_msg("%s", error->text);
    }
}

BodyStage *body_stage_create(void)
{
    BodyStage *stage = calloc(1, sizeof *stage);
    dlp_Error error = {0};
    dlp__memory_init(&stage->memory, NULL);
    expect_ok(dlp__bodies_create(&stage->memory, &stage->bodies, &error), &error);
    return stage;
}

void body_stage_destroy(BodyStage *stage)
{
    dlp__bodies_destroy(stage->bodies);
    assert_int_equal(stage->memory.bytes, 0);
    free(stage);
}

void body_stage_run(BodyStage *stage, double seconds, double dt, dlp_Vec3 gravity)
{
    dlp_Error error = {0};
    for (long n = lround(seconds / dt); n > 0; n--) {
        expect_ok(dlp__bodies_step(stage->bodies, stage->step++, dt, gravity, &error), &error);
    }
}

dlp__BodyForm form_of(dlp_ShapeKind kind, dlp_Vec3 position, dlp_Vec3 size)
{
    const dlp_ShapeDef def = {
        .kind = (int32_t)kind, .position = position, .size = size, .radius = 0.5 * size.x, .length = size.z};
    return (dlp__BodyForm){.shape = dlp__shape_place(&def, NULL), .friction = 0.5};
}

dlp__BodyForm turned(dlp__BodyForm form, dlp_Vec3 rotation)
{
    form.shape.rotation = dlp__rotation(rotation);
    return form;
}

int add_body(BodyStage *stage, const dlp__BodyDef *def)
{
    dlp_Error error = {0};
    int index = -1;
    expect_ok(dlp__bodies_add(stage->bodies, def, &index, &error), &error);
    return index;
}

int add_form(BodyStage *stage, dlp__BodyForm form)
{
    const dlp__BodyDef def = {.form = form, .density = 1000.0};
    return add_body(stage, &def);
}

int add_obstacle(BodyStage *stage, dlp__BodyForm form)
{
    dlp_Error error = {0};
    int index = -1;
    expect_ok(dlp__bodies_add_obstacle(stage->bodies, &form, &index, &error), &error);
    return index;
}

int add_floor(BodyStage *stage)
{
    return add_obstacle(stage, form_of(DLP_SHAPE_PLANE, dlp__vec3(0, 0, 0), dlp__vec3(1, 1, 1)));
}

dlp__BodyState state_of(const BodyStage *stage, int body)
{
    return dlp__bodies_state(stage->bodies, body);
}

dlp_Vec3 place_of(const BodyStage *stage, int body)
{
    return state_of(stage, body).position;
}

void assert_near(dlp_Vec3 a, dlp_Vec3 b, double tolerance)
{
    const double distance = dlp__length(dlp__sub(a, b));
    if (!(distance <= tolerance)) {
        fail_msg("%.12g %.12g %.12g is %g from %.12g %.12g %.12g, more than %g", a.x, a.y, a.z, distance, b.x, b.y, b.z,
                 tolerance);
    }
}

void assert_close(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance)) {
        fail_msg("%.12g is not %.12g within %g", value, wanted, tolerance);
    }
}

static void finish_mesh(TestMesh *made, int64_t vertices, int64_t triangles)
{
    made->mesh = (dlp_Mesh){
        .vertex_count = vertices, .triangle_count = triangles, .position = made->position, .triangle = made->triangle};
}

void make_torus(TestMesh *made, double radius, double tube, dlp_Vec3 center)
{
    for (int i = 0; i < RING; i++) {
        for (int j = 0; j < TUBE; j++) {
            const double u = 2.0 * PI * i / RING, v = 2.0 * PI * j / TUBE, out = radius + tube * cos(v);
            float *p = &made->position[3 * (i * TUBE + j)];
            p[0] = (float)(center.x + out * cos(u));
            p[1] = (float)(center.y + out * sin(u));
            p[2] = (float)(center.z + tube * sin(v));
            const int next_i = (i + 1) % RING * TUBE, next_j = (j + 1) % TUBE;
            const uint32_t a = (uint32_t)(i * TUBE + j), b = (uint32_t)(next_i + j), c = (uint32_t)(next_i + next_j),
                           d = (uint32_t)(i * TUBE + next_j);
            const uint32_t two[6] = {a, b, c, a, c, d};
            memcpy(&made->triangle[6 * (i * TUBE + j)], two, sizeof two);
        }
    }
    finish_mesh(made, RING * TUBE, 2 * RING * TUBE);
}

void make_box(TestMesh *made, dlp_Vec3 low, dlp_Vec3 high)
{
    static const uint32_t triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                           2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    for (int k = 0; k < 8; k++) {
        made->position[3 * k] = (float)(k & 1 ? high.x : low.x);
        made->position[3 * k + 1] = (float)(k & 2 ? high.y : low.y);
        made->position[3 * k + 2] = (float)(k & 4 ? high.z : low.z);
    }
    memcpy(made->triangle, triangles, sizeof triangles);
    finish_mesh(made, 8, 12);
}

dlp__BodyForm mesh_form(const TestMesh *made, dlp_Vec3 position)
{
    dlp__BodyForm form = form_of(DLP_SHAPE_PLANE, position, dlp__vec3(1, 1, 1));
    form.mesh = &made->mesh;
    return form;
}

void add_joint(BodyStage *stage, const dlp__JointSpec *spec)
{
    dlp_Error error = {0};
    expect_ok(dlp__bodies_add_joint(stage->bodies, spec, &error), &error);
}
