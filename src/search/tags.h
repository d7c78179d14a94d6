/*
 * Tags: what operators ask for, as words in a column of their own, which FTS5 finds as it finds
 * words. They have a colon, which no word has: "a:17" an author, "g:databases" a group,
 * "d:example.com" a host or one above it, "l:" and a claim a link (rule_claim), "k:link", "k:text"
 * and "k:comment" a kind, "p:8" a level.
 */
#pragma once

#include "search/query.h"

/* The tags of a post, separated by spaces, behind the byte by which search/sql.h knows them. */
struct text tags_of(struct arena *arena, const struct search_post *post);

/* A text without that byte at its start. */
struct text tags_none(struct text text);

/* The level of a post: 0 without points, n from 2^(n-1) points, at most TAGS_LEVEL_MAX. */
enum { TAGS_LEVEL_MAX = 20 };
int tags_level(int64_t points);
