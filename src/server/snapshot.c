/*
 * After 9 bytes of version comes one item after the other: a byte that says what it is, for a
 * value its key, and then what the byte stands for:
 *
 *	s   a string         [..]    a length, and so many times what is between them
 *	l   a length         1 4 8   so many bytes; x: 16
 *
 * A small hash is one string, a listpack: 6 bytes of sizes, and then entries. That of a field
 * "version" is 87 "version" 08, and that of its number 05 01. A string may be compressed (LZF);
 * then it begins with a byte that says how many bytes follow as they are.
 */
#include "server/snapshot.h"

enum {
	HEADER = 9,
	HASH = 4, /* a field and a value in turn */
	SMALL_HASH = 16,
	FIRST_OPTION = 0xf4, /* from here on no value */
	PLAIN_NUMBER_MAX = 0x7f,
	SHORT_ENTRY = 0x80,
	LISTPACK_SIZES = 6,
	LZF_LITERAL_MAX = 32
};

static const char *const shapes[256] = {
	[0] = "s",
	[1] = "[s]", /* list */
	[2] = "[s]", /* set */
	[HASH] = "[ss]",
	[5] = "[s8]", /* sorted set */
	[10] = "s",   /* small values: ziplist, intset, listpack */
	[11] = "s",
	[12] = "s",
	[13] = "s",
	[14] = "[s]",			   /* list in parts */
	[15] = "[ss]lll[sll[x8l][s8[x]]]", /* stream, with its groups */
	[SMALL_HASH] = "s",
	[17] = "s",
	[18] = "[ls]",
	[19] = "[ss]llllllll[slll[x8l][s8[x]]]",
	[20] = "s",
	[21] = "[ss]llllllll[slll[x8l][s88[x]]]",
	[FIRST_OPTION] = "lll", /* a slot of a cluster */
	[0xf5] = "s",		/* a library of functions */
	[0xf8] = "l",		/* when a key was used, and how often */
	[0xf9] = "1",
	[0xfa] = "ss", /* about the file */
	[0xfb] = "ll",
	[0xfc] = "8", /* when a key expires */
	[0xfd] = "4",
	[0xfe] = "l", /* the number of a database */
};

static bool
take_bytes(struct text *rest, uint64_t count, struct text *taken)
{
	if (count > rest->size)
		return false;
	*taken = text_slice(*rest, 0, count);
	*rest = text_slice(*rest, count, rest->size);
	return true;
}

/* Most significant byte first. */
static bool
take_number(struct text *rest, size_t size, uint64_t *number)
{
	struct text taken;

	if (!take_bytes(rest, size, &taken))
		return false;
	*number = 0;
	for (size_t i = 0; i < size; i++)
		*number = *number << 8 | (unsigned char)taken.data[i];
	return true;
}

/* The encodings that stand where a string has its length. */
enum form { FORM_PLAIN, FORM_NUMBER, FORM_COMPRESSED };

/* A length; for FORM_NUMBER the bytes of the number, and for FORM_COMPRESSED 0. */
static bool
take_length(struct text *rest, uint64_t *length, enum form *form)
{
	uint64_t first, second;

	*form = FORM_PLAIN;
	if (!take_number(rest, 1, &first))
		return false;
	*length = first & 0x3f;
	switch (first >> 6) {
	case 0:
		return true;
	case 1:
		if (!take_number(rest, 1, &second))
			return false;
		*length = *length << 8 | second;
		return true;
	case 2:
		return *length <= 1 &&
		    take_number(rest, *length == 0 ? 4 : 8, length);
	default:
		*form = *length == 3 ? FORM_COMPRESSED : FORM_NUMBER;
		*length = *form == FORM_NUMBER ? UINT64_C(1) << *length : 0;
		return *length <= 4;
	}
}

/* A string as it is stored. */
static bool
take_string(struct text *rest, struct text *string, enum form *form)
{
	uint64_t length, whole;
	enum form none;

	if (!take_length(rest, &length, form))
		return false;
	if (*form == FORM_COMPRESSED &&
	    (!take_length(rest, &length, &none) || none != FORM_PLAIN ||
		!take_length(rest, &whole, &none)))
		return false;
	return take_bytes(rest, length, string);
}

