/* A closed mesh as an OpenVDB file: its signed distance in a narrow band, in the float grid 'surface'. The only C++
 * file; it catches all exceptions.
 *
 * Near the mesh OpenVDB computes the distance. Its own sign comes from a flood fill from outside, which fills bubbles;
 * here the sign comes from counting the triangles along each row of samples: a sample is inside if more of them were
 * entered than left. Farther away OpenVDB's distances are approximate (at worst 0.8 cells too large, on a ball), so the
 * rest of the band is computed by fast sweeping (Zhao 2005), which solves |grad d| = 1 (error at most 0.07 cells). */
#include "io/mesh_writers.h"

#include "base/hash.h"

#include <openvdb/io/Archive.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/ChangeBackground.h>
#include <openvdb/tools/FastSweeping.h>
#include <openvdb/tools/MeshToVolume.h>
#include <openvdb/tools/Prune.h>
#include <openvdb/tools/SignedFloodFill.h>
#include <openvdb/tree/LeafManager.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <new>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace
{

using openvdb::Coord;
using openvdb::FloatGrid;
using openvdb::Vec3d;
using Leaf = FloatGrid::TreeType::LeafNodeType;
using Leaves = openvdb::tree::LeafManager<FloatGrid::TreeType>;

constexpr double HALF_WIDTH = 3.0;      /* of the band, in cells: the default of OpenVDB's tools */
constexpr float CORE_HALF_WIDTH = 2.0f; /* cells; OpenVDB's distances, exact within one cell */
constexpr int GROWTH = 3;               /* layers, with diagonal neighbors, from the core to the end of the band */

/* The mesh in cell units, with the interface that OpenVDB expects. */
class MeshInCells
{
  public:
    explicit MeshInCells(const dlp_Mesh &mesh) : mesh(mesh)
    {
    }

    size_t polygonCount() const
    {
        return static_cast<size_t>(mesh.triangle_count);
    }
    size_t pointCount() const
    {
        return static_cast<size_t>(mesh.vertex_count);
    }
    size_t vertexCount(size_t) const
    {
        return 3;
    }
    void getIndexSpacePoint(size_t triangle, size_t corner, Vec3d &position) const
    {
        const float *p = mesh.position + 3 * static_cast<size_t>(mesh.triangle[3 * triangle + corner]);
        position = Vec3d(p[0], p[1], p[2]) / mesh.cell;
    }

  private:
    const dlp_Mesh &mesh;
};

/* The intersection of the row of samples (j, k) with a triangle. */
struct Crossing {
    int32_t k, j;
    double x;        /* cells */
    int32_t winding; /* 1 into the fluid, -1 out of it; then the sum over the row so far */
    std::tuple<int32_t, int32_t, double> order() const
    {
        return {k, j, x};
    }
};

/* On which side of the edge from a to b the row (j, k) passes, seen along x: positive, negative, or 0 if the edge is
 * parallel to the row. `value` is twice the area of the triangle between them. Both triangles of an edge must agree, so
 * the edge is always evaluated in the same direction; a row that hits the edge is treated as slightly beside it. */
int side_of_edge(const Vec3d &a, const Vec3d &b, int32_t j, int32_t k, double &value)
{
    const bool swapped = b[1] < a[1] || (b[1] == a[1] && b[2] < a[2]);
    const Vec3d &from = swapped ? b : a, &to = swapped ? a : b;
    const double dy = to[1] - from[1], dz = to[2] - from[2];
    const double area = dy * (k - from[2]) - dz * (j - from[1]);
    const double nudged = area != 0.0 ? area : dz != 0.0 ? -dz : dy;
    const int side = nudged > 0.0 ? 1 : nudged < 0.0 ? -1 : 0;
    value = swapped ? -area : area;
    return swapped ? -side : side;
}

void cross_row(const std::array<Vec3d, 3> &corner, int32_t j, int32_t k, std::vector<Crossing> &crossings)
{
    double weight[3], sum = 0.0, x = 0.0;
    int side[3];
    for (int n = 0; n < 3; n++) {
        side[n] = side_of_edge(corner[(n + 1) % 3], corner[(n + 2) % 3], j, k, weight[n]);
        sum += weight[n];
        x += weight[n] * corner[n][0];
    }
    if (side[0] != 0 && side[0] == side[1] && side[1] == side[2]) {
        crossings.push_back({k, j, sum != 0.0 ? x / sum : corner[0][0], -side[0]});
    }
}

/* All crossings, sorted by row and along each row. */
std::vector<Crossing> find_crossings(const MeshInCells &mesh)
{
    std::vector<Crossing> crossings;
    for (size_t t = 0; t < mesh.polygonCount(); t++) {
        std::array<Vec3d, 3> corner;
        for (size_t n = 0; n < 3; n++) {
            mesh.getIndexSpacePoint(t, n, corner[n]);
        }
        const auto [y_min, y_max] = std::minmax({corner[0][1], corner[1][1], corner[2][1]});
        const auto [z_min, z_max] = std::minmax({corner[0][2], corner[1][2], corner[2][2]});
        for (int32_t k = static_cast<int32_t>(std::ceil(z_min)); k <= z_max; k++) {
            for (int32_t j = static_cast<int32_t>(std::ceil(y_min)); j <= y_max; j++) {
                cross_row(corner, j, k, crossings);
            }
        }
    }
    std::sort(crossings.begin(), crossings.end(),
              [](const Crossing &a, const Crossing &b) { return a.order() < b.order(); });
    for (size_t n = 1; n < crossings.size(); n++) {
        const Crossing &before = crossings[n - 1];
        Crossing &here = crossings[n];
        here.winding += before.k == here.k && before.j == here.j ? before.winding : 0;
    }
    return crossings;
}

bool is_inside(const std::vector<Crossing> &crossings, const Coord &at)
{
    const std::tuple<int32_t, int32_t, double> order(at[2], at[1], at[0]);
    const auto next = std::lower_bound(crossings.begin(), crossings.end(), order,
                                       [](const Crossing &a, const auto &b) { return a.order() < b; });
    if (next == crossings.begin()) {
        return false;
    }
    const Crossing &last = *(next - 1);
    return last.k == at[2] && last.j == at[1] && last.winding > 0;
}

/* The value outside the band: the half width, not rounded down, because readers compare with it. */
float background_value(double cell)
{
    const double width = HALF_WIDTH * cell;
    const float rounded = static_cast<float>(width);
    return static_cast<double>(rounded) < width ? std::nextafter(rounded, std::numeric_limits<float>::max()) : rounded;
}

/* Deactivate all values beyond a distance (m), and set them to the background with their sign. */
void deactivate_beyond(FloatGrid &grid, float distance, float background)
{
    Leaves(grid.tree()).foreach ([=](Leaf &leaf, size_t) {
        for (Leaf::ValueOnIter sample = leaf.beginValueOn(); sample; ++sample) {
            if (!(std::fabs(*sample) < distance)) {
                leaf.setValueOff(sample.pos(), std::copysign(background, *sample));
            }
        }
    });
    openvdb::tools::changeLevelSetBackground(grid.tree(), background);
    openvdb::tools::pruneLevelSet(grid.tree());
}

/* Signed distances within a cell of the mesh, and only the sign elsewhere. */
FloatGrid::Ptr make_core(const dlp_Mesh &mesh, const openvdb::math::Transform &transform)
{
    const MeshInCells in_cells(mesh);
    const std::vector<Crossing> crossings = find_crossings(in_cells);
    FloatGrid::Ptr grid = openvdb::tools::meshToVolume<FloatGrid>(in_cells, transform, CORE_HALF_WIDTH, CORE_HALF_WIDTH,
                                                                  openvdb::tools::UNSIGNED_DISTANCE_FIELD);
    Leaves(grid->tree()).foreach ([&](Leaf &leaf, size_t) {
        for (Leaf::ValueOnIter sample = leaf.beginValueOn(); sample; ++sample) {
            if (is_inside(crossings, sample.getCoord())) {
                sample.setValue(-*sample);
            }
        }
    });
    openvdb::tools::signedFloodFill(grid->tree());
    deactivate_beyond(*grid, static_cast<float>(mesh.cell), background_value(mesh.cell));
    return grid;
}

FloatGrid::Ptr make_grid(const dlp_Mesh &mesh)
{
    const float background = background_value(mesh.cell);
    const auto transform = openvdb::math::Transform::createLinearTransform(mesh.cell);
    FloatGrid::Ptr grid = FloatGrid::create(background);
    if (mesh.triangle_count > 0) {
        grid = openvdb::tools::dilateSdf(*make_core(mesh, *transform), GROWTH, openvdb::tools::NN_FACE_EDGE_VERTEX);
        deactivate_beyond(*grid, background, background);
    }
    grid->setTransform(transform);
    grid->setGridClass(openvdb::GRID_LEVEL_SET);
    grid->setName("surface");
    grid->setCreator(std::string("dollop ") + dlp_version());
    return grid;
}

/* An archive in memory, with the layout of a file. */
class MemoryArchive : public openvdb::io::Archive
{
  public:
    std::string text(const FloatGrid::Ptr &grid) const
    {
        std::ostringstream stream(std::ios_base::binary);
        stream.exceptions(std::ios_base::badbit | std::ios_base::failbit);
        Archive::write(stream, openvdb::GridCPtrVec{grid}, true);
        return stream.str();
    }
};

/* OpenVDB gives every file a random id. Ours is derived from the contents, so that the same mesh gives the same
 * bytes. */
void set_id_from_contents(std::string &bytes)
{
    constexpr size_t ID_BEGIN = 21, ID_SIZE = 36; /* after the magic number, three versions and a flag */
    if (bytes.size() < ID_BEGIN + ID_SIZE || bytes[ID_BEGIN + 8] != '-' || bytes[ID_BEGIN + 23] != '-') {
        return; /* unknown header */
    }
    const char *contents = bytes.data() + ID_BEGIN + ID_SIZE;
    const size_t size = bytes.size() - ID_BEGIN - ID_SIZE;
    const uint64_t high = dlp__hash_finish(dlp__hash_bytes(DLP_HASH_SEED, contents, size));
    const uint64_t low = dlp__hash_finish(dlp__hash_bytes(~DLP_HASH_SEED, contents, size));
    char id[ID_SIZE + 1]; /* version 8, variant 1 of RFC 9562: a custom id */
    std::snprintf(id, sizeof id, "%08x-%04x-8%03x-%04x-%012llx", static_cast<unsigned>(high >> 32),
                  static_cast<unsigned>(high >> 16 & 0xffff), static_cast<unsigned>(high & 0xfff),
                  static_cast<unsigned>(low >> 48 & 0x3fff) | 0x8000u,
                  static_cast<unsigned long long>(low & 0xffffffffffffu));
    bytes.replace(ID_BEGIN, ID_SIZE, id);
}

} // namespace

extern "C" dlp_Result dlp__mesh_write_vdb(dlp__AtomicFile *file, const dlp_Mesh *mesh, dlp_Error *error)
{
    if (!(mesh->cell > 0.0)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "a level set needs the size of its cells: set the mesh's `cell`");
    }
    try {
        openvdb::initialize();
        std::string bytes = MemoryArchive().text(make_grid(*mesh));
        set_id_from_contents(bytes);
        dlp__atomic_file_append(file, bytes.data(), bytes.size());
        return DLP_OK;
    } catch (const std::bad_alloc &) {
        return dlp__fail(error, DLP_ERROR_MEMORY,
                         "out of memory for the level set of %lld triangles: use a larger cell",
                         static_cast<long long>(mesh->triangle_count));
    } catch (const std::exception &problem) {
        return dlp__fail(error, DLP_ERROR_FILE, "cannot write '%.512s': OpenVDB says %.256s", file->path,
                         problem.what());
    } catch (...) {
        return dlp__fail(error, DLP_ERROR_FILE, "cannot write '%.512s': OpenVDB failed with an unknown error",
                         file->path);
    }
}
