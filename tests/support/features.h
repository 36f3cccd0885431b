/* Small worlds that contain any choice of features, for tests that go through all of them. Fluid lies in a tank 0.2 m wide; every
 * feature acts within the first steps of 4 ms. */
#ifndef DLP_TESTS_SUPPORT_FEATURES_H
#define DLP_TESTS_SUPPORT_FEATURES_H

#include "support/world_fixture.h"

typedef enum Feature {
    FEATURE_MESH = 1 << 0,      /* a fixed solid with the shape of a mesh */
    FEATURE_BODIES = 1 << 1,    /* two free bodies and a hinge */
    FEATURE_COMPANION = 1 << 2, /* a rigid and a soft one */
    FEATURE_HEAT = 1 << 3,      /* conduction, cold walls, melting */
    FEATURE_EMITTER = 1 << 4,
    FEATURE_SINK = 1 << 5,
    FEATURE_ELASTIC = 1 << 6,   /* a second material with elastic memory that yields */
    FEATURE_KEYS = 1 << 7,      /* a solid on a path */
    FEATURE_DEFORMING = 1 << 8, /* a mesh with frames */
    FEATURE_PROBES = 1 << 9,    /* one of each kind */
    FEATURE_FRICTION = 1 << 10, /* Coulomb friction and adhesion on the walls */
    FEATURE_PERIODIC = 1 << 11, /* the x axis; a floor replaces the tank */
} Feature;
#define FEATURE_COUNT 12

const char *feature_name(int index);

/* A world def for them, with one thread. */
dlp_WorldDef feature_def(const char *method, int features, double spacing);

/* Add fluid and the features. A call that runs out of memory is repeated once and must then succeed. */
void add_features(dlp_World *world, int features);

/* A world in one of the methods: nothing but fluid, each feature alone, all that go together, or automatic steps. */
typedef struct FeatureCase {
    const char *method;
    int features;
    bool automatic; /* the library chooses the time steps */
    char name[48];
} FeatureCase;

int feature_case_count(void);
FeatureCase feature_case(int number);

/* The world of a case; steps of it, of 4 ms if they are fixed. */
dlp_World *start_feature_case(const FeatureCase *test, const dlp_WorldDef *def);
void step_feature_case(dlp_World *world, const FeatureCase *test, int steps);

/* The call, and once more if memory ran out in it. */
#define TRY(call) \
    do { \
        dlp_Result result_ = (call); \
        if (result_ == DLP_ERROR_MEMORY) { \
            result_ = (call); \
        } \
        assert_int_equal(result_, DLP_OK); \
    } while (0)

#endif
