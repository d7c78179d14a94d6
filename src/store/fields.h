/*
 * An article's hash as a list reads it; within the store.
 */
#ifndef STORE_FIELDS_H
#define STORE_FIELDS_H

#include "store/article.h"
#include "store/redis.h"

/* Asks for what article_of_reply reads, and for the vote of viewer, if any. */
void fields_ask(struct pipeline *pipeline, const struct store *store,
    uint64_t id, uint64_t viewer);

/* How many replies that makes. */
size_t fields_replies(uint64_t viewer);

/* Reads them; false when there is no such article. */
bool fields_read(const struct store *store, const struct reply *replies,
    uint64_t id, uint64_t viewer, struct article *article);

/* "17 ann" -> 17 and ann. */
void fields_split_author(
    struct text field, uint64_t *id, struct text *name);
struct text fields_join_author(
    struct arena *arena, uint64_t id, struct text name);

#endif
