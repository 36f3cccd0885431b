/* Basic types of the public interface: results, errors, vectors, and the hooks through which a host program provides memory,
 * logging and threads. */
#ifndef DOLLOP_TYPES_H
#define DOLLOP_TYPES_H

#include <dollop/version.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A public function. On Windows the library is compiled with DLP_BUILD; a program that uses its DLL defines DLP_SHARED. */
#if !defined(_WIN32)
#define DLP_API __attribute__((visibility("default")))
#elif defined(DLP_BUILD)
#define DLP_API __declspec(dllexport)
#elif defined(DLP_SHARED)
#define DLP_API __declspec(dllimport)
#else
#define DLP_API
#endif

/* Null pointers. A function that is given a null pointer returns DLP_ERROR_ARGUMENT, or a neutral value (0, false, null, "", an empty
 * struct) if it returns no result; destroying null does nothing. These may be null: `error`, `hooks`, `user`, the id or count of what is
 * added, and pointers whose comment says so. Everything else that is given must be valid. */

/* Result of a call. The numbers are stable; the exit codes of the command are derived from them. */
typedef enum dlp_Result {
    DLP_OK = 0,
    DLP_ERROR_ARGUMENT = 1,    /* a value is missing, of the wrong type or out of range    */
    DLP_ERROR_MEMORY = 2,      /* out of memory                                            */
    DLP_ERROR_FILE = 3,        /* a file cannot be opened, read, written or renamed        */
    DLP_ERROR_FORMAT = 4,      /* a file is damaged or of an unsupported version           */
    DLP_ERROR_SCENE = 5,       /* a scene has an error                                     */
    DLP_ERROR_NOT_FINITE = 6,  /* the simulation produced, or was given, NaN or infinity   */
    DLP_ERROR_UNSUPPORTED = 7, /* not available in this build or for this method           */
    DLP_ERROR_RESOURCE = 8,    /* disk full, or a limit on files, threads or particles     */
} dlp_Result;

/* A short name for a result, such as "out of memory". Never null. */
DLP_API const char *dlp_result_name(dlp_Result result);

/* What went wrong, where, and how to fix it. Used by calls that do not have a world to keep the text in. The text is as
 * dlp_text_escape() writes it for a terminal, but may have several lines. */
typedef struct dlp_Error {
    dlp_Result code;
    char text[1024];
} dlp_Error;

/* How dlp_text_escape() writes characters that are not plain text. */
typedef enum dlp_TextForm {
    DLP_TEXT_TERMINAL, /* \x1b, \u202e; bytes that are not UTF-8 as \xff */
    DLP_TEXT_JSON, /* the inside of a JSON string: also quotes and backslashes; bytes that are not UTF-8 become \ufffd */
} dlp_TextForm;

/* Copy a text of unknown origin (a name, a path) so that it is safe to print: control characters, characters that change the direction of
 * text, and bytes that are not UTF-8 are escaped. Writes at most `size` bytes with the terminating zero; 16 always hold a character.
 * Returns the number of bytes of `text` that were copied. */
DLP_API size_t dlp_text_escape(dlp_TextForm form, const char *text, char *escaped, size_t size);

typedef struct dlp_Vec3 {
    double x, y, z;
} dlp_Vec3;

/* Memory from the host. `allocate` returns at least `size` bytes aligned to `alignment` (a power of two, at most 64),
 * or null. `release` receives a block from `allocate` and its size. Both are called only from the thread that calls
 * dollop. */
typedef struct dlp_Allocator {
    void *(*allocate)(void *user, size_t size, size_t alignment);
    void (*release)(void *user, void *memory, size_t size);
    void *user;
} dlp_Allocator;

typedef enum dlp_LogLevel { DLP_LOG_INFO = 0, DLP_LOG_WARNING = 1 } dlp_LogLevel;

typedef void (*dlp_LogFunction)(void *user, dlp_LogLevel level, const char *text);

/* Processes the items begin <= i < end. */
typedef void (*dlp_RangeFunction)(void *context, int64_t begin, int64_t end);

/* Threads from the host: call `work` on ranges that together cover 0 <= i < count exactly once, in any order and on any
 * threads, and return when all are done. Every range but the last begins and ends at a multiple of `grain`. Results do
 * not depend on how the ranges are split. */
typedef void (*dlp_ParallelFor)(void *user, int64_t count, int64_t grain, dlp_RangeFunction work, void *context);

struct dlp_Ranks; /* see ranks.h */

/* Defaults of zero members: the standard allocator, no logging, threads of the library, one process. */
typedef struct dlp_Hooks {
    dlp_Allocator allocator;
    dlp_LogFunction log;
    void *log_user;
    dlp_ParallelFor parallel_for;
    void *parallel_user;
    struct dlp_Ranks *ranks; /* the processes that share the world */
} dlp_Hooks;

/* The version of the linked library, such as "0.1.0"; DLP_VERSION is that of the headers. */
DLP_API const char *dlp_version(void);

#ifdef __cplusplus
}
#endif
#endif
