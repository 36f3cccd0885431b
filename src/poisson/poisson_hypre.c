/* BoomerAMG as preconditioner: see poisson_hypre.h. Besides src/distributed the only file that includes mpi.h. */
#include "poisson/poisson_hypre.h"

#include "base/parallel.h"

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_parcsr_ls.h>
#include <HYPRE_utilities.h>
#include <mpi.h>
#include <string.h>

/* Relative change of the diagonal where constants are in the null space, and for particles without couplings. */
static const double SHIFT = 1e-8;

struct dlp__PoissonHypre {
    dlp__Domains *domains;
    const dlp__PoissonPairs *pairs;
    bool is_closed;
    int32_t *row_of[DLP_DOMAINS_MOST]; /* of each particle and ghost */
    double *value;                     /* one for each row            */
    HYPRE_IJMatrix matrix;
    HYPRE_IJVector right, solution;
    HYPRE_Solver solver;
};

static const char *const WHAT = "the matrix of the pressure equation";

/* MPI for this process alone; once per process, unless the host has started it. Errors of MPI are returned, not fatal. */
static bool start_mpi(void)
{
    int started = 0, ended = 0, provided = 0;
    dlp__process_lock();
    bool ok = MPI_Initialized(&started) == MPI_SUCCESS && MPI_Finalized(&ended) == MPI_SUCCESS && ended == 0;
    if (ok && started == 0) {
        ok = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) == MPI_SUCCESS;
    }
    ok = ok && MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN) == MPI_SUCCESS && HYPRE_Init() == 0;
    dlp__process_unlock();
    return ok;
}

static void number_rows(dlp__PoissonHypre *hypre)
{
    const dlp__Domains *domains = hypre->domains;
    int32_t rows = 0;
    for (int d = 0; d < domains->count; d++) {
        for (int64_t i = 0; i < domains->part[d].particles.count; i++) {
            hypre->row_of[d][i] = rows++;
        }
    }
    for (int d = 0; d < domains->count; d++) {
        const int64_t count = domains->part[d].particles.count;
        const dlp__Halo *halo = &domains->part[d].halo;
        for (int64_t g = 0; g < domains->part[d].particles.ghosts; g++) {
            hypre->row_of[d][count + g] = hypre->row_of[halo->part[g]][halo->source[g]];
        }
    }
}

/* Set the row of a particle; `column` and `value` are work space for its entries. */
static bool set_row(const dlp__PoissonHypre *hypre, int part, int64_t i, HYPRE_BigInt *column, double *value)
{
    const dlp__Domain *domain = &hypre->domains->part[part];
    const dlp__NeighborList *list = hypre->pairs->list[part];
    const int64_t first = dlp__poisson_first(list, i);
    const float *weights = hypre->pairs->weight[part] + first;
    double diagonal = (double)domain->particles.poisson_loss[0][i];
    HYPRE_BigInt row = hypre->row_of[part][i];
    HYPRE_Int entries = 1;
    for (int32_t k = 0; k < list->count[i]; k++) {
        const double w = (double)weights[(int64_t)k * DLP_GROUP];
        if (w > 0.0) {
            column[entries] = hypre->row_of[part][list->entry[first + (int64_t)k * DLP_GROUP]];
            value[entries++] = -w;
            diagonal += w;
        }
    }
    column[0] = row;
    value[0] = diagonal > 0.0 ? diagonal * (hypre->is_closed ? 1.0 + SHIFT : 1.0) : 1.0;
    return HYPRE_IJMatrixAddToValues(hypre->matrix, 1, &entries, &row, column, value) == 0;
}

