#include "search/resp.h"

/* Digits of a length; the largest one has fewer. */
enum { DIGITS_MAX = 7 };

/* Takes "*12\r\n" from *rest. */
static enum resp_result
take_length(struct text *rest, char kind, uint64_t *length)
{
	struct text digits = { rest->data + 1, 0 };
	size_t end;

	if (rest->size == 0)
		return RESP_PARTIAL;
	if (rest->data[0] != kind)
		return RESP_MALFORMED;
	for (end = 1; end < rest->size && rest->data[end] != '\r'; end++)
		if (end > DIGITS_MAX)
			return RESP_MALFORMED;
	digits.size = end - 1;
	if (end + 2 > rest->size)
		return end < rest->size && !text_to_u64(digits, length)
		    ? RESP_MALFORMED
		    : RESP_PARTIAL;
	if (rest->data[end + 1] != '\n' || !text_to_u64(digits, length))
		return RESP_MALFORMED;
	*rest = text_slice(*rest, end + 2, rest->size);
	return RESP_WHOLE;
}

/* Takes "$3\r\nfoo\r\n" from *rest. */
static enum resp_result
take_word(struct text *rest, struct text *word)
{
	uint64_t length;
	enum resp_result result = take_length(rest, '$', &length);

	if (result != RESP_WHOLE)
		return result;
	if (length > RESP_BYTES_MAX)
		return RESP_MALFORMED;
	if (rest->size < length + 2)
		return RESP_PARTIAL;
	if (rest->data[length] != '\r' || rest->data[length + 1] != '\n')
		return RESP_MALFORMED;
	*word = text_slice(*rest, 0, length);
	*rest = text_slice(*rest, length + 2, rest->size);
	return RESP_WHOLE;
}

enum resp_result
resp_read(struct text bytes, struct resp_request *request)
{
	struct text rest = bytes;
	uint64_t count;
	enum resp_result result = take_length(&rest, '*', &count);

	if (result == RESP_WHOLE && (count == 0 || count > RESP_WORDS_MAX))
		return RESP_MALFORMED;
	request->count = 0;
	while (result == RESP_WHOLE && request->count < count) {
		result = take_word(&rest, &request->words[request->count]);
		if (result == RESP_WHOLE)
			request->count++;
	}
	request->size = bytes.size - rest.size;
	if (result == RESP_PARTIAL ? bytes.size >= RESP_BYTES_MAX
				   : request->size > RESP_BYTES_MAX)
		return RESP_MALFORMED;
	return result;
}

static void
add_head(struct buffer *reply, char kind, int64_t number)
{
	buffer_add_char(reply, kind);
	buffer_add_number(reply, number);
	buffer_add(reply, TEXT("\r\n"));
}

void
resp_add_text(struct buffer *reply, struct text text)
{
	add_head(reply, '$', (int64_t)text.size);
	buffer_add(reply, text);
	buffer_add(reply, TEXT("\r\n"));
}

void
resp_add_number(struct buffer *reply, int64_t number)
{
	add_head(reply, ':', number);
}

void
resp_add_list(struct buffer *reply, size_t count)
{
	add_head(reply, '*', (int64_t)count);
}

void
resp_add_error(struct buffer *reply, const char *kind, const char *why)
{
	buffer_add(reply, text_format(reply->arena, "-%s %s\r\n", kind, why));
}
