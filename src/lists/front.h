/*
 * The front order: the promise to articles that became interesting; within the
 * store.
 *
 * The places of the promise are filled with the newest articles that became
 * interesting within a day, and with the best others by score, sorted together;
 * behind them everything else follows by score. What is read for a page does
 * not grow with the page's number: behind the promised places an article's
 * place differs from its rank by score by a number that follows from scores
 * alone.
 */
#ifndef LISTS_FRONT_H
#define LISTS_FRONT_H

#include "lists/merge.h"
#include "store/article.h"

/* As merge_read, in the front order. */
STORE_CALL front_read(struct store *store, struct arena *arena, uint64_t start,
    uint64_t count, struct entry *entries, size_t *got);

/* The place of an article, from 1; it must not be removed. */
STORE_CALL front_place(struct store *store, struct arena *arena,
    const struct article *article, uint64_t *place);

#endif
