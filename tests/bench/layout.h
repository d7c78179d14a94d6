/*
 * Writing articles into Redis, straight and in large pipelines: in Tally's
 * layout (store/keys.h), and in that of the write-ups which Tally is compared
 * with.
 *
 * The write-ups': article:ID is a hash (title, link, poster, time, votes),
 * time: and score: are sorted sets of "article:ID", voted:ID is a set of
 * "user:NNN" that expires after a week, group:NAME is a set of "article:ID".
 */
#pragma once

#include "redis/redis.h"
#include "sample.h"
#include "store/store.h"

/* Which votes are written besides the author's, where voting is open. */
enum layout_votes { LAYOUT_NO_VOTES, LAYOUT_VOTES };

/* Adds the commands that write an article. */
typedef void layout_article(const struct store *store,
    struct pipeline *pipeline, const struct sample *sample,
    enum layout_votes votes);

/* Adds the votes to the record of an article that was written without them. */
typedef void layout_voters(const struct store *store, struct pipeline *pipeline,
    const struct sample *sample);

layout_article layout_tally_article, layout_writeups_article;
layout_voters layout_tally_voters, layout_writeups_voters;
