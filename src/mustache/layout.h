/*
 * Matches opening and closing tags, and removes standalone lines and indentation.
 *
 * The rules, where the specification leaves them to the engine:
 *
 * - A section's tag, a partial, a comment or new delimiters are standalone when
 *   nothing but white space shares their line. A parent is when there is only
 *   white space before its opening and after its closing tag.
 * - The opening tag of a block is standalone under the same condition, and so
 *   is its closing tag. Inside a parent, where the text around blocks is
 *   ignored, what is before the opening tag or after the closing tag makes no
 *   difference. A block is standalone as well when both tags are on one line
 *   with nothing between and beside them.
 * - The lines of a block with a standalone opening tag lose the white space
 *   that all of them begin with. What is rendered in the block's place is
 *   indented by as much; or, if the block has no lines, as much as the tag.
 */
#pragma once

#include "mustache/scan.h"

/* False, and error, when tags are not closed in order or are nested too deeply. */
bool mustache_layout(const struct mustache_template *template,
    struct token *first, struct mustache_error *error);
