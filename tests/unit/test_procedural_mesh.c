/* Procedural meshes: closed, facing outwards, with the given sizes and, where known, the right volume; sizes that
 * contradict each other are rejected. */
#include "geometry/mesh_builder.h"
#include "support/mesh_checks.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;

typedef struct Sizes {
    double radius, height, thickness, hole;
    int count;
} Sizes;

static const Sizes DEFAULTS = {0.1, 0.1, 0.01, 0.02, 6};

static dlp_MeshDef form_def(dlp_MeshForm form, Sizes sizes)
{
    dlp_MeshDef def = dlp_default_mesh_def();
    def.form = (int32_t)form;
    def.radius = sizes.radius;
    def.height = sizes.height;
    def.thickness = sizes.thickness;
    def.hole = sizes.hole;
    def.count = sizes.count;
    return def;
}

static const char *form_name(dlp_MeshForm form)
{
    return dlp_params_find(dlp_mesh_params(), "form")->choices[form];
}

static dlp_Model *make_form(dlp_MeshForm form, Sizes sizes)
{
    dlp_MeshDef def = form_def(form, sizes);
    dlp_Model *model = NULL;
    dlp_Error error = {DLP_OK, ""};
    if (dlp_model_create(&def, NULL, NULL, &model, &error) != DLP_OK) {
        fail_msg("%s: %s", form_name(form), error.text);
    }
    return model;
}

typedef struct Box {
    double lower[3], upper[3], farthest; /* m; `farthest` from the z axis */
} Box;

static Box box_of(const dlp_Mesh *mesh)
{
    Box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0.0};
    for (int64_t v = 0; v < mesh->vertex_count; v++) {
        const float *p = mesh->position + 3 * v;
        for (int a = 0; a < 3; a++) {
            box.lower[a] = fmin(box.lower[a], (double)p[a]);
            box.upper[a] = fmax(box.upper[a], (double)p[a]);
        }
        box.farthest = fmax(box.farthest, hypot((double)p[0], (double)p[1]));
    }
    return box;
}

static void assert_near(const char *form, const char *what, double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%s: %s is %g, not %g", form, what, value, expected);
    }
}

/* The height of a form, and its largest distance from the z axis, as documented in mesh.h. */
static void check_box(dlp_MeshForm form, Sizes s, const dlp_Mesh *mesh)
{
    const Box box = box_of(mesh);
    const char *name = form_name(form);
    const double close = 1e-3 * fmax(s.radius, s.height);
    const double tube = 0.5 * s.thickness;
    const bool torus = form == DLP_FORM_TORUS, spoon = form == DLP_FORM_SPOON;
    assert_near(name, "lowest point", box.lower[2], torus ? -tube : 0.0, close);
    if (spoon) {
        assert_near(name, "tip", box.lower[0], -s.radius, close);
        assert_near(name, "end of the handle", box.upper[0], s.radius + s.height, close);
        assert_near(name, "width", box.upper[1] - box.lower[1], 2 * 0.68 * s.radius, close);
        return;
    }
    assert_near(name, "highest point", box.upper[2], torus ? tube : s.height, close);
    assert_near(name, "reach", box.farthest, torus ? s.radius + tube : s.radius, close);
    if (form != DLP_FORM_WHISK) {
        assert_near(name, "reach along x", box.upper[0], box.farthest, close);
    }
}

/* If the orientation of a mesh is consistent, the sign of its volume tells whether it faces outwards. */
static void check_form(dlp_MeshForm form, Sizes sizes)
{
    dlp_Model *model = make_form(form, sizes);
    const dlp_Mesh *mesh = dlp_model_mesh(model);
    const char *fault = mesh_fault(mesh);
    dlp__MeshTopology topology;
    assert_true(dlp__mesh_topology(mesh, &model->memory, &topology));
    if (fault != NULL || topology.open_edges + topology.nonmanifold_edges + topology.flipped_edges != 0) {
        fail_msg("%s: %s", form_name(form), fault);
    }
    assert_int_equal(topology.components, form == DLP_FORM_WHISK ? sizes.count + 1 : 1);
    assert_in_range(mesh->triangle_count, 2000, 60000);
    const Box box = box_of(mesh);
    const double volume = dlp_mesh_volume(mesh);
    assert_true(volume > 0.0 && volume < 4.0 * box.farthest * box.farthest * (box.upper[2] - box.lower[2]));
    check_box(form, sizes, mesh);
    dlp_model_destroy(model);
}

