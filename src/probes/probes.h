/* The probes of a world (dollop/probe.h). They read the world between substeps and write nothing but their own state. Sums over
 * particles are exact, so samples do not depend on threads, vector lanes, subdomains or ranks: all ranks take the same ones. */
#ifndef DLP_PROBES_PROBES_H
#define DLP_PROBES_PROBES_H

#include "base/long_accumulator.h"
#include "methods/method.h"

#include <dollop/probe.h>

/* What has been measured since the last sample, and since the start. Saved in checkpoints. */
typedef struct dlp__ProbeState {
    int64_t samples;     /* taken so far */
    int64_t due;         /* number of the last interval in which a sample was taken */
    double elapsed;      /* s, since the last sample */
    dlp_Vec3 impulse[4]; /* force probe, since then: linear (N s) and angular (N m s) of pressure, of viscous stress */
    double volume;       /* flow probe: m3, net volume since then */
    double total;        /* flow probe: m3, net volume since the start */
    double work;         /* energy probe: J, work of stress since the start */
    double elastic;      /* energy probe: J, elastic energy when it started */
    bool started;        /* energy probe: that is known */
} dlp__ProbeState;

typedef struct dlp__Probe {
    dlp_ProbeDef def;
    dlp__ProbeState state;
    int columns;
    double *values;           /* the last sample */
    dlp__Buffer buffer, work; /* values, work space of a sample */
} dlp__Probe;

/* Positions found by id: a hash table. */
typedef struct dlp__PositionTable {
    uint64_t *id; /* 1 + id; 0: empty */
    float *position;
    int64_t slots; /* a power of two */
    dlp__Buffer buffer[2];
} dlp__PositionTable;

/* Positions at the start of a substep, of the particles that were on this rank then, and of those that came to it since. */
typedef struct dlp__Starts {
    dlp__PositionTable here, migrated;
} dlp__Starts;

typedef struct dlp__Probes {
    dlp__Buffer buffer;
    dlp__Probe *probe;
    int count;
    bool has_force, has_flow, has_energy;
    bool has_shear_rate; /* the shear rate of particles is needed, see dlp__ProbeInput */
    dlp__Starts starts;
    dlp_ProbeFunction function; /* of the host; may be null */
    void *user;
} dlp__Probes;

/* The world as probes see it. */
typedef struct dlp__ProbeInput {
    dlp__Domains *domains;
    const dlp__Solids *solids;
    const dlp__Kernel *kernel;
    const dlp_MaterialDef *materials;
    const dlp__Method *method;
    dlp_Vec3 gravity;       /* m/s2 */
    dlp_Vec3 periodic_size; /* m, 0 where not periodic */
    double spacing;         /* m */
    double time;            /* s, at the end of the substep */
    double dt;              /* s, of the substep */
    double heat;            /* J, of everything with a heat capacity; NaN: heat is not simulated */
    bool has_temperature;
    bool has_shear_rate; /* `shear_rate` is current; where a method keeps velocity gradients they are used instead */
} dlp__ProbeInput;

/* Check a def against the others and append it; `time` (s) is now. */
dlp_Result dlp__probes_add(dlp__Probes *probes, dlp__Memory *memory, const dlp_ProbeDef *def, double time,
                           dlp_Error *error);
void dlp__probes_release(dlp__Probes *probes, dlp__Memory *memory);

/* Before a substep, after particles were emitted; after it; and after the last substep of a step. */
dlp_Result dlp__probes_begin(dlp__Probes *probes, const dlp__ProbeInput *input, dlp_Error *error);
dlp_Result dlp__probes_end(dlp__Probes *probes, const dlp__ProbeInput *input, dlp_Error *error);
dlp_Result dlp__probes_sample(dlp__Probes *probes, const dlp__ProbeInput *input, dlp_Error *error);

/* probe_columns.c */
int dlp__probe_columns(const dlp_ProbeDef *def);
dlp_ProbeColumn dlp__probe_column(const dlp_ProbeDef *def, int column);
/* Components of a quantity from `first` on; the columns of all quantities are numbered in the order of dlp_ProbeQuantity. */
enum { DLP_PROBE_COMPONENTS = 13 };
int dlp__quantity_components(int quantity, int *first);

/* One file for each kind. Each fills `values`, which starts with the time. */
void dlp__force_probe_end(dlp__Probe *probe, const dlp__ProbeInput *input);
void dlp__force_probe_sample(dlp__Probe *probe);
bool dlp__starts_save(dlp__Starts *starts, const dlp__ProbeInput *input);
bool dlp__starts_follow(dlp__Starts *starts, const dlp__ProbeInput *input); /* particles that went to another rank */
void dlp__starts_release(dlp__Starts *starts, dlp__Memory *memory);
void dlp__flow_probe_end(dlp__Probe *probe, const dlp__ProbeInput *input, const dlp__Starts *starts);
void dlp__flow_probe_sample(dlp__Probe *probe);
void dlp__fluid_probe_sample(dlp__Probe *probe, const dlp__ProbeInput *input);
bool dlp__point_probe_sample(dlp__Probe *probe, const dlp__ProbeInput *input);
void dlp__energy_probe_end(dlp__Probe *probe, const dlp__ProbeInput *input);
void dlp__energy_probe_sample(dlp__Probe *probe, const dlp__ProbeInput *input);
bool dlp__pieces_probe_sample(dlp__Probe *probe, const dlp__ProbeInput *input);

/* Whether a particle belongs to the fluid that a probe counts: of its material, and not of a companion. */
static inline bool dlp__probe_counts(const dlp_ProbeDef *def, const dlp__Particles *p, int64_t i)
{
    return (def->material < 0 || p->material[0][i] == def->material) &&
           (!dlp__particles_have(p, DLP_FIELD_companion) || p->companion[0][i] == 0);
}

static inline dlp_Vec3 dlp__probe_position(const dlp__Particles *p, int64_t i)
{
    return dlp__vec3((double)p->position[0][i], (double)p->position[1][i], (double)p->position[2][i]);
}

/* kg */
static inline double dlp__probe_mass(const dlp__ProbeInput *input, const dlp__Particles *p, int64_t i)
{
    return input->materials[p->material[0][i]].density * input->spacing * input->spacing * input->spacing;
}

#endif
