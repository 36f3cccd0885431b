/* A build without hypre: asking for it is an error that names the build option. */
#include "poisson/poisson_hypre.h"

bool dlp__poisson_hypre_check(dlp__Domains *domains)
{
    dlp__domains_fail(
        domains, DLP_ERROR_UNSUPPORTED,
        "this dollop was built without hypre: install it (Debian: libhypre-dev) and build with -DDOLLOP_HYPRE=ON, or "
        "choose another preconditioner of the pressure equation");
    return false;
}

dlp__PoissonHypre *dlp__poisson_hypre_create(dlp__Domains *domains, const dlp__PoissonPairs *pairs, bool is_closed)
{
    (void)domains;
    (void)pairs;
    (void)is_closed;
    return NULL;
}

void dlp__poisson_hypre_apply(dlp__PoissonHypre *hypre)
{
    (void)hypre;
}

void dlp__poisson_hypre_destroy(dlp__PoissonHypre *hypre)
{
    (void)hypre;
}
