/* The looks of materials: a table, and fields that transfer them from particles to vertices, so that mixed fluids
 * blend. */
#include "base/vector.h"
#include "render/look_fields.h"

#include <dollop/render.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Look {
    float albedo[3];     /* of the surface, and of particles suspended in the fluid */
    float absorption[3]; /* of transmitted light, over half the height of the picture */
    float roughness;     /* 0 is a mirror */
    float transmission;  /* fraction of the light that is transmitted instead of scattered */
    float subsurface;    /* how far light spreads below the surface: cream and dough */
} Look;

/* clang-format off */
static const Look looks[DLP_LOOK_COUNT] = {
    [DLP_LOOK_PLAIN]      = {{0.30f, 0.42f, 0.58f},  {0, 0, 0},             0.35f, 0.00f, 0.10f},
    [DLP_LOOK_WATER]      = {{0.55f, 0.75f, 0.85f},  {2.2f, 0.62f, 0.40f},  0.02f, 0.97f, 0.00f},
    [DLP_LOOK_HONEY]      = {{0.88f, 0.36f, 0.03f},  {0.8f, 5.2f, 24.0f},   0.04f, 0.86f, 0.22f},
    [DLP_LOOK_SYRUP]      = {{0.40f, 0.10f, 0.02f},  {3.0f, 10.0f, 28.0f},  0.04f, 0.88f, 0.15f},
    [DLP_LOOK_CREAM]      = {{0.93f, 0.90f, 0.84f},  {0, 0, 0},             0.45f, 0.00f, 0.80f},
    [DLP_LOOK_DOUGH]      = {{0.82f, 0.69f, 0.50f},  {0, 0, 0},             0.70f, 0.00f, 0.55f},
    [DLP_LOOK_TOOTHPASTE] = {{0.75f, 0.90f, 0.88f},  {0, 0, 0},             0.22f, 0.00f, 0.60f},
    [DLP_LOOK_CHOCOLATE]  = {{0.150f, 0.052f, 0.020f}, {0, 0, 0},           0.20f, 0.00f, 0.15f},
    [DLP_LOOK_SLIME]      = {{0.25f, 0.75f, 0.12f},  {5.0f, 0.8f, 9.0f},    0.08f, 0.65f, 0.40f},
    [DLP_LOOK_JELLY]      = {{0.75f, 0.06f, 0.06f},  {0.6f, 9.0f, 8.0f},    0.06f, 0.80f, 0.30f},
    [DLP_LOOK_CLAY]       = {{0.50f, 0.24f, 0.15f},  {0, 0, 0},             0.85f, 0.00f, 0.10f},
    [DLP_LOOK_LAVA]       = {{0.045f, 0.035f, 0.03f}, {0, 0, 0},            0.80f, 0.00f, 0.00f},
};
/* clang-format on */

static const float DEFAULT_GLOW_TEMPERATURE =
    1300.0f; /* K, of lava without a temperature: orange, so that shading stays visible */

static const dlp_PointField *find_field(const dlp_Points *points, const char *name)
{
    for (int f = 0; f < points->field_count; f++) {
        if (strcmp(points->fields[f].name, name) == 0) {
            return &points->fields[f];
        }
    }
    return NULL;
}

/* The light of a black body relative to the lamp: red from 900 K, yellow at 1500 K. */
static void blackbody_light(float kelvin, float light[3])
{
    static const double wavelength[3] = {610e-9, 545e-9, 460e-9};
    const double second_radiation_constant = 0.014388, reference = 1600.0; /* m K; K, where red is 10 */
    const double t = fmin(fmax((double)kelvin, 300.0), 3000.0);
    const double red = 1.0 / expm1(second_radiation_constant / (wavelength[0] * t)),
                 reference_red = 1.0 / expm1(second_radiation_constant / (wavelength[0] * reference));
    for (int c = 0; c < 3; c++) {
        const double radiance = 1.0 / expm1(second_radiation_constant / (wavelength[c] * t));
        /* Brightness is compressed, because the real ratio is 1e5; the hue less, so that it does not become pale. */
        light[c] = (float)(10.0 * pow(red / reference_red, 0.55) * pow(radiance / red, 0.85));
    }
}

