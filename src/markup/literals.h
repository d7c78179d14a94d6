/*
 * Hiding marks from the parser that are none: "https://a.example/__init__.py" and
 * "@_name_" have no emphasis in them, though CommonMark sees it. They are replaced by
 * two code points that Unicode keeps for a program's own use (noncharacters), and put
 * back in what the parser gives.
 */
#pragma once

#include "base/text.h"

/* The text with its marks hidden; the same, data and all, when there is nothing to
 * hide, or the code points are in it already. */
struct text literals_hide(struct arena *arena, struct text text);

/* What the parser gave of a text that literals_hide has changed, with the marks. */
struct text literals_restore(struct arena *arena, struct text text);
