/* Scenes for tests: parse a text or fail, and two example scenes. */
#ifndef DLP_TESTS_SUPPORT_SCENE_FIXTURE_H
#define DLP_TESTS_SUPPORT_SCENE_FIXTURE_H

#include <dollop/scene.h>

/* A tank with two fluids, and an item of almost every section. */
extern const char tank_scene[];

/* A solid and an emitter that move along keys; the emitter has a flow over time. */
extern const char icing_scene[];

/* Parse a scene from memory as "s.yaml" with `count` settings; the test fails if it is invalid. */
dlp_Scene *parse_scene(const char *text, const char *const *settings, int count);

/* The parameter `smoothing` of a material in a scene of method pbf. */
double smoothing_of(const dlp_Scene *scene, int material);

/* The hash of that scene. */
uint64_t hash_scene(const char *text, const char *const *settings, int count);

#endif
