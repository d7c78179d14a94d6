#include "http/multipart.h"

#include <strings.h>

#include "base/arena.h"
#include "base/utf8.h"

enum { BOUNDARY_MAX = 70, HEAD_LINES_MAX = 8 };

static bool
is_word(struct text text, struct text word)
{
	return text.size == word.size &&
	    strncasecmp(text.data, word.data, word.size) == 0;
}

/* Takes a text in quotes from *rest. It has no quote inside: browsers write "%22". */
static bool
take_quoted(struct text *rest, struct text *value)
{
	*rest = text_slice(*rest, 1, rest->size);
	return text_find(*rest, 0, TEXT("\"")) != SIZE_MAX &&
	    text_cut(rest, '"', value);
}

/* Takes the next "; NAME=VALUE" of a field, the value quoted or a word. */
static bool
take_parameter(struct text *rest, struct text *name, struct text *value)
{
	size_t end = 0;

	*rest = text_trim(*rest);
	if (!text_starts(*rest, TEXT(";")) ||
	    text_find(*rest, 0, TEXT("=")) == SIZE_MAX)
		return false;
	*rest = text_trim(text_slice(*rest, 1, rest->size));
	text_cut(rest, '=', name);
	if (text_starts(*rest, TEXT("\"")))
		return take_quoted(rest, value);
	while (end < rest->size && rest->data[end] != ';' &&
	    !text_is_space(rest->data[end]))
		end++;
	*value = text_slice(*rest, 0, end);
	*rest = text_slice(*rest, end, rest->size);
	return true;
}

/* The value of a parameter of a field, which is otherwise well-formed; its data is NULL when
 * there is none. */
static bool
find_parameter(struct text rest, const char *wanted, struct text *found)
{
	struct text name, value;

	*found = (struct text){ NULL, 0 };
	while (text_trim(rest).size > 0) {
		if (!take_parameter(&rest, &name, &value))
			return false;
		if (!is_word(name, text_of(wanted)))
			continue;
		if (found->data != NULL)
			return false;
		*found = value;
	}
	return true;
}

/* What precedes the parameters; *rest begins with the first ';' or is empty. */
static struct text
take_type(struct text *rest)
{
	size_t end = text_find(*rest, 0, TEXT(";"));
	struct text type = text_slice(*rest, 0, end);

	*rest = text_slice(*rest, type.size, rest->size);
	return text_trim(type);
}

bool
multipart_is(struct text content_type)
{
	return is_word(take_type(&content_type), TEXT("multipart/form-data"));
}

static bool
read_boundary(struct text content_type, struct text *boundary)
{
	take_type(&content_type);
	if (!find_parameter(content_type, "boundary", boundary) ||
	    boundary->size == 0 || boundary->size > BOUNDARY_MAX)
		return false;
	for (size_t i = 0; i < boundary->size; i++)
		if (boundary->data[i] <= ' ' || boundary->data[i] > '~')
			return false;
	return true;
}

struct part {
	struct pair pair;
	bool is_file;
};

/* "form-data; name="..."; filename="..."" */
static bool
read_disposition(struct text value, struct part *part)
{
	struct text filename;

	if (!is_word(take_type(&value), TEXT("form-data")) ||
	    !find_parameter(value, "name", &part->pair.name) ||
	    !find_parameter(value, "filename", &filename))
		return false;
	part->is_file = filename.data != NULL;
	return part->pair.name.data != NULL;
}

static bool
take_line(struct text *rest, struct text *line)
{
	size_t end = text_find(*rest, 0, TEXT("\r\n"));

	if (end == SIZE_MAX)
		return false;
	*line = text_slice(*rest, 0, end);
	*rest = text_slice(*rest, end + 2, rest->size);
	return true;
}

/* Takes the head of a part, with the empty line. */
static bool
take_head(struct text *rest, struct part *part)
{
	struct text line, name;
	bool has_disposition = false;

	for (int i = 0; i < HEAD_LINES_MAX && take_line(rest, &line); i++) {
		if (line.size == 0)
			return has_disposition;
		if (text_find(line, 0, TEXT(":")) == SIZE_MAX)
			return false;
		text_cut(&line, ':', &name);
		if (!is_word(name, TEXT("Content-Disposition")))
			continue;
		if (has_disposition || !read_disposition(line, part))
			return false;
		has_disposition = true;
	}
	return false;
}

/* Takes the content, with the boundary after it. */
static bool
take_content(struct text *rest, struct text boundary, struct text *content)
{
	size_t end = text_find(*rest, 0, boundary);

	if (end == SIZE_MAX)
		return false;
	*content = text_slice(*rest, 0, end);
	*rest = text_slice(*rest, end + boundary.size, rest->size);
	return true;
}

static enum pairs_result
add_part(struct pairs *fields, struct pairs *files, const struct part *part)
{
	struct pairs *pairs = part->is_file ? files : fields;

	if (!utf8_valid(part->pair.name) ||
	    (!part->is_file && !utf8_valid(part->pair.value)))
		return PAIRS_MALFORMED;
	if (pairs_has(fields, part->pair.name) ||
	    pairs_has(files, part->pair.name))
		return PAIRS_REPEATED;
	if (fields->count + files->count == PAIRS_MAX)
		return PAIRS_TOO_MANY;
	pairs->items[pairs->count++] = part->pair;
	return PAIRS_VALID;
}

/* rest is what follows the first boundary, and boundary "\r\n--BOUNDARY". */
static enum pairs_result
read_parts(struct text rest, struct text boundary, struct pairs *fields,
    struct pairs *files)
{
	enum pairs_result result = PAIRS_VALID;

	while (text_starts(rest, TEXT("\r\n"))) {
		struct part part = { .is_file = false };

		rest = text_slice(rest, 2, rest.size);
		if (!take_head(&rest, &part) ||
		    !take_content(&rest, boundary, &part.pair.value))
			return PAIRS_MALFORMED;
		result = add_part(fields, files, &part);
		if (result != PAIRS_VALID)
			return result;
	}
	return text_equal(rest, TEXT("--")) || text_equal(rest, TEXT("--\r\n"))
	    ? PAIRS_VALID
	    : PAIRS_MALFORMED;
}

enum pairs_result
multipart_parse(struct arena *arena, struct text content_type, struct text body,
    struct pairs *fields, struct pairs *files)
{
	struct text boundary;

	*fields = (struct pairs){ arena_new(arena, struct pair, PAIRS_MAX), 0 };
	*files = (struct pairs){ arena_new(arena, struct pair, PAIRS_MAX), 0 };
	if (!read_boundary(content_type, &boundary))
		return PAIRS_MALFORMED;
	boundary = text_join(arena, TEXT("\r\n--"), boundary);
	/* The first has no line before it. */
	if (!text_starts(body, text_slice(boundary, 2, boundary.size)))
		return PAIRS_MALFORMED;
	return read_parts(text_slice(body, boundary.size - 2, body.size),
	    boundary, fields, files);
}
