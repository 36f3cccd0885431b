/* A virtual rheometer: measures a material as the method `physical` simulates it, with particles in a sheared periodic box, in a thread,
 * between plates or in a cup, and puts the values of its law beside each measured one.
 *
 *     dlp_RheometerDef def = dlp_default_rheometer_def();
 *     def.test = DLP_RHEOMETER_OSCILLATION;
 *     dlp_Measurement *measurement;
 *     if (dlp_rheometer_run(&def, &material, &measurement, &error) != DLP_OK) puts(error.text);
 *     for (int k = 0; k < dlp_measurement_count(measurement); k++) {
 *         const dlp_MeasuredPoint *point = dlp_measurement_point(measurement, k);
 *         printf("%g %g %g\n", point->frequency, point->measured.storage, point->law.storage);
 *     }
 *
 * In the box the flow is homogeneous, so inertia and walls do not matter. Squeeze flow and flow in a cup are slow, and meet walls without
 * slip. A thread thins under its surface tension. Laws are those of rheology.h. */
#ifndef DOLLOP_RHEOMETER_H
#define DOLLOP_RHEOMETER_H

#include <dollop/defs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dlp_RheometerTest {
    DLP_RHEOMETER_FLOW, /* steady shear at rates from `from` to `to`: stress and first normal stress difference */
    DLP_RHEOMETER_OSCILLATION, /* G' and G'' at angular frequencies from `from` to `to`, at the strain `strain` */
    DLP_RHEOMETER_AMPLITUDE,   /* G' and G'' of the first harmonic at strains from `from` to `to`, at `frequency` */
    DLP_RHEOMETER_CREEP,       /* strain over time at the constant stress `stress` */
    DLP_RHEOMETER_STARTUP,     /* stress over time from rest, at the constant rate `rate` */
    DLP_RHEOMETER_RELAXATION,  /* stress over time after a sudden strain `strain` */
    DLP_RHEOMETER_THINNING,    /* radius of the neck of a thread under surface tension over time */
    DLP_RHEOMETER_SQUEEZE, /* force of a disc on plates that approach each other, over the gap, from `to` down to `from` */
    DLP_RHEOMETER_COUETTE, /* torque on a bob that turns in a cup, at shear rates at the bob from `from` to `to` */
    DLP_RHEOMETER_VANE,    /* the same with a vane of crossed blades; the law is that of a bob as wide as the vane */
} dlp_RheometerTest;
#define DLP_RHEOMETER_TEST_COUNT 10
DLP_API const char *dlp_rheometer_test_name(dlp_RheometerTest test);    /* "flow"; null if there is no such test */
DLP_API const char *dlp_rheometer_test_summary(dlp_RheometerTest test); /* one line */

/* Called after each step with the fraction of the work that is done, about. */
typedef void (*dlp_RheometerProgress)(void *user, double fraction);

/* How to measure. 0 stands for a value that is chosen from the material; dlp_rheometer_complete() shows which. */
typedef struct dlp_RheometerDef {
    size_t size;
    int32_t test;            /* dlp_RheometerTest */
    double spacing;          /* m, of particles */
    int64_t edge;            /* particles along an edge of the box, a radius of the thread or across the gap, 4 to 32 */
    double time_step;        /* s; 0: chosen for each point, see dlp_MeasuredPoint.time_step */
    double time_step_factor; /* on the time steps that are chosen; 1 */
    double from,
        to; /* range of what the test varies: rate (1/s), angular frequency (rad/s), strain, time (s) or gap (m) */
    int64_t points;   /* measured points, evenly on a logarithmic scale; on a linear one for creep, startup, thinning */
    double rate;      /* 1/s, of startup; of squeeze: of a Newtonian fluid at the plates at the rim, at the start */
    double strain;    /* amplitude of oscillation, step of relaxation */
    double frequency; /* rad/s, of an amplitude sweep */
    double stress;    /* Pa, of creep */
    int64_t threads;  /* 0: one per available core; results do not depend on it */
    dlp_RheometerProgress progress; /* may be null */
    void *user;                     /* for it */
    double radius;                  /* m, of the disc of a squeeze flow at its start, of the bob, of the vane */
    double cup;                     /* m, radius of the cup around bob or vane */
    int64_t blades;                 /* of the vane, an even number; 4 */
} dlp_RheometerDef;
#define DLP_RHEOMETER_POINTS_MOST 1000

DLP_API dlp_RheometerDef dlp_default_rheometer_def(void);
/* Replace each 0 by the value that suits the material (but time_step, if it depends on the point), and check the rest. */
DLP_API dlp_Result dlp_rheometer_complete(dlp_RheometerDef *def, const dlp_MaterialDef *material, dlp_Error *error);

/* Quantities that a test does not have are NaN. */
typedef struct dlp_Rheology {
    double stress;        /* Pa */
    double normal_stress; /* Pa, first difference */
    double strain;
    double storage, loss; /* Pa: G', G'' */
    double force;         /* N, on a plate */
    double torque;        /* N m per m of axis, on the bob or the vane */
    double cup_torque;    /* N m per m of axis, on the cup, the other way round */
    double radius;        /* m, of the neck of a thread */
} dlp_Rheology;

typedef struct dlp_MeasuredPoint {
    double time;      /* s, since the start of a test over time */
    double rate;      /* 1/s */
    double frequency; /* rad/s */
    double amplitude; /* of the strain */
    dlp_Rheology measured;
    dlp_Rheology law; /* NaN where the law has no such value */
    double time_step; /* s */
    int64_t steps;    /* time steps of this point */
    double drift;    /* of a flow curve: how much the last two means of the stress or torque differed, relative to it */
    double gap;      /* m, between the plates */
    double radius;   /* m, of the disc of that gap and the volume of the sample */
    double rotation; /* rad/s, of the bob or the vane */
} dlp_MeasuredPoint;

typedef struct dlp_Measurement dlp_Measurement;

/* Measure the material, at its reference temperature. `def` is completed first. */
DLP_API dlp_Result dlp_rheometer_run(const dlp_RheometerDef *def, const dlp_MaterialDef *material,
                                     dlp_Measurement **measurement, dlp_Error *error);
DLP_API void dlp_measurement_destroy(dlp_Measurement *measurement);               /* null is allowed */
DLP_API dlp_RheometerDef dlp_measurement_def(const dlp_Measurement *measurement); /* as completed */
DLP_API int dlp_measurement_count(const dlp_Measurement *measurement);
DLP_API int64_t dlp_measurement_particles(const dlp_Measurement *measurement); /* that were simulated */
DLP_API const dlp_MeasuredPoint *dlp_measurement_point(const dlp_Measurement *measurement, int index);

/* How far a point is from its law, as a fraction: the shear stress of a flow curve relative to that of the law, G' and G'' relative to the complex
 * modulus, the strain, stress or radius of a test over time relative to the largest of the law, force and torque relative to those of the law.
 * NaN if the law has no value to compare with. */
DLP_API double dlp_measurement_error(const dlp_Measurement *measurement, int index);

#ifdef __cplusplus
}
#endif
#endif
