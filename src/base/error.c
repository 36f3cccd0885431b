/* Result names and formatting of error texts. */
#include "base/error.h"
#include "base/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *dlp_result_name(dlp_Result result)
{
    switch (result) {
    case DLP_OK: return "ok";
    case DLP_ERROR_ARGUMENT: return "bad argument";
    case DLP_ERROR_MEMORY: return "out of memory";
    case DLP_ERROR_FILE: return "file error";
    case DLP_ERROR_FORMAT: return "damaged file";
    case DLP_ERROR_SCENE: return "scene error";
    case DLP_ERROR_NOT_FINITE: return "not finite";
    case DLP_ERROR_UNSUPPORTED: return "not supported";
    case DLP_ERROR_RESOURCE: return "limit exceeded";
    }
    return "unknown result";
}

const char *dlp_version(void)
{
    return DLP_VERSION;
}

dlp_Result dlp__fail_with(dlp_Error *error, dlp_Result code, const char *format, va_list arguments)
{
    if (error != NULL) {
        char text[sizeof error->text];
        error->code = code;
        vsnprintf(text, sizeof text, format, arguments);
        dlp__printable_lines(text, error->text, sizeof error->text);
    }
    return code;
}

dlp_Result dlp__fail(dlp_Error *error, dlp_Result code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    dlp__fail_with(error, code, format, arguments);
    va_end(arguments);
    return code;
}

dlp_Result dlp__fail_null(dlp_Error *error)
{
    return dlp__fail(error, DLP_ERROR_ARGUMENT, "a pointer that is required is null");
}

void dlp__error_prefix(dlp_Error *error, const char *format, ...)
{
    if (error == NULL) {
        return;
    }
    char text[2 * sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof error->text, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < sizeof error->text) {
        memcpy(text + length, error->text, sizeof error->text);
        dlp__printable_lines(text, error->text, sizeof error->text);
    }
}
