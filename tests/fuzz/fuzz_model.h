/* What the fuzzers of model files share: any bytes go to one reader, and what it accepts must be a clean mesh. */
#ifndef DLP_TESTS_FUZZ_MODEL_H
#define DLP_TESTS_FUZZ_MODEL_H

#include "io/model_text.h"
#include "support/mesh_checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool holds, const char *claim)
{
    if (!holds) {
        fprintf(stderr, "a model breaks the rule: %s\n", claim);
        abort();
    }
}

static inline void fuzz_model(dlp__ModelReader read, const uint8_t *data, size_t size)
{
    /* A copy of just this size, so that a look beyond its end is noticed. */
    char *bytes = malloc(size > 0 ? size : 1);
    dlp_Model *model = dlp__model_new(NULL);
    if (bytes != NULL && model != NULL) {
        memcpy(bytes, data, size);
        dlp__ModelText text = dlp__model_text(bytes, (int64_t)size, 0.5);
        dlp_Error error = {DLP_OK, ""};
        dlp_Result result = read(&text, model, &error);
        require(text.next >= text.begin && text.next <= text.end, "a reader stays within its text");
        if (result == DLP_OK) {
            result = dlp__model_finish(model, &error);
        }
        require(result != DLP_ERROR_MEMORY, "small files need little memory");
        require(result == error.code && (result == DLP_OK) == (error.text[0] == 0), "a refusal says why");
        if (result == DLP_OK) {
            const dlp_Mesh *mesh = dlp_model_mesh(model);
            const char *fault = mesh_value_fault(mesh);
            dlp__Topology topology;
            require(fault == NULL, fault != NULL ? fault : "");
            require(mesh->triangle_count > 0, "a model has triangles");
            require(dlp__mesh_topology(mesh, &model->memory, &topology), "topology needs little memory");
            require((topology.open_edges + topology.crowded_edges + topology.turned_edges == 0) ==
                        (mesh_fault(mesh) == NULL),
                    "topology and the plain check agree");
            require(topology.parts >= 1 && topology.parts <= mesh->triangle_count, "there is a part");
        }
    }
    dlp_model_destroy(model);
    free(bytes);
}

#endif
