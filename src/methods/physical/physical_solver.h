/* Data shared by the parts of a step of method physical. */
#ifndef DLP_METHODS_PHYSICAL_SOLVER_H
#define DLP_METHODS_PHYSICAL_SOLVER_H

#include "base/exact_sum.h"
#include "krylov/conjugate_gradients.h"
#include "methods/physical/coarse_grid.h"
#include "methods/physical/physical_blocks.h"
#include "methods/physical/physical_bodies.h"
#include "methods/physical/physical_stages.h"

typedef struct dlp__PhysicalParams {
    double tolerance;
    int64_t iterations;
    double damping, bulk, inertia, fick_shift, density_shift;
} dlp__PhysicalParams;

typedef struct dlp__PhysicalSolver {
    dlp__StepContext *step;
    const dlp__PhysicalParams *params;
    const dlp__PhysicalShapeStages *shape;
    const dlp__PhysicalTensionStages *tension;
    const dlp__PhysicalWettingStages *wetting;
    const dlp__PhysicalStressStages *stress;
    const dlp__PhysicalOperatorStages *linear;
    const dlp__PhysicalBlockStages *blocks;
    const dlp__PhysicalMemoryStages *memory;
    dlp__PhysicalArguments arguments;
    dlp__CoarseGrid coarse;
    dlp__BodyCoupling bodies;
    bool has_friction;       /* some wall has Coulomb friction                                  */
    bool has_images;         /* some particle sees an image of the fluid in a wall              */
    bool has_blocks;         /* the preconditioner contains the inverse diagonal blocks         */
    bool stiff;              /* some material resists shear more than inertia does              */
    bool contrast;           /* materials differ much in their resistance                       */
    bool has_memory;         /* some material has a relaxation time                             */
    bool melting;            /* some material that freezes to a solid is not all frozen         */
    double softest, hardest; /* kg/m3, resistance of materials                                  */
} dlp__PhysicalSolver;

static inline void dlp__physical_run(const dlp__PhysicalSolver *solver, const dlp__Stage *stage)
{
    dlp__run(solver->step->domains, stage, &solver->arguments);
}

/* Whether some particle is beside a wall, which takes up momentum. */
static inline bool dlp__physical_has_walls(const dlp__PhysicalSolver *solver)
{
    return solver->has_images && solver->step->solids->count > solver->step->solids->body_count;
}

/* physical_materials.c: survey the materials, and set the coefficients of every particle for this step. */
dlp__PhysicalSolver dlp__physical_begin(dlp__StepContext *step, const dlp__PhysicalParams *params);
dlp__LongestStep dlp__physical_limit(const dlp__StepContext *step);
void dlp__physical_prepare_materials(const dlp__PhysicalSolver *solver);
dlp__Rheology dlp__physical_rheology(const dlp__RheologyContext *context, const dlp__Particles *particles, int64_t i);

/* physical_solve.c: the linear system. */
void dlp__physical_mirror_walls(dlp__PhysicalSolver *solver);
void dlp__physical_wet_walls(const dlp__PhysicalSolver *solver);
void dlp__physical_set_right_side(dlp__PhysicalSolver *solver);
void dlp__physical_solve(dlp__PhysicalSolver *solver);

/* physical_accuracy.c: the longest next step that resolves the flow, before velocities advance. */
void dlp__physical_limit_next_step(const dlp__PhysicalSolver *solver);

/* physical_motion.c: velocities and positions. */
void dlp__physical_advance_velocities(const dlp__PhysicalSolver *solver);
void dlp__physical_shift_and_move(dlp__PhysicalSolver *solver);
void dlp__physical_constrain_companions(const dlp__PhysicalSolver *solver);
void dlp__physical_resolve_contact(const dlp__PhysicalSolver *solver);

/* Exact sum over all particles. */
double dlp__physical_sum(const dlp__Domains *domains, dlp__TermsFunction terms, const void *context);

#endif
