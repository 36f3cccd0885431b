/* The built-in materials: material_library.yaml, embedded in the library and parsed like an included file that every scene includes
 * first. DLP_MATERIAL_LIBRARY, its path, comes from the build. */
#include "base/embed.h"
#include "base/error.h"
#include "scene/scene_internal.h"

DLP__EMBED(dlp__material_library, DLP_MATERIAL_LIBRARY);

dlp_Result dlp__scene_read_library(dlp__SceneReader *reader, dlp__SceneNode **root)
{
    const size_t length = (size_t)(dlp__material_library_end - dlp__material_library_begin);
    const int source = dlp__scene_add_source(reader, "material_library.yaml (built in)", dlp__material_library_begin,
                                             length);
    *root = NULL;
    if (source < 0) {
        return reader->error->code;
    }
    const dlp_Result result = dlp__scene_parse_text(reader, source, 0, root);
    if (result == DLP_OK && (*root == NULL || (*root)->kind != DLP_NODE_MAP)) {
        return dlp__fail(reader->error, DLP_ERROR_UNSUPPORTED, "the material library of this build is damaged");
    }
    return result;
}
