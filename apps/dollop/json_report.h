/* Errors and warnings of a command as JSON, for scripts that use --json. They are collected as they are printed to standard error. */
#ifndef DOLLOP_JSON_REPORT_H
#define DOLLOP_JSON_REPORT_H

#include "apps/shared/options.h"
#include "json_out.h"

/* Start to collect if the command has the option --json and the words of the command line contain it. */
void json_report_begin(const Command *command, int count, char *const *words);

/* Add "exit_code", "error" if `code` is not EXIT_DONE, and the list "warnings" to an open object:
 *
 *   "error": {"message": "unknown key 'spaceing' in world", "file": "honey.yaml", "line": 2, "column": 3, "notes": [...]}
 *
 * File, line and column are null if the error has no place in a file. What has been written is not written again. */
void json_report_members(Json *json, ExitCode code);

/* Print an object with "done": false and the members above, and keep what has been collected. */
void json_report_print(FILE *file, ExitCode code);

/* At the end of a command: print an object with "done": false if an error has not been written yet. */
void json_report_end(ExitCode code);

#endif
