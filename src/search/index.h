/*
 * The index of posts on this machine: SQLite's FTS5 in one file, written by one process and read by
 * others, each with an index of its own, opened after fork.
 *
 * It holds no truth: it is made from Redis and thrown away when it is damaged or of another
 * version. No hit may be trusted: the caller reads the post from Redis, and match_post says
 * whether it still is one.
 *
 * Posts have rows, numbered in the order of posting, so the newest are found first and dates
 * are a range of rows. A post keeps its row when it is edited, and when it is deleted and put
 * again. search/tags.h has what is indexed beside its words, search/find.h searches.
 *
 * Writing: what was put and deleted since the last index_commit, with the positions that it names,
 * is written at once or, if the process is killed or something fails, not at all. After a
 * failure everything fails until the index is opened again.
 */
#pragma once

#include "search/query.h"
#include "search/sql.h"

struct index;

enum index_result {
	INDEX_OK,
	INDEX_ABSENT, /* there is no file */
	INDEX_OTHER,  /* of another version, tokenizer or site */
	INDEX_BROKEN, /* damaged: build it again */
	INDEX_FAILED  /* the disk is full or cannot be read, or no memory */
};
#define INDEX_CALL __attribute__((warn_unused_result)) enum index_result

enum index_access {
	INDEX_READ,
	INDEX_WRITE,
	/* A new, empty index in place of what is there; index_finish syncs it to the disk. */
	INDEX_CREATE
};

/* Opens the index in a file for a site, named by a text of its own. */
INDEX_CALL index_open(const char *path, enum index_access access,
    struct text site, struct index **index);

/* Rolls back what was not committed. NULL is allowed. */
void index_close(struct index *index);

/* Adds a post, or writes it again; of a post that is there as it is, only the points. */
INDEX_CALL index_put(struct index *index, const struct search_post *post);

/* Deletes a post's words. Its place stays, if it is not known one is made at the end, so that a
 * post that was held back is found where it was posted. Posted as of struct search_post. */
INDEX_CALL index_delete(struct index *index, struct post_id id, int64_t posted);

/* Where the feed of a bucket was read to. */
struct index_position {
	uint64_t bucket;
	struct text position;
};

/* Writes what was put and deleted since the last commit, and these positions. Afterwards
 * shortens the log if it is long: readers at work hold it up for 200 ms at most. */
INDEX_CALL index_commit(
    struct index *index, const struct index_position *positions, size_t count);

/* All positions, by bucket. */
INDEX_CALL index_positions(struct index *index, struct arena *arena,
    struct index_position **positions, size_t *count);

/* A step, of some milliseconds, towards the end of what INDEX_CREATE began. When there is no
 * further step (*more), the file is whole and on disk, without a log beside it, and can be moved
 * once it is closed. */
INDEX_CALL index_finish(struct index *index, bool *more);

/* Moves a finished index in place of another, whose log goes with it. Who has the other one open
 * keeps it until they open the file again: index_is_replaced says that they should. Killed in
 * the middle, it leaves either or none. */
INDEX_CALL index_replace(const char *from, const char *to);

/* True when the file that was opened is no longer at its path. */
bool index_is_replaced(const struct index *index);

/*
 * A step, of some milliseconds, towards an index in one piece, without the words of texts that were
 * deleted or edited; for a writer with nothing to do. *more: there is a further step. It
 * rewrites the whole index, so it begins only after words were deleted, and at most once a day.
 * An SQLite whose FTS5 has secure-delete erases words at once instead.
 */
INDEX_CALL index_tidy(struct index *index, bool *more);

struct index_state {
	uint64_t rows;	/* places of posts */
	uint64_t bytes; /* of the file and its log */
};
INDEX_CALL index_state(struct index *index, struct index_state *state);

/* The post in a row, 1 to rows, as it was put; *found is false if the row is deleted. Of it id,
 * posted, title and text are read. For checks, and to find what was posted when. */
INDEX_CALL index_row(struct index *index, struct arena *arena, uint64_t row,
    struct search_post *post, bool *found);

/* For search/find.c: begins to read, and brings points and rows up to date; and ends it, whatever
 * the first came to. */
INDEX_CALL index_begin(struct index *index);
void index_end(struct index *index);

/* The connection, and what its outcomes are called here: of a row, INDEX_OK. */
struct sql *index_sql(struct index *index);
INDEX_CALL index_result_of(enum sql_result result);

/* Of a reader, between index_begin and index_end. Points of a row that is not there are 0. */
int64_t index_rows(const struct index *index);
int64_t index_points(const struct index *index, int64_t row);
