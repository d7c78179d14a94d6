/*
 * The front order: articles that became interesting are pinned for a while.
 *
 * The first pinned_places places are filled with the newest articles that
 * became interesting within pinned_seconds, pinned_articles of them at most,
 * and with the best others by score, all sorted by score; everything else
 * follows by score. With 5 places for 2 pinned articles, P and Q, and A to H
 * by score:
 *
 *	by score:  A B C P D E F Q G H
 *	front:     A B C P Q | D E F G H
 *
 * Q was lifted into the pinned places, and D, the last other that had one by
 * score, went down. The cost of a page does not grow with its number: after the pinned
 * places an article's place differs from its rank by score by the number of lifted articles
 * below it by score, which follows from scores alone. And the first
 * pinned_places - pinned_articles places are those of the order by score, so most pages need
 * not read what is pinned at all.
 */
#pragma once

#include "lists/article_rows.h"

/* Reads the entries at start to start + count into an empty order, which has room for
 * them. Versions were read before. */
STORE_CALL front_read(const struct article_rows *rows, uint64_t start,
    uint64_t count, struct order *order);
