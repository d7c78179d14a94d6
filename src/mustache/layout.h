/*
 * How tokens belong together: which tag closes which, which lines only carry a
 * tag and so leave no line behind, and how far lines are indented.
 *
 * The rules, where the specification leaves the engine to find them:
 *
 * - A section's tag, a partial, a comment or new delimiters are standalone when
 *   nothing but white space shares their line. A parent is when there is only
 *   white space before its opening and after its closing tag.
 * - The opening tag of a block is standalone in the same way, and its closing
 *   tag too. In a parent, where the text around blocks is ignored, what is on
 *   the far side of the tag makes no difference. A block is standalone as well
 *   when both tags are on one line with nothing between and beside them.
 * - The lines of a block with a standalone opening tag lose the white space
 *   that all of them begin with. What takes the block's place is indented by as
 *   much; or, if the block has no lines, like the tag.
 */
#ifndef MUSTACHE_LAYOUT_H
#define MUSTACHE_LAYOUT_H

#include "mustache/scan.h"

/* False, and error, when tags are not closed in order or nested too deep. */
bool mustache_lay_out(const struct mustache_template *template,
    struct tokens *tokens, struct mustache_error *error);

#endif
