/*
 * Hides '_' and '*' in URLs and names from the Markdown parser, which would take them for
 * emphasis: "https://a.example/__init__.py", "@_name_". They are replaced by two
 * noncharacters, code points that Unicode reserves for internal use, and restored in
 * the parser's output.
 */
#pragma once

#include "base/text.h"

/* Returns the text with these characters replaced; the same text, data included, when
 * there are none, or when it already contains the noncharacters. */
struct text literals_hide(struct arena *arena, struct text text);

/* Restores the characters in output for a text that literals_hide has changed. */
struct text literals_restore(struct arena *arena, struct text text);
