/* Friction and adhesion of each solid for each material: built once per step from the solids' defaults and the
 * contacts that override them for single materials. */
#ifndef DLP_BODIES_CONTACT_LAWS_H
#define DLP_BODIES_CONTACT_LAWS_H

#include "base/memory.h"

#include <dollop/world.h>

typedef struct dlp__ContactLaw {
    double friction;
    double stickiness; /* Pa */
    double reach;      /* m, more than 0 */
} dlp__ContactLaw;

/* A row for each solid, a column for each material that some contact names or that wets solids; column 0 is for all others. */
typedef struct dlp__ContactLaws {
    dlp__Buffer buffer[2];
    dlp__ContactLaw *law;
    uint16_t *column; /* of each material */
    int columns;      /* 0: out of date */
    double reach;     /* m, the largest of a sticky solid; 0 if none is sticky */
    bool rough;       /* some solid has Coulomb friction */
} dlp__ContactLaws;

/* The materials of a world. */
typedef struct dlp__WettingMaterials {
    const dlp_MaterialDef *material; /* null: their surface tension does not hold them to solids */
    int count;
} dlp__WettingMaterials;

void dlp__contact_laws_release(dlp__ContactLaws *laws, dlp__Memory *memory);

#endif
