/*
 * JSON, by jansson: the only file that includes it. Objects are written member by
 * member, and read with the first problem noted, as a clause.
 */
#pragma once

#include "base/buffer.h"

struct json_t; /* jansson's own */

/* An object or an array to be written. What is put into another belongs to it. That a
 * text is UTF-8 shows when it is written. */
struct json_t *json_new_object(void);
struct json_t *json_new_array(void);
void json_put(struct json_t *object, const char *name, struct json_t *value);
void json_put_null(struct json_t *object, const char *name);
void json_put_text(struct json_t *object, const char *name, struct text text);
void json_put_words(struct json_t *object, const char *name, struct text words);
void json_put_number(struct json_t *object, const char *name, int64_t number);
void json_put_true(struct json_t *object, const char *name);
void json_append(struct json_t *array, struct json_t *value);
void json_append_text(struct json_t *array, struct text text);

/* Adds it to a buffer, with a line feed, and frees it. False when a text is not valid
 * UTF-8; what was added is then of no use. */
bool json_write(struct json_t *object, struct buffer *line)
    __attribute__((warn_unused_result));

/* An object that is being read. */
struct json_reader {
	struct arena *arena; /* to which texts are copied */
	struct json_t *object;
	struct text problem; /* the first, as "\"name\" is missing"; or empty */
};

/* Parses bytes as one object, to be freed with json_close; the reader's problem says
 * when they are none. */
struct json_reader json_open(struct arena *arena, struct text bytes);
void json_close(struct json_reader *reader);

void json_problem(
    struct json_reader *reader, const char *name, const char *what);

/* The member is there; and it is null. */
bool json_has(const struct json_reader *reader, const char *name);
bool json_has_null(const struct json_reader *reader, const char *name);

/* A member that must be there and of that type: otherwise it is a problem, and comes out
 * empty, 0 or false. */
struct text json_read_text(struct json_reader *reader, const char *name);
int64_t json_read_number(struct json_reader *reader, const char *name);
bool json_read_true(struct json_reader *reader, const char *name);

/* A list of names, as words with a space between; a name itself has none. */
struct text json_read_words(struct json_reader *reader, const char *name);

/* The length of a list, and its items: names, or objects. */
size_t json_read_count(struct json_reader *reader, const char *name);
struct text json_read_name(
    struct json_reader *reader, const char *name, size_t index);
struct json_reader json_read_item(
    struct json_reader *reader, const char *name, size_t index);

/* An object in it. */
struct json_reader json_read_object(
    struct json_reader *reader, const char *name);

/* Passes the problem of an inner object on to the one that it is in. */
void json_pass_problem(struct json_reader *reader, const char *name,
    const struct json_reader *inner);
