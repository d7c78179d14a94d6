/*
 * Commands about members; all but owner-link name one by the first argument.
 */
#pragma once

#include "cli/task.h"

int members_role(const struct command_line *line); /* NAME ROLE */
int members_owner_link(const struct command_line *line);
int members_recover(const struct command_line *line);  /* NAME [factor] */
int members_password(const struct command_line *line); /* NAME */
int members_suspend(const struct command_line *line);  /* NAME DAYS [REASON] */
int members_readmit(const struct command_line *line);  /* NAME [REASON] */
int members_close(const struct command_line *line);    /* NAME [name] [texts] */
