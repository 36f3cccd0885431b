/* Triangle meshes, and models: meshes that define the shape of solids, fluids, sinks and emitters, read from a file or
 * generated from a few sizes.
 *
 *     dlp_MeshDef def = dlp_default_mesh_def();
 *     def.form = DLP_FORM_BOWL;
 *     dlp_Model *model;
 *     dlp_model_create(&def, NULL, NULL, &model, &error);
 *     dlp_world_add_mesh(world, &def, dlp_model_mesh(model), &id);
 *     dlp_model_destroy(model);
 */
#ifndef DOLLOP_MESH_H
#define DOLLOP_MESH_H

#include <dollop/params.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One quantity at all vertices, components interleaved. */
typedef struct dlp_MeshField {
    char name[DLP_NAME_SIZE];
    char unit[DLP_NAME_SIZE];
    int components;
    const float *values;
} dlp_MeshField;

/* A triangle mesh, owned by a surface (valid until it is built again or destroyed) or a model. */
typedef struct dlp_Mesh {
    int64_t vertex_count, triangle_count;
    const float *position;    /* m, x y z of each vertex */
    const float *normal;      /* unit, points outwards; may be null in meshes passed to the library */
    const uint32_t *triangle; /* three vertices each */
    int field_count;
    const dlp_MeshField *fields;
    double cell; /* m, of the grid that it was extracted from; 0 if there was none */
} dlp_Mesh;

/* m3, the volume of a closed mesh. */
DLP_API double dlp_mesh_volume(const dlp_Mesh *mesh);

/* All generated forms but the star are closed, face outwards, are centered on the z axis with z up, and solid where
 * their material is. Their bounding box has the given sizes; a gear's teeth, a star's points and a whisk's wires need
 * not touch it. Sizes that contradict each other, or differ by more than a factor of 500, are refused. */
typedef enum dlp_MeshForm {
    /* read from a .ply, .obj or .stl file */
    DLP_FORM_FILE,
    /* half a hollow ellipsoid, a sphere if `height` is `radius`, on a foot of 0.4 `radius`; z = 0 under it */
    DLP_FORM_BOWL,
    /* a hollow cylinder with a floor, open at the top; z = 0 under the floor */
    DLP_FORM_CUP,
    /* a disc that rises from 0.7 `radius` to a rim at `height`; z = 0 under it */
    DLP_FORM_PLATE,
    /* a shallow bowl, `radius` along x and 0.68 `radius` along y to each side, open at the top, with a handle of
     * `height` along +x; z = 0 under it */
    DLP_FORM_SPOON,
    /* a ring in the xy plane: `radius` to the center of a tube of diameter `thickness` */
    DLP_FORM_TORUS,
    /* a wheel around z, `height` thick, with `count` teeth `thickness` deep; z = 0 under it */
    DLP_FORM_GEAR,
    /* a hollow cone from `radius` at the top to `hole` at the bottom; the lower opening is at z = 0 */
    DLP_FORM_FUNNEL,
    /* a funnel whose lower opening is a star of `count` points between `hole` and half of it */
    DLP_FORM_NOZZLE,
    /* `count` hairpins of wire around z, `thickness` thick, below a handle; no two touch, so there are count + 1 closed
     * components; z = 0 is its lowest point */
    DLP_FORM_WHISK,
    /* a round block with a cavity of `count` scallops that widens upwards; z = 0 under it */
    DLP_FORM_MOULD,
    /* a flat star of `count` points between `radius` and `hole` in the xy plane, facing up: the opening of a nozzle */
    DLP_FORM_STAR,
} dlp_MeshForm;

typedef struct dlp_MeshDef {
    size_t size;
    char name[DLP_NAME_SIZE];
    int32_t form;             /* dlp_MeshForm */
    char file[DLP_NAME_SIZE]; /* path of a file */
    double scale;             /* m per unit of the file */
    double radius;            /* m, from the axis to the outer side */
    double height;            /* m, along z */
    double thickness;         /* m, of walls, tubes, wires */
    double hole;              /* m, radius of a lower opening, or of a star between its points */
    int64_t count;            /* teeth, points, wires, scallops */
    double sheet;             /* m: the mesh is a sheet of this thickness, solid on both sides; 0: it must be closed */
    bool opening;             /* a flat sheet for emitters, without thickness; a star is one, too */
    int64_t frames;           /* number of files, starting with `file`: the last number in its name counts up */
    double frame_rate;        /* 1/s, of these files */
    double frame_start;       /* s, time of the first file */
} dlp_MeshDef;

DLP_API const dlp_ParamTable *dlp_mesh_params(void);
DLP_API dlp_MeshDef dlp_default_mesh_def(void);

typedef struct dlp_Model dlp_Model;

/* Read or generate a model. A file is searched in `folder` (null: the working folder). The file's scale is applied;
 * equal vertices are merged, degenerate triangles and unused vertices are dropped. Normals are means over the triangles
 * of a vertex. */
DLP_API dlp_Result dlp_model_create(const dlp_MeshDef *def, const char *folder, const dlp_Hooks *hooks,
                                    dlp_Model **model, dlp_Error *error);
DLP_API void dlp_model_destroy(dlp_Model *model); /* may be null */
DLP_API const dlp_Mesh *dlp_model_mesh(const dlp_Model *model);

/* Hash of the contents of the file, or of all files of a sequence, which changes if one of them is edited or replaced; 0 if the mesh is
 * not read from a file. */
DLP_API dlp_Result dlp_mesh_hash_files(const dlp_MeshDef *def, const char *folder, uint64_t *hash, dlp_Error *error);

/* The shapes of a deforming mesh: the same vertices and triangles with different positions. At most DLP_FRAMES_MOST,
 * and 4 GiB. */
#define DLP_FRAMES_MOST 65535
typedef struct dlp_MeshFrames {
    int count;
    const double *times;    /* s, increasing */
    const float *positions; /* m, x y z of each vertex, one frame after the other */
} dlp_MeshFrames;

/* The frames of a model that was read from several files; the mesh is the first frame. None if it was one file. */
DLP_API dlp_MeshFrames dlp_model_frames(const dlp_Model *model);

/* Points spread evenly over a mesh, as boundary particles. */
typedef struct dlp_SamplingDef {
    size_t size;
    double spacing; /* m, between samples */
    double support; /* of the kernel that volumes are computed with, over spacing */
    int32_t kernel; /* dlp_KernelKind */
    int64_t seed;   /* a different seed gives different points */
} dlp_SamplingDef;

DLP_API const dlp_ParamTable *dlp_sampling_params(void);
DLP_API dlp_SamplingDef dlp_default_sampling_def(void);

typedef struct dlp_SampleView {
    int64_t count;
    const float *position;    /* m, x y z */
    const float *normal;      /* unit, of the triangle */
    const float *volume;      /* m3, 1 / sum of W over the support, itself included (Akinci et al. 2012) */
    const uint32_t *triangle; /* of each sample */
} dlp_SampleView;

/* The same mesh, def and seed give the same samples. `hooks` may be null. Fails if more than 2^20 samples would be
 * needed. */
typedef struct dlp_Samples dlp_Samples;
DLP_API dlp_Result dlp_mesh_sample(const dlp_Mesh *mesh, const dlp_SamplingDef *def, const dlp_Hooks *hooks,
                                   dlp_Samples **samples, dlp_Error *error);
DLP_API dlp_SampleView dlp_samples_view(const dlp_Samples *samples);
DLP_API void dlp_samples_destroy(dlp_Samples *samples); /* may be null */

#ifdef __cplusplus
}
#endif
#endif
