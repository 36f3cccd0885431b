#include "io/checkpoint_former.h"

#include <dollop/world.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct FormerParams {
    int32_t solver;
} FormerParams;

static const char *const solvers[] = {"physical", "jacobi", NULL};
static const dlp_Param params[] = {{"solver",
                                    DLP_PARAM_CHOICE,
                                    offsetof(FormerParams, solver),
                                    "",
                                    {0, 0, 0},
                                    0,
                                    1,
                                    solvers,
                                    .help = "chose the method"}};
static const dlp_ParamTable table = {"former", "method conformation with two solvers", sizeof(FormerParams), 1, params};

bool dlp__checkpoint_is_former(hid_t file, char method[DLP_NAME_SIZE])
{
    FormerParams former = {0};
    if (strcmp(method, "conformation") != 0 || H5Aexists_by_name(file, "method", "solver", H5P_DEFAULT) <= 0) {
        return false;
    }
    hid_t group = H5Gopen2(file, "method", H5P_DEFAULT);
    const bool read = group >= 0 && dlp__hdf5_read_param(group, &params[0], &former.solver, NULL) == DLP_OK;
    if (group >= 0) {
        H5Gclose(group);
    }
    if (read && former.solver == 0) {
        snprintf(method, DLP_NAME_SIZE, "physical");
    }
    return read;
}

int dlp__former_method_records(const char *method, dlp__Record records[2])
{
    const char *other = strcmp(method, "physical") == 0 ? "conformation" : "physical";
    records[0] = (dlp__Record){&table, NULL};
    records[1] = (dlp__Record){dlp_method_params(other), NULL};
    return 2;
}

const char *dlp__former_field_name(const char *name)
{
    static const char *const names[][2] = {
        {"detached", "apart"}, {"friction_ratio", "grip"}, {"hourglass_force", "uneven_force"}};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        if (strcmp(name, names[n][0]) == 0) {
            return names[n][1];
        }
    }
    return name;
}

bool dlp__field_may_lack(const char *name)
{
    static const char *const names[] = {"acceleration", "strain_rate", "strain_rate_change", "largest_rate"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        if (strcmp(name, names[n]) == 0) {
            return true;
        }
    }
    return false;
}
