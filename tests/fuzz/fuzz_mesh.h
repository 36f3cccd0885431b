/* Shared by the fuzzers of mesh files: any bytes are passed to one reader, and an accepted mesh must be valid. */
#ifndef DLP_TESTS_FUZZ_MESH_H
#define DLP_TESTS_FUZZ_MESH_H

#include "io/mesh_scanner.h"
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

static inline void fuzz_mesh(dlp__MeshReader read, const uint8_t *data, size_t size)
{
    /* A copy of exactly this size, so that reading past its end is detected. */
    char *bytes = malloc(size > 0 ? size : 1);
    dlp_Model *model = dlp__model_new(NULL);
    if (bytes != NULL && model != NULL) {
        memcpy(bytes, data, size);
        dlp__MeshScanner scanner = dlp__mesh_scanner(bytes, (int64_t)size, 0.5);
        dlp_Error error = {DLP_OK, ""};
        dlp_Result result = read(&scanner, model, &error);
        require(scanner.next >= scanner.begin && scanner.next <= scanner.end, "a reader stays within its text");
        if (result == DLP_OK) {
            result = dlp__model_finish(model, &error);
        }
        require(result != DLP_ERROR_MEMORY, "small files need little memory");
        require(result == error.code && (result == DLP_OK) == (error.text[0] == 0), "a refusal says why");
        if (result == DLP_OK) {
            const dlp_Mesh *mesh = dlp_model_mesh(model);
            const char *fault = mesh_value_fault(mesh);
            dlp__MeshTopology topology;
            require(fault == NULL, fault != NULL ? fault : "");
            require(mesh->triangle_count > 0, "a model has triangles");
            require(dlp__mesh_topology(mesh, &model->memory, &topology), "topology needs little memory");
            require((topology.open_edges + topology.nonmanifold_edges + topology.flipped_edges == 0) ==
                        (mesh_fault(mesh) == NULL),
                    "topology and the plain check agree");
            require(topology.components >= 1 && topology.components <= mesh->triangle_count, "there is a component");
        }
    }
    dlp_model_destroy(model);
    free(bytes);
}

#endif
