/* Checkpoints of former versions. Those written before method `physical` left method `conformation`: which method they belong to, and
 * what their parameters and fields are called now. Fields that were added later. */
#ifndef DLP_IO_CHECKPOINT_FORMER_H
#define DLP_IO_CHECKPOINT_FORMER_H

#include "io/hdf5_tools.h"
#include "particles/particles.h"

/* Whether the file was written by such a version; then the method is corrected to the one whose solver it used. */
bool dlp__checkpoint_is_former(hid_t file, char method[DLP_NAME_SIZE]);

/* Records of parameters that such a file has besides those of its method: their names are known and their values ignored.
 * Returns the count, 2. */
int dlp__former_method_records(const char *method, dlp__Record records[2]);

/* The name of a field in such a file. */
const char *dlp__former_field_name(const char *name);

/* Whether older files lack the field: then it is 0 in all particles. */
bool dlp__field_may_lack(const char *name);

#endif
