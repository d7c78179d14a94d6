/*
 * The layout of a site's data, read from the files of its Redis without starting that: so a site
 * that this program does not open is refused before anything in its folder changes.
 */
#pragma once

#include "base/text.h"

/* The version in the site's hash (store/keys.h), of the site in a folder; empty when there is
 * none, or it is not found: then site_open decides. Reads the files once, as Redis will. */
struct text aof_layout_read(struct arena *arena, struct text folder);
