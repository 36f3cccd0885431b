/* Clusters: each particle with its neighbourhood in a reference shape, which shape matching pulls back to that shape (Rivers and James
 * 2007; Takamatsu and Kanai 2011, eq. 7). The members of a cluster are the bonds of its particle, so bonds sort, migrate, save and
 * hash them. Membership is mutual: j is in the cluster of i where i is in that of j.
 *
 * Clusters that share members form an object. A particle that has a stiffness but no cluster yet joins the object of the same material
 * that it touches, at the place in the reference shape where that object's motion puts it; where it touches none, it founds an object
 * with all such particles that it is connected to, whose reference shape is their current one. */
#ifndef DLP_CLUSTERS_CLUSTERS_H
#define DLP_CLUSTERS_CLUSTERS_H

#include "bonds/bonds.h"

#define DLP_CLUSTER_FIELDS \
    DLP_FIELD_object, DLP_FIELD_reference, DLP_FIELD_rotation, DLP_FIELD_fresh, DLP_FIELD_cluster_stiffness, \
        DLP_FIELD_cluster_share, DLP_FIELD_cluster_offset, DLP_FIELD_cluster_pull

/* Values of `fresh`. */
enum { DLP_CLUSTER_OLD, DLP_CLUSTER_JOINED, DLP_CLUSTER_FOUNDED };

typedef struct dlp__Clusters {
    dlp__Domains *domains;
    dlp__Bonds *bonds; /* members, updated with the neighbours */
    float spacing;     /* m */
    int materials;
    /* Per material: members farther apart than this times their distance in the reference shape separate; 0: never. */
    const float *tear_stretch;
} dlp__Clusters;

/* Number the objects from 1 by the lowest id among their particles: those that bonds connect, and among the particles without a
 * cluster those that touch. The latter found their object, unless they touch another one of their material, which they will join.
 * Returns the number of objects, or -1 if the step has failed. Needs `cluster_stiffness` and neighbour lists, and
 * `fresh`, which is DLP_CLUSTER_OLD at the start of a step. All ranks number the same objects. */
int64_t dlp__clusters_number_objects(const dlp__Clusters *clusters);

/* Give particles without a cluster one, remove clusters whose stiffness is zero, and list the members of all clusters for
 * dlp__clusters_match(). New members take effect in the next step. */
void dlp__clusters_update(const dlp__Clusters *clusters);

/* Shape matching: `rotation` of each cluster, and `cluster_pull` of each particle, the mean over its clusters of stiffness times the
 * distance to its goal position. Conserves momentum and angular momentum. */
void dlp__clusters_match(const dlp__Clusters *clusters);

#endif
