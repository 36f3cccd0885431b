/* Calls for files that are not in POSIX, with a substitute on other systems. */
#ifndef DLP_IO_SYSTEM_FILES_H
#define DLP_IO_SYSTEM_FILES_H

/* Reserve disk space for the whole length of a file, so that writing it later fails neither for lack of space nor for a limit on file sizes:
 * 0, or errno. */
int dlp__reserve_disk(int descriptor);

/* An empty file in memory, without a name: its descriptor, or -1 with errno. */
int dlp__open_memory_file(void);

#endif