static void forms_are_closed_and_have_the_given_sizes(void **state)
{
    (void)state;
    static const struct {
        dlp_MeshForm form;
        Sizes others[2];
    } cases[] = {
        {DLP_FORM_BOWL, {{0.12, 0.07, 0.004, 0.02, 6}, {3.0, 2.0, 1.5, 0.02, 6}}},
        {DLP_FORM_CUP, {{0.04, 0.11, 0.003, 0.02, 6}, {50.0, 10.0, 0.15, 0.02, 6}}},
        {DLP_FORM_PLATE, {{0.13, 0.02, 0.004, 0.02, 6}, {0.1, 0.02, 0.019, 0.02, 6}}},
        {DLP_FORM_SPOON, {{0.03, 0.14, 0.0015, 0.02, 6}, {0.1, 0.02, 0.02, 0.02, 6}}},
        {DLP_FORM_TORUS, {{0.1, 0.1, 0.15, 0.02, 6}, {10.0, 0.1, 0.1, 0.02, 6}}},
        {DLP_FORM_GEAR, {{0.1, 0.02, 0.012, 0.02, 24}, {0.1, 0.2, 0.06, 0.02, 3}}},
        {DLP_FORM_FUNNEL, {{0.06, 0.12, 0.002, 0.005, 6}, {0.1, 0.02, 0.0003, 0.05, 6}}},
        {DLP_FORM_NOZZLE, {{0.015, 0.04, 0.001, 0.005, 8}, {0.1, 0.3, 0.03, 0.05, 2}}},
        {DLP_FORM_WHISK, {{0.035, 0.27, 0.002, 0.02, 8}, {0.1, 0.3, 0.01, 0.02, 2}}},
        {DLP_FORM_MOULD, {{0.05, 0.05, 0.004, 0.02, 12}, {0.1, 0.02, 0.001, 0.02, 5}}},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        check_form(cases[n].form, DEFAULTS);
        check_form(cases[n].form, cases[n].others[0]);
        check_form(cases[n].form, cases[n].others[1]);
    }
}

/* A truncated cone. */
static double frustum(double a, double b, double height)
{
    return PI / 3.0 * height * (a * a + a * b + b * b);
}

static double known_volume(dlp_MeshForm form, Sizes s)
{
    const double r = s.radius, h = s.height, t = s.thickness;
    const double slope = atan2(h, 0.3 * r), inside = r - t / sin(slope); /* of a plate's rim */
    switch (form) {
    case DLP_FORM_CUP: return PI * (r * r * h - (r - t) * (r - t) * (h - t));
    case DLP_FORM_PLATE: return frustum(0.7 * r, r, h) - frustum(inside - (h - t) / tan(slope), inside, h - t);
    case DLP_FORM_TORUS: return 2.0 * PI * PI * r * 0.25 * t * t;
    case DLP_FORM_FUNNEL: return frustum(s.hole + t, r, h) - frustum(s.hole, r - t, h);
    /* Of each tooth's angle two fifths are tip, two fifths are gap, and the flanks have the mean of both radii. */
    case DLP_FORM_GEAR: return h * PI * (0.4 * r * r + 0.4 * (r - t) * (r - t) + 0.2 * (r - 0.5 * t) * (r - 0.5 * t));
    default: return 0.0;
    }
}

