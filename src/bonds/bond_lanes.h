/* Bonds in the layout of neighbour lists for a solver's vector loops, rebuilt in each step: the bonds that the
 * solver selects, with values beside each entry.
 *
 * First allocate counts; then every owned particle writes the number of its selected bonds to `list.count`; then lay
 * out the lists, with that many values beside each entry; then each particle fills its list and pads it. */
#ifndef DLP_BONDS_BOND_LANES_H
#define DLP_BONDS_BOND_LANES_H

#include "bonds/bonds.h"

/* Both return false without memory. */
bool dlp__bond_lanes_begin(dlp__Bonds *bonds, const dlp__Domains *domains);
bool dlp__bond_lanes_layout(dlp__Bonds *bonds, const dlp__Domains *domains, int numbers);

/* Index of entry k of particle i, and of its values. */
static inline int64_t dlp__bond_slot(const dlp__BondLanes *lanes, int64_t i, int32_t k)
{
    return (lanes->list.start[i / DLP_GROUP] + k) * DLP_GROUP + i % DLP_GROUP;
}

/* Pad the list of particle i to the longest of its group. */
void dlp__bond_lanes_pad(dlp__BondLanes *lanes, int64_t i, int numbers);

#endif
