/* Soft companions: bonds between neighbours at rest, each a distance constraint |x_i - x_j| = l with the compliance
 * 1/k of a spring (XPBD, Macklin et al. 2016, eq. 18), solved by Jacobi iterations in gather form: both ends of a bond
 * reckon the same change of its multiplier from the same numbers, and each moves itself. The bond's multiplier is its
 * force times dt^2, in kg m.
 *
 * On a cubic lattice of spacing d, springs k along sides and face diagonals make a solid of Young's modulus E = 5/2
 * k/d and Poisson's ratio 1/4. */
#include "stages/stage_runner.h"
#include "companions/companions.h"

#include <math.h>

/* Iterations of bonds to one of the step's: they cost little, and information passes one bond in each. */
enum { SWEEPS = 4 };

/* What of the Gershgorin bound on the constraints' matrix is divided by, w_i n_i + w_j n_j for n bonds at each end:
 * from 1/2 on iterations converge for a row of particles, which is the worst case. */
static const float SHARE = 0.6f;

typedef struct Springs {
    const dlp__Companions *companions;
    dlp__Bonds *bonds;
    const dlp__Domains *domains;
    float dt_squared; /* s2 */
    float spacing;    /* m */
    float per_volume; /* 1/m3, of a particle */
    double sweeps;    /* that the step will make at least */
} Springs;

static const dlp__BondPart *bonds_of(const Springs *springs, const dlp__Particles *p)
{
    return dlp__bonds_of(springs->bonds, springs->domains, p);
}

/* kg: the stiffness of the bonds of a particle's companion, times dt^2; 0 for what is no companion. */
static float strength_of(const Springs *springs, const dlp__Particles *p, int64_t i)
{
    const int companion = (int)p->companion[0][i] - 1;
    return companion < 0
               ? 0.0f
               : (float)(0.4 * springs->companions->def[companion].stiffness) * springs->spacing * springs->dt_squared;
}

static void prepare(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const Springs *springs = c->arguments;
    const dlp__BondPart *bonds = bonds_of(springs, c->particles);
    for (int64_t i = begin; i < end; i++) {
        int count = 0;
        for (int32_t k = bonds->first[i]; k < bonds->last[i]; k++) {
            bonds->load[k] = 0.0f;
            count += bonds->place[k] >= 0;
        }
        c->particles->bonded[0][i] = (float)count * c->particles->specific_volume[0][i] * springs->per_volume;
    }
}

/* A bond as a stage finds it: from the partner to the particle, and how much longer than at rest. */
typedef struct Pull {
    float x, y, z, r, longer;
} Pull;

static Pull pull_of(const float *row, const float *other, float length)
{
    const float x = row[0] - other[0], y = row[1] - other[1], z = row[2] - other[2];
    const float r = sqrtf(x * x + y * y + z * z);
    return (Pull){x, y, z, r, r - length};
}

static void move(dlp__Particles *p, int64_t i, const float way[3])
{
    for (int a = 0; a < 3; a++) {
        p->position[a][i] += way[a];
        p->correction[a][i] += way[a];
    }
}

/* The force of each bond at the start of the step is the first guess: what rests is then at rest, however few
 * iterations are made. For stiff bonds that is taken only as far as the iterations can mend it: a mode K times as
 * stiff as inertia keeps exp(-n K / D) of the guess's error after n iterations, D being the divisor below, so K exp(-n
 * K / D) <= D / (e n) must not be much above 1. */
static const float GUESS_MOST =
    2.0f; /* spacings that all bonds of a particle together may guess: beyond that nothing is linear */

static float guess_change(const Springs *springs, float strength, const float *own, const float *other,
                          const Pull *pull, float load)
{
    (void)load; /* there is none yet */
    const float bonded = fmaxf(own[3], other[3]), most = GUESS_MOST * springs->spacing / bonded;
    const double divisor = 1.0 + 2.0 * (double)SHARE * (double)strength * (double)bonded;
    const float part = (float)fmin(1.0, 4.0 * springs->sweeps / divisor);
    return fminf(fmaxf(-part * strength * pull->longer, -most), most);
}

/* Eq. 18 of XPBD, times the stiffness. */
static float hold_change(const Springs *springs, float strength, const float *own, const float *other, const Pull *pull,
                         float load)
{
    (void)springs;
    return (-strength * pull->longer - load) / (SHARE * strength * (own[3] + other[3]) + 1.0f);
}

/* How a bond's multiplier changes; it must be the same for both ends. */
typedef float (*ChangeFunction)(const Springs *springs, float strength, const float *own, const float *other,
                                const Pull *pull, float load);

static inline void change_loads(const dlp__StageContext *c, int64_t begin, int64_t end, ChangeFunction change_of)
{
    const Springs *springs = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__BondPart *bonds = bonds_of(springs, p);
    for (int64_t i = begin; i < end; i++) {
        const float strength = strength_of(springs, p, i), weight = p->specific_volume[0][i] * springs->per_volume;
        float way[3] = {0.0f, 0.0f, 0.0f};
        for (int32_t k = bonds->first[i]; k < bonds->last[i]; k++) {
            if (bonds->place[k] < 0) {
                continue;
            }
            const float *own = c->rows[0] + 4 * i, *other = c->rows[0] + 4 * (int64_t)bonds->place[k];
            const Pull pull = pull_of(own, other, bonds->bond[k].length);
            if (pull.r > 0.0f) { /* where both ends are in one place there is no telling which way to go */
                const float change = change_of(springs, strength, own, other, &pull, bonds->load[k]);
                const float along = weight * change / pull.r;
                way[0] += along * pull.x;
                way[1] += along * pull.y;
                way[2] += along * pull.z;
                bonds->load[k] += change;
            }
        }
        move(p, i, way);
    }
}

static void guess(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    change_loads(c, begin, end, guess_change);
}

static void hold(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    change_loads(c, begin, end, hold_change);
}

static const dlp__Stage prepare_stage = {.name = "bonds prepare", .function = prepare, .writes = DLP_FIELD_BIT(bonded)};
static const dlp__Stage guess_stage = {.name = "bonds guess",
                                       .function = guess,
                                       .gathers = {DLP_ROW_VECTOR_SCALAR(start, bonded)},
                                       .writes = DLP_FIELD_BIT(position) | DLP_FIELD_BIT(correction)};
static const dlp__Stage hold_stage = {.name = "bonds hold",
                                      .function = hold,
                                      .gathers = {DLP_ROW_VECTOR_SCALAR(position, bonded)},
                                      .writes = DLP_FIELD_BIT(position) | DLP_FIELD_BIT(correction)};

bool dlp__companions_pull(dlp__Companions *companions, dlp__Domains *domains, const dlp__CompanionStep *step,
                          int64_t iteration)
{
    const Springs springs = {.companions = companions,
                             .bonds = &companions->bonds,
                             .domains = domains,
                             .dt_squared = step->dt * step->dt,
                             .spacing = step->spacing,
                             .per_volume = 1.0f / (step->spacing * step->spacing * step->spacing),
                             .sweeps = (double)SWEEPS * step->iterations};
    if (iteration == 0) {
        return dlp__run(domains, &prepare_stage, &springs) && dlp__run(domains, &guess_stage, &springs);
    }
    bool ok = true;
    for (int n = 0; ok && n < SWEEPS; n++) {
        ok = dlp__run(domains, &hold_stage, &springs);
    }
    return ok;
}
