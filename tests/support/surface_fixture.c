/* Points in solids of known volume, and random points. */
#include "support/surface_fixture.h"

#include "support/mesh_checks.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MAX_POINTS = 64000 };

dlp_Points points;
static float positions[3][MAX_POINTS];
static uint64_t seed = 1;

double uniform(double min, double max)
{
    return min + (max - min) * random_number(&seed);
}

void no_points(void)
{
    points = (dlp_Points){.position = {positions[0], positions[1], positions[2]}};
}

void add_point(double x, double y, double z)
{
    assert_true(points.count < MAX_POINTS);
    positions[0][points.count] = (float)x;
    positions[1][points.count] = (float)y;
    positions[2][points.count++] = (float)z;
}

static bool is_inside(Solid solid, double x, double y, double z)
{
    const double ring = sqrt(x * x + y * y) - 0.35, square = x * x + y * y + z * z;
    switch (solid) {
    case SPHERE: return square < 0.25;
    case SHELL: return square < 0.25 && square > 0.25 * 0.25;
    case TORUS: return ring * ring + z * z < 0.15 * 0.15;
    default: return fabs(z) < 0.2;
    }
}

void fill_solid(Solid solid, int across)
{
    no_points();
    for (int i = 0; i < across * across * across; i++) {
        const int column = i % across, row = i / across % across, layer = i / across / across;
        double x = (column + 0.5) / across - 0.5, y = (row + 0.5) / across - 0.5, z = (layer + 0.5) / across - 0.5;
        if (is_inside(solid, x, y, z)) {
            add_point(x, y, z);
        }
    }
}

void random_points(double spacing)
{
    no_points();
    const int heaps = 1 + (int)uniform(0.0, 5.0);
    for (int heap = 0; heap < heaps; heap++) {
        const int count = (int)exp(uniform(0.0, log(1500.0)));
        double size = spacing * cbrt(count) * exp(uniform(-1.5, 1.5)), center[3], shape[3];
        for (int a = 0; a < 3; a++) {
            center[a] = uniform(-30.0, 30.0) * spacing;
            shape[a] = uniform(0.0, 1.0) < 0.3 ? 0.0 : size;
        }
        for (int i = 0; i < count; i++) {
            add_point(center[0] + shape[0] * uniform(-0.5, 0.5), center[1] + shape[1] * uniform(-0.5, 0.5),
                      center[2] + shape[2] * uniform(-0.5, 0.5));
        }
    }
}

dlp_Surface *make_surface(const dlp_SurfaceDef *def)
{
    dlp_Surface *surface = NULL;
    dlp_Error error = {0};
    if (dlp_surface_create(def, &surface, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    return surface;
}

dlp_Mesh build_mesh(dlp_Surface *surface)
{
    dlp_Mesh mesh;
    dlp_Error error = {0};
    if (dlp_surface_build(surface, &points, &mesh, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    const char *fault = mesh_fault(&mesh);
    if (fault != NULL) {
        fail_msg("%s (%lld points, %lld triangles)", fault, (long long)points.count, (long long)mesh.triangle_count);
    }
    return mesh;
}
