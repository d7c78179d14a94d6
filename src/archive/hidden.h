/*
 * What members hide, in the archive.
 */
#pragma once

#include "archive/record.h"
#include "store/hidden.h"

/* The record of a member's rule. A member who is hidden has an id, and no name yet. */
struct record hidden_archive_record(
    uint64_t by, const struct hidden_rule *what);
