/* --draft of `run` and `check`: a coarser spacing for a look in seconds. */
#ifndef DOLLOP_DRAFT_H
#define DOLLOP_DRAFT_H

#include "apps/shared/exit_codes.h"

#include <dollop/scene.h>

#define DRAFT_AUTO "auto" /* value of the option when no factor is given */

typedef struct Draft {
    double factor;                    /* on the spacing; 0: not a draft */
    double full_spacing, spacing;     /* m */
    double full_particles, particles; /* estimates at the end */
    dlp_SceneFeature limit;           /* the item that limited the factor; "" if none */
} Draft;

/* Coarsen the scene as `option` says, "auto" or a factor; null: do nothing. The result depends on scene and option only, so that
 * a resumed run finds the same spacing. Errors are printed. */
ExitCode draft_apply(const char *option, dlp_Scene *scene, Draft *draft);

/* Print what the draft changes and what it cannot show, to standard error. */
void draft_print(const Draft *draft);

#endif
