/* PNG files, by stb_image_write into our own safe file. */
#include "io/safe_file.h"

#include <dollop/render.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

static void append(void *file, void *bytes, int size)
{
    dlp__safe_append(file, bytes, (size_t)size);
}

dlp_Result dlp_picture_write(const char *path, const unsigned char *pixels, int64_t width, int64_t height,
                             dlp_Error *error)
{
    static const int64_t MOST = 16384; /* the sizes that fit into the library's ints */
    if (width < 1 || height < 1 || width > MOST || height > MOST) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "a picture has 1 to %d pixels along each side", (int)MOST);
    }
    dlp__SafeFile file;
    dlp_Result result = dlp__safe_create(&file, path, error);
    if (result != DLP_OK) {
        return result;
    }
    if (!stbi_write_png_to_func(append, &file, (int)width, (int)height, 3, pixels, (int)(3 * width))) {
        dlp__safe_discard(&file);
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory is left to write '%.512s'", path);
    }
    return dlp__safe_commit(&file, error);
}