/* A look with the material's own color, if it has one. Absorption is then chosen so that transmitted light has that
 * color. */
static Look look_of(const dlp_Points *points, const dlp_FrameScene *scene, int64_t i)
{
    const int material = points->material != NULL ? points->material[i] : 0;
    if (material >= scene->material_count) {
        return looks[DLP_LOOK_PLAIN];
    }
    const dlp_MaterialDef *def = &scene->materials[material];
    const double color[3] = {def->color.x, def->color.y, def->color.z};
    Look look = looks[def->look];
    for (int c = 0; c < 3; c++) {
        if (color[c] >= 0.0) {
            look.albedo[c] = (float)color[c];
            look.absorption[c] = look.transmission > 0.0f ? (float)(-4.0 * log(fmax(color[c], 0.02))) : 0.0f;
        }
    }
    return look;
}

const char *const dlp__look_fields[DLP_LOOK_FIELDS] = {"look_albedo", "look_absorption", "look_finish", "look_glow"};

/* The look and its glow as values of the fields. */
static void pack_look(const Look *look, const float glow[3], float values[DLP_LOOK_FIELDS][3])
{
    const float finish[3] = {look->roughness, look->transmission, look->subsurface};
    const float *const parts[DLP_LOOK_FIELDS] = {look->albedo, look->absorption, finish, glow};
    for (int f = 0; f < DLP_LOOK_FIELDS; f++) {
        memcpy(values[f], parts[f], sizeof values[f]);
    }
}

void dlp__look_default(float values[DLP_LOOK_FIELDS][3])
{
    pack_look(&looks[DLP_LOOK_PLAIN], (const float[3]){0.0f, 0.0f, 0.0f}, values);
}

int dlp_looks_add(const dlp_Points *points, const dlp_FrameScene *scene, float *storage, dlp_PointField *fields)
{
    if (points == NULL || scene == NULL || storage == NULL || fields == NULL) {
        return 0;
    }
    const dlp_PointField *temperature = find_field(points, "temperature");
    const int64_t count = points->count;
    for (int f = 0; f < DLP_LOOK_FIELDS; f++) {
        fields[f] = (dlp_PointField){.components = 3};
        snprintf(fields[f].name, sizeof fields[f].name, "%s", dlp__look_fields[f]);
        for (int c = 0; c < 3; c++) {
            fields[f].component[c] = storage + (3 * f + c) * count;
        }
    }
    for (int64_t i = 0; i < count; i++) {
        const Look look = look_of(points, scene, i);
        const int material = points->material != NULL ? points->material[i] : 0;
        const bool glows = material < scene->material_count && scene->materials[material].look == DLP_LOOK_LAVA;
        float light[3] = {0.0f, 0.0f, 0.0f};
        if (glows) {
            blackbody_light(temperature != NULL ? temperature->component[0][i] : DEFAULT_GLOW_TEMPERATURE, light);
        }
        float values[DLP_LOOK_FIELDS][3];
        pack_look(&look, light, values);
        for (int k = 0; k < DLP_LOOK_VALUES; k++) {
            storage[k * count + i] = values[k / 3][k % 3];
        }
    }
    return DLP_LOOK_FIELDS;
}

void dlp_looks_color(const dlp_Points *points, const dlp_FrameScene *scene, float *color)
{
    if (points == NULL || scene == NULL || color == NULL) {
        return;
    }
    for (int64_t i = 0; i < points->count; i++) {
        const Look look = look_of(points, scene, i);
        memcpy(color + 3 * i, look.albedo, sizeof look.albedo);
    }
}
