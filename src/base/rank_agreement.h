/* What ranks agree on. All of them make these calls together; without other ranks they change nothing. */
#ifndef DLP_BASE_RANK_AGREEMENT_H
#define DLP_BASE_RANK_AGREEMENT_H

#include "base/rank_calls.h"

#include <stddef.h>

/* One outcome for all ranks, so that they go on together: the failure of the first rank that failed, with its text. */
dlp_Result dlp__ranks_agree(dlp_Ranks *ranks, dlp_Result result, dlp_Error *error);

/* The sum of the values of the ranks before this one. */
int64_t dlp__ranks_prefix_sum(dlp_Ranks *ranks, int64_t value);

#endif
