/*
 * JSON, by jansson: the only file that includes it. Objects are written member by
 * member, and read with the first fault kept, as a clause.
 */
#pragma once

#include "base/buffer.h"

struct json_t; /* jansson's own */

/* Names with a space between, or in an array. */
struct json_names {
	struct text *items;
	size_t count;
};

/* An object or an array to be written. What is put into another belongs to it. That a
 * text is UTF-8 shows when it is written. */
struct json_t *json_new_object(void);
struct json_t *json_new_array(void);
void json_put(struct json_t *object, const char *name, struct json_t *value);
void json_put_null(struct json_t *object, const char *name);
void json_put_text(struct json_t *object, const char *name, struct text text);
void json_put_words(struct json_t *object, const char *name, struct text words);
void json_put_names(
    struct json_t *object, const char *name, const struct json_names *names);
void json_put_number(struct json_t *object, const char *name, int64_t number);
void json_put_true(struct json_t *object, const char *name);
void json_append_object(struct json_t *array, struct json_t *object);

/* Adds it to a buffer, with a line feed, and frees it. False when a text is not valid
 * UTF-8; what was added is then of no use. */
bool json_write(struct json_t *object, struct buffer *line)
    __attribute__((warn_unused_result));

/* An object that is being read. */
struct json_reader {
	struct arena *arena; /* to which texts are copied */
	struct json_t *object;
	struct text fault; /* the first, as "\"name\" is missing"; or empty */
};

/* Begins with the object that bytes are, to be ended with json_close; its fault says
 * when they are none. */
struct json_reader json_open(struct arena *arena, struct text bytes);
void json_close(struct json_reader *reader);

void json_fault(struct json_reader *reader, const char *name, const char *what);

/* Whether the member is there, and whether it is null. */
bool json_has(const struct json_reader *reader, const char *name);
bool json_has_null(const struct json_reader *reader, const char *name);

/* A member that must be there and of that type: otherwise it is a fault, and comes out
 * as nothing. */
struct text json_take_text(struct json_reader *reader, const char *name);
int64_t json_take_number(struct json_reader *reader, const char *name);
struct json_names json_take_names(struct json_reader *reader, const char *name);
bool json_take_true(struct json_reader *reader, const char *name);

/* The names with a space between; a name itself has none. */
struct text json_take_words(struct json_reader *reader, const char *name);

/* An object in it; and an object of an array in it, of which there are so many. */
struct json_reader json_enter(struct json_reader *reader, const char *name);
size_t json_count(struct json_reader *reader, const char *name);
struct json_reader json_enter_item(
    struct json_reader *reader, const char *name, size_t index);

/* Passes on the fault of one that was entered. */
void json_leave(struct json_reader *reader, const char *name,
    const struct json_reader *entered);
