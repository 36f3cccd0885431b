/* Fuzzing the reader of STL files with arbitrary bytes. */
#include "fuzz/fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_mesh(dlp__mesh_read_stl, data, size);
    return 0;
}
