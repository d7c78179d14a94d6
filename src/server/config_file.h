/*
 * Files of settings: lines NAME=VALUE; "include PATH", which reads another file in that
 * place; and comments, which begin with "#".
 */
#pragma once

#include "base/text.h"

struct config;

/* Sets what a line NAME=VALUE says; false, and logged, if it is invalid. */
typedef bool config_file_line(struct config *config, struct text line);

/*
 * Calls set for each line of a file, and of the files that it includes, in order. Logs,
 * and in the end returns false, when set does or when a file cannot be read. The lines
 * are in the arena and, since they may have passwords, nowhere else.
 */
bool config_file_read(struct arena *arena, const char *path,
    config_file_line *set, struct config *config)
    __attribute__((warn_unused_result));
