/* Probes measure a world while it runs: forces on solids, flow rates, volumes, values at points, energy, connected pieces. They never
 * change the simulation: its bits are the same with and without them.
 *
 *     dlp_ProbeDef def = dlp_default_probe_def();
 *     def.kind = DLP_PROBE_FORCE;
 *     def.solid = plate;
 *     dlp_ProbeId probe;
 *     dlp_world_add_probe(world, &def, &probe);
 *     dlp_world_step(world, 0.01);
 *     double values[DLP_PROBE_COLUMNS_MOST];
 *     dlp_world_read_probe(world, probe, values, DLP_PROBE_COLUMNS_MOST);
 *
 * A probe takes a sample at the end of a step: of every step, or of the first one at or after each multiple of its interval. A
 * sample is a row of numbers; the first is the time. A number that does not exist, such as the velocity where there is no fluid,
 * is NaN. */
#ifndef DOLLOP_PROBE_H
#define DOLLOP_PROBE_H

#include <dollop/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int32_t dlp_ProbeId;

typedef enum dlp_ProbeKind {
    DLP_PROBE_FORCE,  /* of the fluid on a solid, and its torque; mean over the time since the last sample */
    DLP_PROBE_FLOW,   /* volume flow rate through an opening; mean over the same time, and the volume so far */
    DLP_PROBE_FLUID,  /* volume, mass, height and centre of mass of the fluid in a region */
    DLP_PROBE_POINT,  /* the fluid at a point */
    DLP_PROBE_LINE,   /* the fluid at points along a line */
    DLP_PROBE_ENERGY, /* of the fluid */
    DLP_PROBE_PIECES, /* connected pieces of fluid */
} dlp_ProbeKind;

/* The region of a fluid probe, or the opening of a flow probe. */
typedef enum dlp_ProbeShape {
    DLP_PROBE_EVERYWHERE,
    DLP_PROBE_BOX,       /* size, rotation */
    DLP_PROBE_SPHERE,    /* radius */
    DLP_PROBE_CYLINDER,  /* radius, length, rotation; its axis is the local z axis */
    DLP_PROBE_DISC,      /* direction, radius */
    DLP_PROBE_RECTANGLE, /* direction; width along the more horizontal of its two axes, height along the other */
    DLP_PROBE_PLANE,     /* direction; unbounded */
} dlp_ProbeShape;

/* What a point or line probe measures. */
typedef enum dlp_ProbeQuantity {
    DLP_QUANTITY_ALL,
    DLP_QUANTITY_VELOCITY,
    DLP_QUANTITY_PRESSURE,
    DLP_QUANTITY_SHEAR_RATE,  /* sqrt(2 D:D), where D is the strain rate */
    DLP_QUANTITY_STRESS,      /* Cauchy stress, tension positive; only with method physical */
    DLP_QUANTITY_TEMPERATURE, /* only if some material needs a temperature */
    DLP_QUANTITY_DENSITY,
} dlp_ProbeQuantity;

/* The point about which a force probe takes the torque. */
typedef enum dlp_TorqueCenter {
    DLP_TORQUE_ABOUT_SOLID, /* position of the solid, or centre of mass of a free one; `position` if all solids are measured */
    DLP_TORQUE_ABOUT_POSITION, /* `position` */
} dlp_TorqueCenter;

typedef struct dlp_ProbeDef {
    size_t size;
    char name[DLP_NAME_SIZE]; /* letters, digits, '_' and '-'; unique in the world; "": its number */
    int32_t kind;             /* dlp_ProbeKind */
    double interval;          /* s, between samples; 0: every step */
    dlp_SolidId solid;        /* of a force probe; -1: all solids together */
    int32_t about;            /* dlp_TorqueCenter */
    int32_t shape;            /* dlp_ProbeShape */
    dlp_Vec3 position;        /* m, centre of the shape, the point, the start of the line, or the centre of torque */
    dlp_Vec3 rotation;        /* rad, axis times angle, of a box or cylinder */
    dlp_Vec3 direction;       /* of positive flow through an opening; any length but zero */
    dlp_Vec3 box;             /* m, full edge lengths of a box; key `size` in a scene */
    double radius;            /* m */
    double length;            /* m, of a cylinder */
    double width, height;     /* m, of a rectangle */
    dlp_Vec3 end;             /* m, of a line */
    int64_t count;            /* points on a line, including both ends */
    int32_t quantity;         /* dlp_ProbeQuantity */
    dlp_MaterialId material;  /* of the fluid that is counted, by flow, fluid and pieces probes; -1: all */
    double reach;             /* spacings, largest distance of connected particles */
} dlp_ProbeDef;

#define DLP_PROBES_MOST        1024 /* per world */
#define DLP_PROBE_POINTS_MOST  1000 /* on a line */
#define DLP_PROBE_COLUMNS_MOST (1 + 13 * DLP_PROBE_POINTS_MOST)

DLP_API const dlp_ParamTable *dlp_probe_params(void);
DLP_API dlp_ProbeDef dlp_default_probe_def(void);

/* At most DLP_PROBES_MOST. The solid and the material must exist. It starts to measure with the next step. */
DLP_API dlp_Result dlp_world_add_probe(dlp_World *world, const dlp_ProbeDef *def, dlp_ProbeId *id);
DLP_API dlp_Result dlp_world_get_probe(const dlp_World *world, dlp_ProbeId id, dlp_ProbeDef *def);
DLP_API int dlp_world_probe_count(const dlp_World *world);

/* Number of columns of a probe, including the time; 0 if there is no such probe. */
DLP_API int dlp_world_probe_columns(const dlp_World *world, dlp_ProbeId id);

typedef struct dlp_ProbeColumn {
    char name[32];    /* such as "force_x"; columns of line point k have the suffix "_k" */
    const char *unit; /* "" if dimensionless */
} dlp_ProbeColumn;
DLP_API dlp_Result dlp_world_probe_column(const dlp_World *world, dlp_ProbeId id, int column, dlp_ProbeColumn *info);

/* Number of samples taken so far; a loaded world continues to count. */
DLP_API int64_t dlp_world_probe_samples(const dlp_World *world, dlp_ProbeId id);

/* The last sample: at most `count` values. All are NaN before the first, and in a world that was just loaded. */
DLP_API dlp_Result dlp_world_read_probe(const dlp_World *world, dlp_ProbeId id, double *values, int count);

/* Called for each sample, at the end of the step that took it, with all its values. Null: none. It must not change the world. */
typedef void (*dlp_ProbeFunction)(void *user, dlp_ProbeId id, const double *values, int count);
DLP_API void dlp_world_on_probe(dlp_World *world, dlp_ProbeFunction function, void *user);

#ifdef __cplusplus
}
#endif
#endif