static bool assemble(dlp__PoissonHypre *hypre, int64_t rows)
{
    dlp__Domains *domains = hypre->domains;
    int32_t longest = 0;
    int64_t row = 0;
    HYPRE_Int *sizes = dlp__step_scratch(domains, rows, sizeof *sizes, WHAT);
    for (int d = 0; d < domains->count && sizes != NULL; d++) {
        const dlp__NeighborList *list = hypre->pairs->list[d];
        for (int64_t i = 0; i < domains->part[d].particles.count; i++) {
            longest = list->count[i] > longest ? list->count[i] : longest;
            sizes[row++] = list->count[i] + 1;
        }
    }
    HYPRE_BigInt *column = dlp__step_scratch(domains, longest + 1, sizeof *column, WHAT);
    double *value = dlp__step_scratch(domains, longest + 1, sizeof *value, WHAT);
    const HYPRE_BigInt last = (HYPRE_BigInt)rows - 1;
    if (!dlp__step_is_ok(domains) || HYPRE_IJMatrixCreate(MPI_COMM_SELF, 0, last, 0, last, &hypre->matrix) != 0) {
        return false;
    }
    bool ok = HYPRE_IJMatrixSetObjectType(hypre->matrix, HYPRE_PARCSR) == 0 &&
              HYPRE_IJMatrixSetRowSizes(hypre->matrix, sizes) == 0 && HYPRE_IJMatrixInitialize(hypre->matrix) == 0;
    for (int d = 0; ok && d < domains->count; d++) {
        for (int64_t i = 0; ok && i < domains->part[d].particles.count; i++) {
            ok = set_row(hypre, d, i, column, value);
        }
    }
    return ok && HYPRE_IJMatrixAssemble(hypre->matrix) == 0;
}

static bool create_vector(HYPRE_IJVector *vector, int64_t rows, double *value)
{
    return HYPRE_IJVectorCreate(MPI_COMM_SELF, 0, (HYPRE_BigInt)rows - 1, vector) == 0 &&
           HYPRE_IJVectorSetObjectType(*vector, HYPRE_PARCSR) == 0 && HYPRE_IJVectorInitialize(*vector) == 0 &&
           HYPRE_IJVectorSetValues(*vector, (HYPRE_Int)rows, NULL, value) == 0 && HYPRE_IJVectorAssemble(*vector) == 0;
}

/* One V-cycle with a symmetric smoother. Settings recommended for three dimensions: HMIS coarsening, extended+i interpolation with
 * four entries, one level of aggressive coarsening. */
static bool set_up_solver(dlp__PoissonHypre *hypre)
{
    enum { HMIS = 10, EXTENDED_I = 6, SYMMETRIC_L1_GAUSS_SEIDEL = 8, ENTRIES = 4 };
    HYPRE_ParCSRMatrix matrix = NULL;
    HYPRE_ParVector right = NULL, solution = NULL;
    if (HYPRE_BoomerAMGCreate(&hypre->solver) != 0) {
        return false;
    }
    HYPRE_BoomerAMGSetPrintLevel(hypre->solver, 0);
    HYPRE_BoomerAMGSetMaxIter(hypre->solver, 1);
    HYPRE_BoomerAMGSetTol(hypre->solver, 0.0);
    HYPRE_BoomerAMGSetCoarsenType(hypre->solver, HMIS);
    HYPRE_BoomerAMGSetInterpType(hypre->solver, EXTENDED_I);
    HYPRE_BoomerAMGSetPMaxElmts(hypre->solver, ENTRIES);
    HYPRE_BoomerAMGSetAggNumLevels(hypre->solver, 1);
    HYPRE_BoomerAMGSetStrongThreshold(hypre->solver, 0.25);
    HYPRE_BoomerAMGSetRelaxType(hypre->solver, SYMMETRIC_L1_GAUSS_SEIDEL);
    HYPRE_BoomerAMGSetNumSweeps(hypre->solver, 1);
    return HYPRE_IJMatrixGetObject(hypre->matrix, (void **)&matrix) == 0 &&
           HYPRE_IJVectorGetObject(hypre->right, (void **)&right) == 0 &&
           HYPRE_IJVectorGetObject(hypre->solution, (void **)&solution) == 0 &&
           HYPRE_BoomerAMGSetup(hypre->solver, matrix, right, solution) == 0;
}

bool dlp__poisson_hypre_check(dlp__Domains *domains)
{
    if (dlp__ranks_count(domains->ranks) > 1) {
        dlp__domains_fail(
            domains, DLP_ERROR_UNSUPPORTED,
            "hypre as preconditioner of the pressure equation runs in a single process only: choose another "
            "preconditioner for a world over several ranks");
        return false;
    }
    return true;
}

