/* The built-in materials. In a scene they need no definition: `material: honey`. In C:
 *
 *     dlp_MaterialDef honey;
 *     dlp_library_material("honey", &honey, &error);
 *     dlp_world_add_material(world, &honey, &id);
 */
#ifndef DOLLOP_MATERIAL_LIBRARY_H
#define DOLLOP_MATERIAL_LIBRARY_H

#include <dollop/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How far the values of a material can be trusted. */
typedef enum dlp_Grade {
    DLP_GRADE_MEASURED,
    DLP_GRADE_SIMULATION, /* input of a published simulation */
    DLP_GRADE_UNVERIFIED, /* quoted from a source that was not read again */
    DLP_GRADE_GUESS,
} dlp_Grade;
#define DLP_GRADE_COUNT 4
DLP_API const char *dlp_grade_name(dlp_Grade grade); /* "measured", ... */

typedef struct dlp_LibraryMaterial {
    dlp_MaterialDef def;                 /* with its thermal properties */
    const dlp_ViscosityKey *viscosities; /* for dlp_world_set_material_viscosities(); null if there are none */
    int viscosity_count;
    const char *description;
    const char *source;
    dlp_Grade grade;
    double yield_stress;    /* Pa, of its flow law; 0: none or not known */
    double equivalent_rate; /* 1/s: methods without flow laws take the viscosity of its steady flow at this rate */
    const char *yaml;       /* its definition as it stands in the library, `name: {...}` */
} dlp_LibraryMaterial;

typedef struct dlp_Library dlp_Library;

/* All built-in materials, in the order of the library. The library owns them, and the texts too. */
DLP_API dlp_Result dlp_library_create(dlp_Library **library, dlp_Error *error);
DLP_API void dlp_library_destroy(dlp_Library *library); /* null is allowed */
DLP_API int dlp_library_count(const dlp_Library *library);
DLP_API const dlp_LibraryMaterial *dlp_library_get(const dlp_Library *library, int index);
DLP_API const dlp_LibraryMaterial *dlp_library_find(const dlp_Library *library,
                                                    const char *name); /* null: no such name */

/* The material with that name at its own temperature (for honey, 20 degC), without thermal properties: a world with it does not
 * simulate heat. The error suggests the most similar name. */
DLP_API dlp_Result dlp_library_material(const char *name, dlp_MaterialDef *def, dlp_Error *error);

#ifdef __cplusplus
}
#endif
#endif
