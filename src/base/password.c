#include "base/password.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <nettle/sha1.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zxcvbn.h>

#include "base/arena.h"
#include "base/file.h"

/* The time of the estimate grows with the square of the length: of a longer password only
 * so many bytes are estimated. */
enum { EXAMINED = 64 };

/* log2 of 8,192 guesses. */
static const double common_bits = 13;

/* Names and their parts as lower-case strings, the form that zxcvbn takes. */
enum { WORDS_MAX = 16, WORD_MIN = 2, WORDS_SIZE = 256 };

struct words {
	char letters[WORDS_SIZE];
	size_t used;
	const char *words[WORDS_MAX + 1]; /* ends in NULL */
	size_t count;
};

/* Adds a text without its ASCII punctuation and spaces. */
static void
add_word(struct words *words, struct text text)
{
	char *word = words->letters + words->used;
	size_t size = 0;

	if (words->count == WORDS_MAX || text.size >= WORDS_SIZE - words->used)
		return;
	for (size_t i = 0; i < text.size; i++) {
		unsigned char c = (unsigned char)text.data[i];

		if (isalnum(c) || c >= 0x80)
			word[size++] = (char)tolower(c);
	}
	word[size] = '\0';
	if (size < WORD_MIN)
		return;
	words->words[words->count++] = word;
	words->used += size + 1;
}

static void
add_name(struct words *words, struct text name)
{
	struct text part;

	add_word(words, name);
	for (size_t i = 0; i < 3; i++) {
		struct text rest = name;

		while (text_cut(&rest, " -_"[i], &part))
			if (part.size < name.size)
				add_word(words, part);
	}
}

bool
password_is_common(struct text password, const struct text *names, size_t count)
{
	char examined[EXAMINED + 1] = { 0 };
	struct words words = { .count = 0 };

	for (size_t i = 0; i < count; i++)
		add_name(&words, names[i]);
	if (password.size > EXAMINED)
		password.size = EXAMINED;
	memcpy(examined, password.data, password.size);
	return ZxcvbnMatch(examined, words.words, NULL) < common_bits;
}

enum {
	DIGITS = 2 * SHA1_DIGEST_SIZE,
	LINE_MAX_SIZE = 64, /* with its count and its end */
	BLOCK = 4096
};

struct password_file {
	int descriptor;
	off_t size;
};

/* Takes the first line from a text, without its line end; false if it has no end. */
static bool
next_line(struct text *rest, struct text *line)
{
	if (!text_cut(rest, '\n', line) || rest->data == NULL)
		return false;
	if (line->size > 0 && line->data[line->size - 1] == '\r')
		line->size--;
	return true;
}

static bool
is_hash_line(struct text line)
{
	for (size_t i = 0; i < line.size; i++) {
		unsigned char c = (unsigned char)line.data[i];

		if (i < DIGITS	      ? !isxdigit(c)
			: i == DIGITS ? c != ':'
				      : !isdigit(c))
			return false;
	}
	return line.size >= DIGITS && line.size < LINE_MAX_SIZE;
}

/* The first fault in the lines of a text; empty without one. */
static struct text
find_fault(struct arena *arena, struct text start)
{
	struct text line, before = TEXT("");
	size_t number = 0;

	while (next_line(&start, &line)) {
		number++;
		if (!is_hash_line(line))
			return text_format(arena,
			    "its line %zu is not the 40 hexadecimal digits of "
			    "a SHA-1, perhaps with a count",
			    number);
		if (number > 1 &&
		    strncasecmp(before.data, line.data, DIGITS) >= 0)
			return text_format(
			    arena, "its line %zu is not in order", number);
		before = line;
	}
	return number > 0 ? TEXT("") : TEXT("it has no line");
}

struct password_file *
password_file_open(struct arena *arena, struct text path, struct text *why)
{
	struct password_file *file = arena_new(arena, struct password_file, 1);
	char start[BLOCK];
	struct stat status;
	ssize_t got = -1;

	file->descriptor = file_open(AT_FDCWD, text_string(arena, path));
	if (file->descriptor >= 0 && fstat(file->descriptor, &status) == 0)
		got = pread(file->descriptor, start, sizeof(start), 0);
	if (got < 0) {
		*why = text_of(strerror(errno));
	} else {
		file->size = status.st_size;
		*why = find_fault(arena, (struct text){ start, (size_t)got });
	}
	if (why->size == 0)
		return file;
	if (file->descriptor >= 0)
		close(file->descriptor);
	return NULL;
}

void
password_file_close(const struct password_file *file)
{
	if (file != NULL)
		close(file->descriptor);
}

/* Searches the lines between two offsets. */
static bool
block_has_hash(const struct password_file *file, off_t first, off_t end,
    const char *digits)
{
	char block[BLOCK];
	ssize_t got =
	    pread(file->descriptor, block, (size_t)(end - first), first);
	struct text rest = { block, got < 0 ? 0 : (size_t)got }, line;

	while (text_cut(&rest, '\n', &line))
		if (line.size >= DIGITS &&
		    strncasecmp(line.data, digits, DIGITS) == 0)
			return true;
	return false;
}

/* A binary search, until the rest fits into a block. A wanted line begins at first or
 * later, and before end. */
static bool
file_has_hash(const struct password_file *file, const char *digits)
{
	off_t first = 0, end = file->size;

	while (end - first > BLOCK) {
		char read[2 * LINE_MAX_SIZE];
		off_t middle = first + (end - first) / 2;
		ssize_t got =
		    pread(file->descriptor, read, sizeof(read), middle);
		struct text rest = { read, got < 0 ? 0 : (size_t)got }, part;

		/* The first line that begins after the middle. */
		if (!next_line(&rest, &part) || rest.size < DIGITS)
			return false;
		middle += rest.data - read;
		if (strncasecmp(rest.data, digits, DIGITS) <= 0)
			first = middle;
		else
			end = middle;
	}
	return block_has_hash(file, first, end, digits);
}

bool
password_is_breached(const struct password_file *file, struct text password)
{
	char digits[DIGITS + 1];
	uint8_t digest[SHA1_DIGEST_SIZE];
	struct sha1_ctx hash;

	if (file == NULL)
		return false;
	sha1_init(&hash);
	sha1_update(&hash, password.size, (const uint8_t *)password.data);
	sha1_digest(&hash, sizeof(digest), digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(digits + 2 * i, 3, "%02X", digest[i]);
	return file_has_hash(file, digits);
}
