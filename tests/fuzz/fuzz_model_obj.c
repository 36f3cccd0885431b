/* Fuzzing the reader of OBJ files with any bytes. */
#include "fuzz/fuzz_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_model(dlp__model_read_obj, data, size);
    return 0;
}
