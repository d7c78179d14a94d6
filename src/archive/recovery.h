/*
 * Recovery and second factors in the archive: a dump has the second factor among the fields of its
 * member, and neither codes nor links.
 */
#pragma once

#include "store/store.h"

struct check;

STORE_CALL recovery_archive_check(struct check *check);
