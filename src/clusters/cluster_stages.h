/* The loops of shape matching, for each vector width. Their arguments are a dlp__Clusters, whose members are listed. */
#ifndef DLP_CLUSTERS_CLUSTER_STAGES_H
#define DLP_CLUSTERS_CLUSTER_STAGES_H

#include "clusters/clusters.h"
#include "stages/stage_runner.h"

typedef struct dlp__ClusterStages {
    dlp__Stage frame; /* rotation and centre of each cluster */
    dlp__Stage pull;  /* towards the goal positions of its clusters */
} dlp__ClusterStages;

extern const dlp__ClusterStages dlp__cluster_stages_w1, dlp__cluster_stages_w4, dlp__cluster_stages_w8,
    dlp__cluster_stages_w16;

#endif
