/*
 * An article as its line shows it.
 */
#ifndef VIEWS_ARTICLE_H
#define VIEWS_ARTICLE_H

#include "views/models.h"

struct article_line article_line_of(
    struct arena *arena, const struct article *article, int64_t now);

#endif
