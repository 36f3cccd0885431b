/* Meshes as level sets, as OpenVDB reads them: a complete narrow band, the mesh's volume, and its bubbles. */
#include "support/surface_fixture.h"

#include <dollop/files.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/Diagnostics.h>
#include <openvdb/tools/LevelSetMeasure.h>
#include <tbb/global_control.h>

#include <cmath>
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" {
#include <cmocka.h>
}

using openvdb::Coord;
using openvdb::FloatGrid;
using openvdb::Vec3d;

static const char *const PATH = "mesh.vdb";

static void write_grid(const dlp_Mesh &mesh)
{
    dlp_Error error = {};
    if (dlp_mesh_write(&mesh, PATH, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
}

static FloatGrid::Ptr read_grid(double cell)
{
    openvdb::io::File file(PATH);
    file.open();
    FloatGrid::Ptr grid = openvdb::gridPtrCast<FloatGrid>(file.readGrid("surface"));
    file.close();
    assert_true(grid != nullptr);
    assert_int_equal(grid->getGridClass(), openvdb::GRID_LEVEL_SET);
    assert_true(std::fabs(grid->background() / (3.0 * cell) - 1.0) < 1e-6);
    const Vec3d there = grid->indexToWorld(Coord(10, -20, 30));
    assert_true((there - Vec3d(10, -20, 30) * cell).length() < 1e-12);
    return grid;
}

static std::string read_bytes()
{
    std::ifstream file(PATH, std::ios_base::binary);
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

/* The largest error of a ball's values, and whether any values of the band are missing. */
struct BallFaults {
    double worst; /* cells */
    int missing, beyond;
};

static BallFaults compare_with_ball(const FloatGrid &grid, const Vec3d &center, double radius)
{
    BallFaults faults = {};
    const double cell = grid.voxelSize()[0];
    const FloatGrid::ConstAccessor values = grid.getConstAccessor();
    openvdb::CoordBBox box(Coord::round((center - Vec3d(radius)) / cell),
                           Coord::round((center + Vec3d(radius)) / cell));
    box.expand(6);
    for (const Coord &at : box) {
        const double distance = ((grid.indexToWorld(at) - center).length() - radius) / cell;
        float value;
        const bool active = values.probeValue(at, value);
        if (std::fabs(distance) < 2.9) {
            faults.missing += !active;
            faults.worst = std::fmax(faults.worst, std::fabs(value / cell - distance));
        } else if (std::fabs(distance) > 3.1) {
            faults.beyond += active || value != std::copysign(grid.background(), static_cast<float>(distance));
        }
    }
    return faults;
}

/* A ball of triangles about as large as cells: an inflated cube of squares. At whole multiples of a cell, rows of
 * samples hit its vertices and edges. */
struct Ball {
    std::vector<float> position;
    std::vector<uint32_t> triangle;
    dlp_Mesh mesh;
};

static Ball make_ball(const Vec3d &center, double radius, double cell)
{
    constexpr int SQUARES = 40;
    Ball ball = {};
    for (int face = 0; face < 6; face++) {
        const auto first = static_cast<uint32_t>(ball.position.size() / 3);
        for (int v = 0; v < (SQUARES + 1) * (SQUARES + 1); v++) {
            const int column = v % (SQUARES + 1), row = v / (SQUARES + 1);
            Vec3d way;
            way[face / 2] = face % 2 == 0 ? SQUARES : -SQUARES;
            way[(face / 2 + 1) % 3] = 2 * (face % 2 == 0 ? column : SQUARES - column) - SQUARES;
            way[(face / 2 + 2) % 3] = 2 * row - SQUARES;
            const Vec3d position = center + way * (radius / way.length());
            ball.position.insert(ball.position.end(), {(float)position[0], (float)position[1], (float)position[2]});
            if (column < SQUARES && row < SQUARES) {
                const uint32_t a = first + v, b = a + 1, c = a + SQUARES + 1, d = c + 1;
                ball.triangle.insert(ball.triangle.end(), {a, b, d, a, d, c});
            }
        }
    }
    ball.mesh.vertex_count = static_cast<int64_t>(ball.position.size() / 3);
    ball.mesh.triangle_count = static_cast<int64_t>(ball.triangle.size() / 3);
    ball.mesh.position = ball.position.data();
    ball.mesh.triangle = ball.triangle.data();
    ball.mesh.cell = cell;
    return ball;
}

/* At whole, half and odd multiples of a cell, so that the band crosses the borders of OpenVDB's nodes in many ways. */
static void a_ball_has_a_complete_band_at_any_position(void **)
{
    const double cell = 0.025, radius = 20.0 * cell;
    double worst = 0.0, worst_volume = 0.0;
    for (int n = -4; n <= 8; n++) {
        const Vec3d center = Vec3d(0.5 * n, n, -0.3 * n) * cell;
        const Ball ball = make_ball(center, radius, cell);
        const double volume = dlp_mesh_volume(&ball.mesh);
        write_grid(ball.mesh);
        const FloatGrid::Ptr grid = read_grid(cell);
        const BallFaults faults = compare_with_ball(*grid, center, radius);
        assert_int_equal(faults.missing, 0);
        assert_int_equal(faults.beyond, 0);
        assert_string_equal(openvdb::tools::checkLevelSet(*grid).c_str(), "");
        worst = std::fmax(worst, faults.worst);
        worst_volume = std::fmax(worst_volume, std::fabs(openvdb::tools::levelSetVolume(*grid) / volume - 1.0));
    }
    print_message("distances within %.3f cells, volumes within %.2f %%\n", worst, 100.0 * worst_volume);
    assert_true(worst < 0.1); /* first-order sweeping; the centers of the triangles alone are 0.01 off */
    assert_true(worst_volume < 0.005);
}

static void solids_keep_their_volume_and_bubbles(void **)
{
    static const char *const names[] = {"sphere", "torus", "slab", "shell"};
    for (const Solid solid : {SPHERE, TORUS, SLAB, SHELL}) {
        dlp_SurfaceDef def = dlp_default_surface_def();
        def.spacing = 1.0 / 30;
        fill_solid(solid, 30);
        dlp_Surface *surface = make_surface(&def);
        const dlp_Mesh mesh = build_mesh(surface);
        write_grid(mesh);
        const FloatGrid::Ptr grid = read_grid(def.cell * def.spacing);
        const double part = openvdb::tools::levelSetVolume(*grid) / dlp_mesh_volume(&mesh);
        print_message("%s: %+.2f %% of the mesh's volume, %lld samples in %zu bytes\n", names[solid],
                      100.0 * (part - 1.0), (long long)grid->activeVoxelCount(), read_bytes().size());
        assert_true(std::fabs(part - 1.0) < 0.02);
        assert_string_equal(openvdb::tools::checkLevelSet(*grid).c_str(), "");
        const bool hollow = solid == SHELL || solid == TORUS;
        assert_int_equal(grid->tree().getValue(Coord(0, 0, 0)) < 0.0f, !hollow);
        dlp_surface_destroy(surface);
    }
}

static Vec3d vertex_of(const dlp_Mesh &mesh, int64_t triangle, int corner)
{
    const float *p = mesh.position + 3 * static_cast<int64_t>(mesh.triangle[3 * triangle + corner]);
    return Vec3d(p[0], p[1], p[2]);
}

/* The winding number of the mesh around a point, from the solid angles of its triangles (van Oosterom and Strackee
 * 1983). */
static double winding_number(const dlp_Mesh &mesh, const Vec3d &position)
{
    double sum = 0.0;
    for (int64_t t = 0; t < mesh.triangle_count; t++) {
        const Vec3d a = vertex_of(mesh, t, 0) - position, b = vertex_of(mesh, t, 1) - position,
                    c = vertex_of(mesh, t, 2) - position;
        const double x = a.length(), y = b.length(), z = c.length();
        sum += std::atan2(a.dot(b.cross(c)), x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y);
    }
    return sum / (2.0 * M_PI);
}

/* Near edges and drops smaller than a cell, the slope between samples is not one, though each distance is right: the
 * only fault that is allowed. */
static void any_points_give_a_level_set_of_the_right_sign(void **)
{
    const int frames = std::getenv("DOLLOP_TEST_SCALE") ? 4 : 20;
    int64_t samples = 0, tried = 0, flat = 0;
    for (int frame = 0; frame < frames; frame++) {
        dlp_SurfaceDef def = dlp_default_surface_def();
        def.spacing = std::exp(uniform(std::log(1e-4), std::log(10.0)));
        def.field = frame % 4;
        def.cell = uniform(0.3, 1.2);
        def.radius = uniform(1.5, 3.5);
        random_points(def.spacing);
        dlp_Surface *surface = make_surface(&def);
        const dlp_Mesh mesh = build_mesh(surface);
        write_grid(mesh);
        const FloatGrid::Ptr grid = read_grid(def.cell * def.spacing);
        assert_string_equal(openvdb::tools::checkLevelSet(*grid, 8).c_str(), "");
        const std::string faults = openvdb::tools::checkLevelSet(*grid); /* begins with a number */
        flat += faults.empty() ? 0 : std::atoll(faults.c_str());
        const int64_t step = static_cast<int64_t>(grid->activeVoxelCount()) / 100 + 1;
        for (auto sample = grid->cbeginValueOn(); sample; ++sample) {
            if (samples++ % step == 0 && std::fabs(*sample) > 1e-3 * mesh.cell) {
                const bool inside = winding_number(mesh, grid->indexToWorld(sample.getCoord())) > 0.5;
                assert_int_equal(*sample < 0.0f, inside);
                tried++;
            }
        }
        dlp_surface_destroy(surface);
    }
    print_message("%lld samples, %lld tried, %lld without a slope of one\n", (long long)samples, (long long)tried,
                  (long long)flat);
    assert_true(flat * 50 < samples);
}

static void threads_give_the_same_bytes(void **)
{
    const dlp_SurfaceDef def = dlp_default_surface_def();
    random_points(def.spacing);
    dlp_Surface *surface = make_surface(&def);
    const dlp_Mesh mesh = build_mesh(surface);
    write_grid(mesh);
    const std::string expected = read_bytes();
    for (const size_t threads : {1, 2, 8}) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        write_grid(mesh);
        assert_true(read_bytes() == expected);
    }
    dlp_surface_destroy(surface);
}

static void empty_and_invalid_input_is_handled(void **)
{
    const dlp_SurfaceDef def = dlp_default_surface_def();
    dlp_Surface *surface = make_surface(&def);
    dlp_Error error = {};
    no_points();
    dlp_Mesh mesh = build_mesh(surface);
    write_grid(mesh);
    assert_true(read_grid(def.cell * def.spacing)->empty());
    assert_int_equal(dlp_mesh_write(&mesh, "mesh.stl", &error), DLP_ERROR_ARGUMENT);
    assert_non_null(std::strstr(error.text, ".vdb"));
    assert_int_equal(dlp_mesh_write(&mesh, "nowhere/mesh.vdb", &error), DLP_ERROR_FILE);
    assert_non_null(std::strstr(error.text, "nowhere/mesh.vdb"));
    mesh.cell = 0.0;
    assert_int_equal(dlp_mesh_write(&mesh, "cells.vdb", &error), DLP_ERROR_ARGUMENT);
    assert_non_null(std::strstr(error.text, "cell"));
    assert_false(std::ifstream("cells.vdb").good() || std::ifstream("cells.vdb.part").good());
    dlp_surface_destroy(surface);
}

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_has_a_complete_band_at_any_position),
        cmocka_unit_test(solids_keep_their_volume_and_bubbles),
        cmocka_unit_test(any_points_give_a_level_set_of_the_right_sign),
        cmocka_unit_test(threads_give_the_same_bytes),
        cmocka_unit_test(empty_and_invalid_input_is_handled),
    };
    openvdb::initialize();
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
