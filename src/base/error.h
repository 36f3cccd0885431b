/* Error reporting: a code and a text that says what is wrong, where, and how to fix it. The text is safe to print: control characters
 * of names, paths and file contents are escaped. */
#ifndef DLP_BASE_ERROR_H
#define DLP_BASE_ERROR_H

#include <dollop/types.h>
#include <stdarg.h>

/* Write the text to `error` (may be null) and return `code`, so that a caller can `return dlp__fail(...)`. */
dlp_Result dlp__fail(dlp_Error *error, dlp_Result code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same with a va_list. */
dlp_Result dlp__fail_with(dlp_Error *error, dlp_Result code, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* The failure of a public function that was given a null pointer. */
dlp_Result dlp__fail_null(dlp_Error *error);

/* Insert a prefix such as "where: " before the existing text. */
void dlp__error_prefix(dlp_Error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