/* The end of what begins behind "[". */
static const char *
find_end(const char *shape)
{
	for (int depth = 1; depth > 0; shape++)
		depth += (*shape == '[') - (*shape == ']');
	return shape;
}

static bool skip_shape(struct text *rest, const char *shape);

static bool
skip_part(struct text *rest, const char *shape)
{
	struct text skipped;
	uint64_t length;
	enum form form;

	switch (*shape) {
	case 's':
		return take_string(rest, &skipped, &form);
	case 'x':
		return take_bytes(rest, 16, &skipped);
	case 'l':
	case '[':
		break;
	default:
		return take_bytes(rest, (uint64_t)(*shape - '0'), &skipped);
	}
	if (!take_length(rest, &length, &form) || form != FORM_PLAIN)
		return false;
	/* Each takes a byte at least, so this ends with the file. */
	for (uint64_t i = 0; *shape == '[' && i < length; i++)
		if (!skip_shape(rest, shape + 1))
			return false;
	return true;
}

/* Skips a shape up to its end, or up to "]". */
static bool
skip_shape(struct text *rest, const char *shape)
{
	while (*shape != '\0' && *shape != ']') {
		if (!skip_part(rest, shape))
			return false;
		shape = *shape == '[' ? find_end(shape + 1) : shape + 1;
	}
	return true;
}

/* The number in a listpack's first field, from the listpack's first bytes; 0 if the field has
 * another name or is no small number. */
static unsigned
first_number(struct text listpack, struct text field)
{
	struct text entries =
			text_slice(listpack, LISTPACK_SIZES, listpack.size),
		    name, size;
	uint64_t start, number;

	if (listpack.size < LISTPACK_SIZES ||
	    !take_number(&entries, 1, &start) ||
	    start != SHORT_ENTRY + field.size ||
	    !take_bytes(&entries, field.size, &name) ||
	    !text_equal(name, field) || !take_bytes(&entries, 1, &size) ||
	    !take_number(&entries, 1, &number) || number > PLAIN_NUMBER_MAX)
		return 0;
	return (unsigned)number;
}

static unsigned
small_hash_number(struct text rest, struct text field)
{
	struct text string;
	enum form form;
	uint64_t literal;

	if (!take_string(&rest, &string, &form) || form == FORM_NUMBER)
		return 0;
	if (form == FORM_COMPRESSED &&
	    (!take_number(&string, 1, &literal) || literal >= LZF_LITERAL_MAX ||
		!take_bytes(&string, literal + 1, &string)))
		return 0;
	return first_number(string, field);
}

static unsigned
large_hash_number(struct text rest, struct text field)
{
	uint64_t count;
	enum form form;

	if (!take_length(&rest, &count, &form))
		return 0;
	for (uint64_t i = 0; i < count; i++) {
		struct text name, value;
		enum form name_form;

		if (!take_string(&rest, &name, &name_form) ||
		    !take_string(&rest, &value, &form))
			return 0;
		if (name_form == FORM_PLAIN && text_equal(name, field))
			return form == FORM_NUMBER && value.size == 1 &&
				(unsigned char)value.data[0] <= PLAIN_NUMBER_MAX
			    ? (unsigned char)value.data[0]
			    : 0;
	}
	return 0;
}

unsigned
snapshot_hash_number(struct text bytes, struct text key, struct text field)
{
	struct text rest = text_slice(bytes, HEADER, bytes.size), name;
	uint64_t what;
	enum form form;

	while (take_number(&rest, 1, &what) && shapes[what] != NULL) {
		if (what < FIRST_OPTION) {
			if (!take_string(&rest, &name, &form))
				return 0;
			if (form == FORM_PLAIN && text_equal(name, key))
				return what == SMALL_HASH
				    ? small_hash_number(rest, field)
				    : what == HASH
				    ? large_hash_number(rest, field)
				    : 0;
		}
		if (!skip_shape(&rest, shapes[what]))
			return 0;
	}
	return 0;
}
