/* Soft companions: bonds between neighbours at rest, each a distance constraint |x_i - x_j| = l with the compliance
 * 1/k of a spring (XPBD, Macklin et al. 2016, eq. 18), solved by Jacobi iterations in gather form: both ends of a
 * bond compute the same change of its multiplier from the same numbers, and each moves only itself. The multiplier
 * is the bond's force times dt^2, in kg m.
 *
 * On a cubic lattice of spacing d, springs k along edges and face diagonals make a solid of Young's modulus E = 5/2
 * k/d and Poisson's ratio 1/4. */
#include "stages/stage_runner.h"
#include "companions/companions.h"

#include <math.h>

/* Bond iterations per iteration of the step: they are cheap, and information travels one bond in each. */
enum { SWEEPS = 4 };

/* Fraction of the Gershgorin bound on the constraint matrix, w_i n_i + w_j n_j for n bonds at each end, that an
 * iteration divides by: from 1/2 on, iterations converge for a row of particles, which is the worst case. */
static const float DIAGONAL_SHARE = 0.6f;

typedef struct Springs {
    const dlp__Companions *companions;
    dlp__Bonds *bonds;
    float dt_squared; /* s2 */
    float spacing;    /* m */
    float per_volume; /* 1/m3, of a particle */
    double sweeps;    /* the fewest that the step makes */
} Springs;

/* kg: bond stiffness of a particle's companion, times dt^2; 0 if it belongs to none. */
static float scaled_stiffness(const Springs *springs, const dlp__Particles *p, int64_t i)
{
    const int companion = (int)p->companion[0][i] - 1;
    return companion < 0
               ? 0.0f
               : (float)(0.4 * springs->companions->def[companion].stiffness) * springs->spacing * springs->dt_squared;
}

static void prepare(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const Springs *springs = c->arguments;
    const dlp__BondPart *bonds = &springs->bonds->part[c->part];
    for (int64_t i = begin; i < end; i++) {
        int count = 0;
        for (int32_t k = bonds->first[i]; k < bonds->last[i]; k++) {
            bonds->scratch[k] = 0.0f;
            count += bonds->partner[k] >= 0;
        }
        c->particles->bonded[0][i] = (float)count * c->particles->specific_volume[0][i] * springs->per_volume;
    }
}

/* The current state of a bond: vector from the partner to the particle, its length, and its excess over the rest
 * length. */
typedef struct Stretch {
    float x, y, z, r, excess;
} Stretch;

static Stretch stretch_of(const float *row, const float *other, float length)
{
    const float x = row[0] - other[0], y = row[1] - other[1], z = row[2] - other[2];
    const float r = sqrtf(x * x + y * y + z * z);
    return (Stretch){x, y, z, r, r - length};
}

static void move(dlp__Particles *p, int64_t i, const float way[3])
{
    for (int a = 0; a < 3; a++) {
        p->position[a][i] += way[a];
        p->correction[a][i] += way[a];
    }
}

/* The force of each bond at the start of the step is the initial guess: a body at rest then stays at rest, however
 * few iterations follow. For stiff bonds it is used only as far as the iterations can correct it: a mode K times as
 * stiff as inertia keeps exp(-n K / D) of the guess's error after n iterations, with the divisor D below, so K
 * exp(-n K / D) <= D / (e n) must not be much above 1. */

/* Spacings that the guesses of all bonds of a particle together may move it: beyond that nothing is linear. */
static const float MAX_GUESS = 2.0f;

static float guess_change(const Springs *springs, float stiffness, const float *own, const float *other,
                          const Stretch *stretch, float load)
{
    (void)load; /* zero at first */
    const float bonded = fmaxf(own[3], other[3]), most = MAX_GUESS * springs->spacing / bonded;
    const double divisor = 1.0 + 2.0 * (double)DIAGONAL_SHARE * (double)stiffness * (double)bonded;
    const float part = (float)fmin(1.0, 4.0 * springs->sweeps / divisor);
    return fminf(fmaxf(-part * stiffness * stretch->excess, -most), most);
}

/* Eq. 18 of XPBD, times the stiffness. */
static float constraint_change(const Springs *springs, float stiffness, const float *own, const float *other,
                               const Stretch *stretch, float load)
{
    (void)springs;
    return (-stiffness * stretch->excess - load) / (DIAGONAL_SHARE * stiffness * (own[3] + other[3]) + 1.0f);
}

/* The change of a bond's multiplier; must be the same for both ends. */
typedef float (*ChangeFunction)(const Springs *springs, float stiffness, const float *own, const float *other,
                                const Stretch *stretch, float load);

static inline void update_multipliers(const dlp__StageContext *c, int64_t begin, int64_t end, ChangeFunction change_of)
{
    const Springs *springs = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__BondPart *bonds = &springs->bonds->part[c->part];
    for (int64_t i = begin; i < end; i++) {
        const float stiffness = scaled_stiffness(springs, p, i),
                    weight = p->specific_volume[0][i] * springs->per_volume;
        float way[3] = {0.0f, 0.0f, 0.0f};
        for (int32_t k = bonds->first[i]; k < bonds->last[i]; k++) {
            if (bonds->partner[k] < 0) {
                continue;
            }
            const float *own = c->rows[0] + 4 * i, *other = c->rows[0] + 4 * (int64_t)bonds->partner[k];
            const Stretch stretch = stretch_of(own, other, bonds->bond[k].length);
            if (stretch.r > 0.0f) { /* coincident ends have no direction */
                const float change = change_of(springs, stiffness, own, other, &stretch, bonds->scratch[k]);
                const float factor = weight * change / stretch.r;
                way[0] += factor * stretch.x;
                way[1] += factor * stretch.y;
                way[2] += factor * stretch.z;
                bonds->scratch[k] += change;
            }
        }
        move(p, i, way);
    }
}

static void guess(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    update_multipliers(c, begin, end, guess_change);
}

static void constrain(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    update_multipliers(c, begin, end, constraint_change);
}

static const dlp__Stage prepare_stage = {
    .name = "bonds prepare", .function = prepare, .reads = {DLP_FIELD_specific_volume}, .writes = {DLP_FIELD_bonded}};
static const dlp__Stage guess_stage = {.name = "bonds guess",
                                       .function = guess,
                                       .reads = {DLP_FIELD_companion, DLP_FIELD_specific_volume},
                                       .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_start, DLP_FIELD_bonded)},
                                       .writes = {DLP_FIELD_position, DLP_FIELD_correction}};
static const dlp__Stage constrain_stage = {.name = "bonds constrain",
                                           .function = constrain,
                                           .reads = {DLP_FIELD_companion, DLP_FIELD_specific_volume},
                                           .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_bonded)},
                                           .writes = {DLP_FIELD_position, DLP_FIELD_correction}};

void dlp__companions_solve_bonds(dlp__Companions *companions, dlp__Domains *domains, const dlp__CompanionStep *step,
                                 int64_t iteration)
{
    const Springs springs = {.companions = companions,
                             .bonds = &companions->bonds,
                             .dt_squared = step->dt * step->dt,
                             .spacing = step->spacing,
                             .per_volume = 1.0f / (step->spacing * step->spacing * step->spacing),
                             .sweeps = (double)SWEEPS * step->iterations};
    if (iteration == 0) {
        dlp__run(domains, &prepare_stage, &springs);
        dlp__run(domains, &guess_stage, &springs);
        return;
    }
    for (int n = 0; n < SWEEPS; n++) {
        dlp__run(domains, &constrain_stage, &springs);
    }
}
