#include "support/random_law.h"

#include <math.h>

double random_law_part(uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (double)(*random >> 11) / 9007199254740992.0;
}

double random_law_between(uint64_t *random, double low, double high)
{
    return low * pow(high / low, random_law_part(random));
}

/* Half of the time 0. */
static double perhaps(uint64_t *random, double value)
{
    return random_law_part(random) < 0.5 ? value : 0.0;
}

dlp_MaterialDef random_law(uint64_t *random)
{
    dlp_MaterialDef m = dlp_default_material_def();
    m.flow_law = random_law_part(random) < 0.4 ? 0 : (int32_t)(random_law_part(random) * DLP_FLOW_LAW_COUNT);
    m.solvent_viscosity = perhaps(random, random_law_between(random, 1e-6, 1e6));
    m.modulus = perhaps(random, random_law_between(random, 1e-6, 1e9));
    m.flow_index = random_law_between(random, 0.05,
                                      m.flow_law == DLP_FLOW_CARREAU || m.flow_law == DLP_FLOW_CROSS ? 1.0 : 4.0);
    m.recovery_time = perhaps(random, random_law_between(random, 1e-6, 1e6));
    m.breakdown = random_law_between(random, 1e-6, 1e6);
    m.mobility = random_law_part(random);
    m.ptt_epsilon = perhaps(random, random_law_between(random, 1e-6, 10.0));
    m.yield_stress = perhaps(random, random_law_between(random, 1e-6, 1e6));
    m.thinning_time = random_law_between(random, 1e-6, 1e6);
    m.transition = random_law_between(random, 0.05, 20.0);
    if (m.flow_law == DLP_FLOW_NEWTONIAN) {
        m.elastic_law = (int32_t)(random_law_part(random) * DLP_ELASTIC_LAW_COUNT);
        m.extensibility = m.elastic_law == DLP_ELASTIC_MAXWELL ? perhaps(random, random_law_between(random, 2.0, 1e4))
                                                               : 0.0;
    }
    if (m.flow_law == DLP_FLOW_POWER_LAW || m.flow_law == DLP_FLOW_HERSCHEL_BULKLEY) {
        m.consistency = random_law_between(random, 1e-6, 1e6);
    } else if (m.flow_law != DLP_FLOW_TABLE) {
        m.viscosity = random_law_between(random, 1e-6, 1e9);
        m.infinite_viscosity = perhaps(random, m.viscosity * random_law_part(random));
    } else {
        m.flow_curve.count = 3;
        m.flow_curve.point[0] = (dlp_FlowPoint){perhaps(random, 1.0), 1.0};
        m.flow_curve.point[1] = (dlp_FlowPoint){random_law_between(random, 2.0, 10.0),
                                                1.0 + random_law_between(random, 0.1, 10.0)};
        m.flow_curve.point[2] = (dlp_FlowPoint){1e3, random_law_between(random, 20.0, 1e6)};
    }
    if (m.flow_law == DLP_FLOW_NEWTONIAN && random_law_part(random) < 0.3) {
        m.viscosity = m.modulus = m.recovery_time = 0.0;
        m.modes.count = 1 + (int64_t)(random_law_part(random) * DLP_MODES_MOST);
        for (int k = 0; k < m.modes.count; k++) {
            m.modes.mode[k] = (dlp_RelaxationMode){1e-6 * pow(20.0, k), random_law_between(random, 1e-6, 1e6)};
        }
    }
    return m;
}
