/* What each solid does to each material: made once a step from what solids say and what contacts say of single materials, and
 * read wherever a particle meets a wall. */
#ifndef DLP_BODIES_CONTACT_LAWS_H
#define DLP_BODIES_CONTACT_LAWS_H

#include "base/memory.h"

#include <dollop/world.h>

typedef struct dlp__ContactLaw {
    double friction;
    double stickiness; /* Pa */
    double reach;      /* m, more than 0 */
} dlp__ContactLaw;

/* A row for each solid, a column for each material that some contact speaks of; column 0 is for all others. */
typedef struct dlp__ContactLaws {
    dlp__Buffer buffer[2];
    dlp__ContactLaw *law;
    uint16_t *column; /* of each material */
    int columns;      /* 0 unless they are made for the solids as they are */
    double reach;     /* m, the largest of a solid that holds on; 0 if none does */
    bool rough;       /* some solid rubs by Coulomb's law                        */
} dlp__ContactLaws;

void dlp__contact_laws_release(dlp__ContactLaws *laws, dlp__Memory *memory);

#endif
