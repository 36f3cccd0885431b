/* Syrup is poured into a cup that stands on a scale: probes measure the force on the cup, the flow into it and the height of the
 * fluid. At the end the scale shows the weight of what has flowed in. */
#include <dollop/dollop.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void must(const dlp_World *world, dlp_Result result)
{
    if (result != DLP_OK) {
        fprintf(stderr, "%s\n", dlp_world_error(world));
        exit(1);
    }
}

static void build(dlp_World *world)
{
    dlp_MaterialDef syrup = dlp_default_material_def();
    syrup.viscosity = 5;
    dlp_MaterialId material;
    must(world, dlp_world_add_material(world, &syrup, &material));

    dlp_SolidDef cup = dlp_default_solid_def();
    cup.shape.kind = DLP_SHAPE_CONTAINER;
    cup.shape.size = (dlp_Vec3){0.08, 0.08, 0.2};
    cup.shape.position.z = 0.1;
    must(world, dlp_world_add_solid(world, &cup, NULL));

    dlp_EmitterDef nozzle = dlp_default_emitter_def();
    nozzle.material = material;
    nozzle.position.z = 0.12;
    nozzle.direction = (dlp_Vec3){0, 0, -1};
    nozzle.radius = 0.02;
    nozzle.rate = 0.5e-3; /* half a litre in a second */
    nozzle.stop = 0.4;
    must(world, dlp_world_add_emitter(world, &nozzle, &(dlp_EmitterId){0}));
}

/* Called for each sample of each probe; a program could draw a curve here. */
static void count_samples(void *user, dlp_ProbeId id, const double *values, int count)
{
    (void)id;
    (void)values;
    (void)count;
    ++*(int *)user;
}

int main(void)
{
    dlp_WorldDef def = dlp_default_world_def();
    dlp_World *world = NULL;
    dlp_Error error;
    def.spacing = 0.01;
    if (dlp_world_create(&def, &world, &error) != DLP_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    build(world);

    dlp_ProbeDef probe = dlp_default_probe_def();
    dlp_ProbeId scale, flow, level;
    probe.kind = DLP_PROBE_FORCE; /* on all solids, because no solid is named */
    probe.interval = 0.1;         /* mean values over a tenth of a second */
    must(world, dlp_world_add_probe(world, &probe, &scale));
    probe.kind = DLP_PROBE_FLOW;
    probe.shape = DLP_PROBE_DISC;
    probe.position.z = 0.11; /* just below the nozzle */
    must(world, dlp_world_add_probe(world, &probe, &flow));
    probe.kind = DLP_PROBE_FLUID;
    probe.shape = DLP_PROBE_EVERYWHERE;
    must(world, dlp_world_add_probe(world, &probe, &level));

    int samples = 0;
    dlp_world_on_probe(world, count_samples, &samples);
    double force[19] = {0}, poured[3] = {0}, fluid[9] = {0};
    printf(" time   force on the cup   flow rate     height\n");
    for (int tenth = 1; tenth <= 15; tenth++) {
        while (dlp_world_time(world) < 0.1 * tenth) {
            must(world, dlp_world_advance(world, 0.1 * tenth));
        }
        must(world, dlp_world_read_probe(world, scale, force, 19)); /* 0: time; 1, 2, 3: force */
        must(world, dlp_world_read_probe(world, flow, poured, 3));  /* 1: rate; 2: volume */
        must(world, dlp_world_read_probe(world, level, fluid, 9));  /* 2: mass; 5: height */
        printf("%4.1f s  %10.3f N   %10.3g m3/s  %6.3f m\n", force[0], force[3], poured[1], fluid[5]);
    }

    const double weight = 9.81 * fluid[2];
    printf("%d samples; weight %.4f N, shown by the scale %.4f N\n", samples, weight, -force[3]);
    const int good = fabs(-force[3] / weight - 1) < 0.01 && samples == 45;
    dlp_world_destroy(world);
    return good ? 0 : 1;
}
