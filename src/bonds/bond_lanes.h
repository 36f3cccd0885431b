/* Bonds laid out for a solver's loops over vectors, anew in each step: those that it chooses, in lists like those of neighbours, and
 * numbers of its own beside each entry.
 *
 * First room for counts; then every owned particle writes how many of its bonds are chosen into `list.count`; then the lists are laid
 * out, with so many numbers beside each entry; then it fills in its list, and ends it. */
#ifndef DLP_BONDS_BOND_LANES_H
#define DLP_BONDS_BOND_LANES_H

#include "bonds/bonds.h"

/* Both are false without memory. */
bool dlp__bond_lanes_open(dlp__Bonds *bonds, const dlp__Domains *domains);
bool dlp__bond_lanes_lay_out(dlp__Bonds *bonds, const dlp__Domains *domains, int numbers);

/* Where entry k of particle i stands, and its numbers with it. */
static inline int64_t dlp__bond_slot(const dlp__BondLanes *lanes, int64_t i, int32_t k)
{
    return (lanes->list.start[i / DLP_GROUP] + k) * DLP_GROUP + i % DLP_GROUP;
}

/* Pad the list of particle i up to the longest of its group. */
void dlp__bond_lanes_end(dlp__BondLanes *lanes, int64_t i, int numbers);

#endif
