/*
 * An article's hash as a list reads it; within the store.
 */
#ifndef STORE_FIELDS_H
#define STORE_FIELDS_H

#include "redis/redis.h"
#include "store/article.h"

/* Asks for what fields_read reads, with one command. */
void fields_ask(
    struct pipeline *pipeline, const struct store *store, uint64_t id);

/* Fills the article; false when there is none. */
bool fields_read(const struct store *store, const struct reply *reply,
    uint64_t id, struct article *article);

/* The counts alone: up, down, points and score. */
void fields_ask_counts(
    struct pipeline *pipeline, const struct store *store, uint64_t id);
void fields_read_counts(const struct store *store, const struct reply *reply,
    struct article *article);

/* Asks for a member's vote, with FIELDS_VOTE_REPLIES commands. */
enum { FIELDS_VOTE_REPLIES = 2 };
void fields_ask_vote(struct pipeline *pipeline, const struct store *store,
    uint64_t id, uint64_t user);
enum vote fields_read_vote(const struct reply *replies);

/* "17 ann" -> 17 and ann. */
void fields_split_author(struct text field, uint64_t *id, struct text *name);
struct text fields_join_author(
    struct arena *arena, uint64_t id, struct text name);

#endif