static void volumes_match_their_formulas(void **state)
{
    (void)state;
    static const dlp_MeshForm forms[] = {DLP_FORM_CUP, DLP_FORM_PLATE, DLP_FORM_TORUS, DLP_FORM_FUNNEL, DLP_FORM_GEAR};
    static const Sizes sizes[] = {
        {0.1, 0.1, 0.01, 0.02, 6}, {0.13, 0.02, 0.004, 0.03, 24}, {0.05, 0.2, 0.03, 0.01, 12}};
    for (size_t n = 0; n < 5; n++) {
        for (int k = 0; k < 3; k++) {
            dlp_Model *model = make_form(forms[n], sizes[k]);
            const double volume = dlp_mesh_volume(dlp_model_mesh(model)), known = known_volume(forms[n], sizes[k]);
            print_message("%-6s %+.2f %%\n", form_name(forms[n]), 100.0 * (volume / known - 1.0));
            assert_near(form_name(forms[n]), "volume", volume, known, 0.01 * known);
            dlp_model_destroy(model);
        }
    }
}

/* A nozzle's opening: points at `hole`, notches at half of it, and nothing closer to the axis. */
static void a_nozzle_opens_as_a_star(void **state)
{
    (void)state;
    const Sizes sizes = {0.1, 0.1, 0.005, 0.02, 6};
    dlp_Model *model = make_form(DLP_FORM_NOZZLE, sizes);
    const dlp_Mesh *mesh = dlp_model_mesh(model);
    double nearest = INFINITY;
    int points = 0;
    for (int64_t v = 0; v < mesh->vertex_count; v++) {
        const float *p = mesh->position + 3 * v;
        const double radius = hypot((double)p[0], (double)p[1]);
        nearest = fmin(nearest, radius);
        points += p[2] == 0.0f && fabs(radius - sizes.hole) < 1e-6;
    }
    dlp_model_destroy(model);
    assert_true(fabs(nearest - 0.5 * sizes.hole) < 1e-6);
    assert_int_equal(points, 6);
}

/* Seen from above, no part of the cavity hides another: the cast can be lifted out. */
static void a_mould_has_no_undercut(void **state)
{
    (void)state;
    dlp_Model *model = make_form(DLP_FORM_MOULD, DEFAULTS);
    const dlp_Mesh *mesh = dlp_model_mesh(model);
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        const float *a = mesh->position + 3 * (int64_t)mesh->triangle[3 * t],
                    *b = mesh->position + 3 * (int64_t)mesh->triangle[3 * t + 1],
                    *c = mesh->position + 3 * (int64_t)mesh->triangle[3 * t + 2];
        const double up = (double)(b[0] - a[0]) * (double)(c[1] - a[1]) - (double)(b[1] - a[1]) * (double)(c[0] - a[0]);
        const bool outside = hypot((double)a[0], (double)a[1]) > 0.0999 || a[2] < 1e-6f;
        assert_true(outside || up > 0.0);
    }
    dlp_model_destroy(model);
}

/* Reproducible random numbers. */
static double drawn(uint64_t *seed, double lower, double upper)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return lower * pow(upper / lower, (double)(*seed >> 33) / 2147483648.0);
}

static void every_accepted_form_is_closed(void **state)
{
    (void)state;
    uint64_t seed = 1;
    int made = 0, tried = 0;
    for (; made < 200 && tried < 2000; tried++) {
        const dlp_MeshForm form = (dlp_MeshForm)(DLP_FORM_BOWL + tried % 10);
        const double size = drawn(&seed, 1e-6, 1e6);
        const Sizes sizes = {size, drawn(&seed, 0.1, 10) * size, drawn(&seed, 0.003, 1) * size,
                             drawn(&seed, 0.003, 1) * size, (int)drawn(&seed, 2, 40)};
        dlp_MeshDef def = form_def(form, sizes);
        dlp_Model *model = NULL;
        dlp_Error error = {DLP_OK, ""};
        if (dlp_model_create(&def, NULL, NULL, &model, &error) != DLP_OK) {
            assert_int_equal(error.code, DLP_ERROR_ARGUMENT);
            continue;
        }
        const char *fault = mesh_fault(dlp_model_mesh(model));
        if (fault != NULL || !(dlp_mesh_volume(dlp_model_mesh(model)) > 0.0)) {
            fail_msg("%s of %g, %g, %g, %g m and %d: %s", form_name(form), sizes.radius, sizes.height, sizes.thickness,
                     sizes.hole, sizes.count, fault);
        }
        dlp_model_destroy(model);
        made++;
    }
    print_message("%d of %d forms were made\n", made, tried);
    assert_int_equal(made, 200);
}

