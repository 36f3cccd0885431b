/* The one way to open files of output folders, which may have been prepared by somebody else: only regular files are opened, a
 * symbolic link is not followed, and a pipe never blocks. Complete files are written by dlp_file_write(), atomically. */
#ifndef DOLLOP_FOLDER_FILES_H
#define DOLLOP_FOLDER_FILES_H

#include "exit_codes.h"

#include <stdio.h>

typedef enum FileUse {
    FILE_GIVEN,    /* read a file that the user named: a symbolic link is followed */
    FILE_READ,     /* read a file of the folder */
    FILE_CONTINUE, /* read and append to a file, created if missing; refused if it has a second name (hard link) */
    FILE_CREATE,   /* write a new file; an older one is removed first, so that its other names keep their content */
} FileUse;

/* Open a file; -1 or null with errno if that fails. */
int file_descriptor(const char *path, FileUse use);
FILE *file_open(const char *path, FileUse use);

/* Print why a file cannot be used, and how to fix it. `action`: a verb such as "write"; `number`: errno. */
ExitCode file_fail(const char *action, const char *path, int number);

/* The contents of a file, to be freed; null with errno if it cannot be read. */
char *file_read_text(const char *path, FileUse use);
/* The same, with the number of bytes before the terminating zero: a file that is not text may contain zeros. */
char *file_read_bytes(const char *path, FileUse use, size_t *length);
/* Write a complete file atomically; errors are printed. */
ExitCode file_write_text(const char *path, const char *text);
/* The same, and free the text. Null stands for a text that there was no memory for, which is reported. */
ExitCode file_write_and_free(const char *path, char *text);

/* An error is printed if something other than a regular file has this name. A missing file is accepted. */
ExitCode file_check(const char *path);

/* Lock a temporary file while it is written, so that folder_clean() keeps it. The lock ends with the descriptor. */
void file_lock(int descriptor);

/* Prepare a folder for new files whose names match `patterns` (of fnmatch, null at the end): remove the temporary files that a killed
 * process left, NAME.part and NAME.new. An error is printed if a name belongs to something other than a regular file, or if another
 * process is writing such a file. */
ExitCode folder_clean(const char *folder, const char *const *patterns);

#endif