dlp__PoissonHypre *dlp__poisson_hypre_create(dlp__Domains *domains, const dlp__PoissonPairs *pairs, bool is_closed)
{
    const int64_t rows = dlp__domains_particles(domains);
    dlp__PoissonHypre *hypre = dlp__step_scratch(domains, 1, sizeof *hypre, WHAT);
    if (hypre == NULL) {
        return NULL;
    }
    *hypre = (dlp__PoissonHypre){.domains = domains, .pairs = pairs, .is_closed = is_closed};
    hypre->value = dlp__step_scratch(domains, rows, sizeof *hypre->value, WHAT);
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        hypre->row_of[d] = dlp__step_scratch(domains, p->count + p->ghosts, sizeof(int32_t), WHAT);
    }
    if (!dlp__step_is_ok(domains)) {
        return NULL;
    }
    if (!start_mpi()) {
        dlp__domains_fail(domains, DLP_ERROR_UNSUPPORTED, "MPI, which hypre needs, cannot be started in this process");
        return NULL;
    }
    memset(hypre->value, 0, (size_t)rows * sizeof *hypre->value);
    number_rows(hypre);
    HYPRE_ClearAllErrors();
    if (!assemble(hypre, rows) || !create_vector(&hypre->right, rows, hypre->value) ||
        !create_vector(&hypre->solution, rows, hypre->value) || !set_up_solver(hypre)) {
        dlp__domains_fail(domains, DLP_ERROR_RESOURCE, "hypre cannot set up its preconditioner: error %d",
                          HYPRE_GetError());
        dlp__poisson_hypre_destroy(hypre);
        return NULL;
    }
    return hypre;
}

/* Remove the mean of the rows. */
static void center(double *value, int64_t rows)
{
    double sum = 0.0;
    for (int64_t row = 0; row < rows; row++) {
        sum += value[row];
    }
    for (int64_t row = 0; row < rows; row++) {
        value[row] -= sum / (double)rows;
    }
}

void dlp__poisson_hypre_apply(dlp__PoissonHypre *hypre)
{
    double started = dlp__clock();
    const dlp__Domains *domains = hypre->domains;
    const HYPRE_Int rows = (HYPRE_Int)dlp__domains_particles(domains);
    HYPRE_ParCSRMatrix matrix = NULL;
    HYPRE_ParVector right = NULL, solution = NULL;
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            hypre->value[hypre->row_of[d][i]] = (double)p->residual[0][i];
        }
    }
    HYPRE_IJVectorSetValues(hypre->right, rows, NULL, hypre->value);
    memset(hypre->value, 0, (size_t)rows * sizeof *hypre->value);
    HYPRE_IJVectorSetValues(hypre->solution, rows, NULL, hypre->value);
    HYPRE_IJMatrixGetObject(hypre->matrix, (void **)&matrix);
    HYPRE_IJVectorGetObject(hypre->right, (void **)&right);
    HYPRE_IJVectorGetObject(hypre->solution, (void **)&solution);
    HYPRE_BoomerAMGSolve(hypre->solver, matrix, right, solution);
    HYPRE_ClearAllErrors(); /* one cycle is not expected to converge */
    HYPRE_IJVectorGetValues(hypre->solution, rows, NULL, hypre->value);
    if (hypre->is_closed) {
        center(hypre->value, rows);
    }
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            const double value = hypre->value[hypre->row_of[d][i]];
            p->product[0][i] = p->mobility[0][i] > 0.0f ? (float)value : 0.0f;
        }
    }
    dlp__profile_add(hypre->domains, "poisson hypre", started);
}

void dlp__poisson_hypre_destroy(dlp__PoissonHypre *hypre)
{
    if (hypre == NULL) {
        return;
    }
    if (hypre->solver != NULL) {
        HYPRE_BoomerAMGDestroy(hypre->solver);
    }
    if (hypre->solution != NULL) {
        HYPRE_IJVectorDestroy(hypre->solution);
    }
    if (hypre->right != NULL) {
        HYPRE_IJVectorDestroy(hypre->right);
    }
    if (hypre->matrix != NULL) {
        HYPRE_IJMatrixDestroy(hypre->matrix);
    }
}
