/* The surface of a fluid: a closed triangle mesh around particles. The input is points, the output a mesh with normals
 * and any of the points' fields; a surface may be rebuilt for each frame and reuses its memory.
 *
 *     dlp_SurfaceDef def = dlp_default_surface_def();
 *     dlp_Surface *surface;
 *     dlp_surface_create(&def, &surface, &error);
 *     dlp_surface_build(surface, &points, &mesh, &error);
 *
 * The mesh is closed, every side belongs to exactly two triangles, and all triangles are counterclockwise seen from
 * outside. It is the same, byte for byte, for any number of threads. */
#ifndef DOLLOP_SURFACE_H
#define DOLLOP_SURFACE_H

#include <dollop/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The field whose level set is the surface. */
typedef enum dlp_SurfaceField {
    DLP_SURFACE_ANISOTROPIC, /* particles as ellipsoids along the surface (Yu and Turk 2013) */
    DLP_SURFACE_ISOTROPIC,   /* the same with spheres */
    DLP_SURFACE_AVERAGED,    /* distance from the mean position of nearby particles (Zhu, Bridson 2005) */
    DLP_SURFACE_BLOBS,       /* root of a sum of squares (Clavet et al. 2005, eq. 13) */
} dlp_SurfaceField;

typedef struct dlp_SurfaceDef {
    size_t size; /* of this struct; set by dlp_default_surface_def() */
    int32_t field;
    double spacing;   /* m, of the particles */
    double cell;      /* spacings, of the grid that the mesh is extracted from */
    double radius;    /* spacings, radius of influence of a particle */
    double smoothing; /* how far particles move to the mean of their neighbours before meshing */
    double flatness;  /* largest ratio of the axes of an ellipsoid */
    int64_t rounds;   /* smoothing iterations of the mesh */
    int64_t threads;  /* 0: all cores */
    int64_t simd;     /* vector lanes: 1, 4, 8 or 16; 0: the widest */
    dlp_Hooks hooks;
} dlp_SurfaceDef;

DLP_API const dlp_ParamTable *dlp_surface_params(void);
DLP_API dlp_SurfaceDef dlp_default_surface_def(void);

#define DLP_SURFACE_FIELDS_MOST 32

/* One quantity of all points, such as a velocity: an array for each component. */
typedef struct dlp_PointField {
    char name[DLP_NAME_SIZE];
    char unit[DLP_NAME_SIZE]; /* SI, such as "m/s" */
    int components;           /* 1 to 9 */
    const float *component[9];
} dlp_PointField;

typedef struct dlp_Points {
    int64_t count;
    const float *position[3]; /* m */
    const uint16_t *material; /* of each, or null */
    int field_count;
    const dlp_PointField *fields; /* interpolated to the vertices */
    int solid_count;
    const dlp_SolidDef *solids; /* the surface ends at them; may be null */
} dlp_Points;

typedef struct dlp_Surface dlp_Surface;

DLP_API dlp_Result dlp_surface_create(const dlp_SurfaceDef *def, dlp_Surface **surface, dlp_Error *error);
DLP_API void dlp_surface_destroy(dlp_Surface *surface); /* may be null */
DLP_API dlp_Result dlp_surface_build(dlp_Surface *surface, const dlp_Points *points, dlp_Mesh *mesh, dlp_Error *error);

#ifdef __cplusplus
}
#endif
#endif