static void sizes_that_contradict_each_other_are_refused(void **state)
{
    (void)state;
    static const struct {
        dlp_MeshForm form;
        Sizes sizes;
        const char *words;
    } cases[] = {
        {DLP_FORM_CUP, {0.1, 0.1, 0.1, 0.02, 6}, "a cup whose thickness is 0.1 m and radius 0.1 m"},
        {DLP_FORM_CUP, {0.1, 0.01, 0.02, 0.02, 6}, "height"},
        {DLP_FORM_CUP, {0.1, 0.1, 0.0001, 0.02, 6}, "1/500"},
        {DLP_FORM_BOWL, {0.1, 0.1, 0.11, 0.02, 6}, "a bowl"},
        {DLP_FORM_PLATE, {0.1, 0.01, 0.01, 0.02, 6}, "height"},
        {DLP_FORM_PLATE, {0.1, 9.0, 0.09, 0.02, 6}, "0.7"},
        {DLP_FORM_SPOON, {0.1, 0.1, 0.03, 0.02, 6}, "0.25 of"},
        {DLP_FORM_SPOON, {0.1, 0.1, 0.001, 0.02, 6}, "50 times the thickness 0.05 m"},
        {DLP_FORM_TORUS, {0.1, 0.1, 0.2, 0.02, 6}, "twice the radius"},
        {DLP_FORM_GEAR, {0.1, 0.1, 0.08, 0.02, 6}, "0.7 of"},
        {DLP_FORM_FUNNEL, {0.1, 0.1, 0.01, 0.1, 6}, "hole and thickness together is 0.11 m"},
        {DLP_FORM_NOZZLE, {0.1, 0.1, 0.05, 0.05, 6}, "hole"},
        {DLP_FORM_WHISK, {0.1, 0.1, 0.01, 0.02, 60}, "60 wires"},
        {DLP_FORM_WHISK, {0.1, 0.1, 0.1, 0.02, 2}, "bend"},
        {DLP_FORM_MOULD, {0.1, 0.1, 0.085, 0.02, 6}, "a mould"},
        {DLP_FORM_MOULD, {0.1, 0.01, 0.0099, 0.02, 6}, "height"},
        {DLP_FORM_TORUS, {9.9e8, 1e8, 1e8, 1e8, 6}, "1e9 m"},
        {DLP_FORM_CUP, {-1.0, 0.1, 0.01, 0.02, 6}, "mesh.radius"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        dlp_MeshDef def = form_def(cases[n].form, cases[n].sizes);
        dlp_Model *model = NULL;
        dlp_Error error = {DLP_OK, ""};
        dlp_Result result = dlp_model_create(&def, NULL, NULL, &model, &error);
        if (result == DLP_OK || model != NULL || strstr(error.text, cases[n].words) == NULL) {
            fail_msg("%s: expected '%s', got '%s'", form_name(cases[n].form), cases[n].words, error.text);
        }
        print_message("%s\n", error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_are_closed_and_have_the_given_sizes),
        cmocka_unit_test(volumes_match_their_formulas),
        cmocka_unit_test(a_nozzle_opens_as_a_star),
        cmocka_unit_test(a_mould_has_no_undercut),
        cmocka_unit_test(every_accepted_form_is_closed),
        cmocka_unit_test(sizes_that_contradict_each_other_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
