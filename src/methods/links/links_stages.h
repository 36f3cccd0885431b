/* The loops over links, for each vector width. Their arguments are a dlp__LinksPlan. */
#ifndef DLP_METHODS_LINKS_STAGES_H
#define DLP_METHODS_LINKS_STAGES_H

#include "methods/links/links_plan.h"

typedef struct dlp__LinksStages {
    dlp__Stage count, count_soft; /* how many links pull at each particle: rigid ones, and soft ones         */
    dlp__Stage pull, pull_mixed, pull_soft; /* displacements: equal densities, any densities, soft links      */
} dlp__LinksStages;

extern const dlp__LinksStages dlp__links_stages_w1, dlp__links_stages_w4, dlp__links_stages_w8, dlp__links_stages_w16;

#endif
