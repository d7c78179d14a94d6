#include "views/language.h"

#include <dirent.h>
#include <fnmatch.h>
#include <libintl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/fiber.h"
#include "base/log.h"
#include "mustache/sentences.h"

#define CATALOG ".mo"

/* What libc's gettext takes for the language. To it a language is a domain of messages: so it
 * need not be told of another one for each request, and keeps what it has found of each. */
#define LOCALE "tally"

/* Translations that were found, by the address of the literal and, of what depends on a number, the
 * number: libc would search and compare in some 500 ns. */
enum { FOUND = 4096 };
struct found {
	const char *english; /* NULL: an empty slot */
	uint64_t number;
	struct text translation;
};

static struct language languages[LANGUAGES_MAX] = { { .tag = TEXT_INIT("en"),
    .name = TR_INIT("English"),
    .dir = TR_INIT("ltr") } };
static const char *domains[LANGUAGES_MAX];
static struct found *found[LANGUAGES_MAX];
static size_t count = 1;
static const struct language *outside; /* of fibers */

static struct text
domain_text(size_t index, const char *english)
{
	return text_of(dgettext(domains[index], english));
}

static void
open_catalog(const char *folder, const char *file)
{
	struct language *language = &languages[count];
	char *domain = strndup(file, strlen(file) - strlen(CATALOG));

	found[count] = calloc(FOUND, sizeof(struct found));
	if (domain == NULL || found[count] == NULL)
		log_fatal("out of memory: no place for a language");
	domains[count] = domain;
	bindtextdomain(domain, folder);
	bind_textdomain_codeset(domain, "UTF-8");
	*language = (struct language){ .index = count,
		.tag = text_of(domain),
		.name = domain_text(count, languages[0].name.data),
		.dir = domain_text(count, languages[0].dir.data) };
	count++;
}

static int
is_catalog(const struct dirent *entry)
{
	return fnmatch("?*" CATALOG, entry->d_name, 0) == 0;
}

/* gettext translates nothing in the locale "C" nor, in Debian 13, in "C.UTF-8". A copy of the
 * latter under another name is in the folder, so that no locale has to be generated. LOCPATH is
 * restored: Redis and nginx inherit the environment. */
static bool
use_locale(const char *folder)
{
	const char *former = getenv("LOCPATH");
	char *kept = former == NULL ? NULL : strdup(former);
	bool is_used = setenv("LOCPATH", folder, 1) == 0 &&
	    setlocale(LC_MESSAGES, LOCALE) != NULL &&
	    setenv("LANGUAGE", LOCALE, 1) == 0;

	if (kept != NULL)
		(void)setenv("LOCPATH", kept, 1);
	else
		(void)unsetenv("LOCPATH");
	free(kept);
	return is_used;
}

void
language_open(const char *folder)
{
	char path[4096];
	struct dirent **entries;
	int files;

	if (count > 1 || !use_locale(folder) ||
	    snprintf(path, sizeof(path), "%s/" LOCALE "/LC_MESSAGES", folder) >=
		(int)sizeof(path))
		return;
	files = scandir(path, &entries, is_catalog, alphasort);
	for (int i = 0; i < files; i++) {
		if (count < LANGUAGES_MAX)
			open_catalog(folder, entries[i]->d_name);
		free(entries[i]);
	}
	if (files >= 0)
		free(entries);
}

size_t
language_count(void)
{
	return count;
}

const struct language *
language_at(size_t index)
{
	return &languages[index];
}

const struct language *
language_find(struct text tag)
{
	for (size_t i = 0; i < count; i++)
		if (text_equal(languages[i].tag, tag))
			return &languages[i];
	return NULL;
}

void
language_use(const struct language *language)
{
	if (fiber_current() == NULL)
		outside = language;
	else
		fiber_set_local(language);
}

const struct language *
language_current(void)
{
	const struct language *language =
	    fiber_current() == NULL ? outside : fiber_local();

	return language == NULL ? &languages[0] : language;
}

struct mustache_list
language_choices(struct arena *arena, struct text tag)
{
	struct language_choice *choices =
	    arena_new(arena, struct language_choice, count);
	const struct language *chosen = language_find(tag);
	size_t current = chosen == NULL ? 0 : chosen->index;

	for (size_t i = 0; i < count; i++)
		choices[i] = (struct language_choice){ languages[i].tag,
			languages[i].name, i == current };
	return (struct mustache_list){ choices, count };
}

/* The slot of a literal and a number: one that has them, or an empty one; NULL when there is
 * none. */
static struct found *
find_slot(struct found *slots, const char *english, uint64_t number)
{
	uint64_t hash = ((uint64_t)(uintptr_t)english + number * 0x9e3779b9) *
	    UINT64_C(0x9e3779b97f4a7c15);
	size_t slot = (size_t)(hash >> 32) % FOUND;

	for (size_t i = 0; i < 16; i++, slot = (slot + 1) % FOUND)
		if (slots[slot].english == NULL ||
		    (slots[slot].english == english &&
			slots[slot].number == number))
			return &slots[slot];
	return NULL;
}

static struct text
translate(size_t index, struct text one, struct text many, uint64_t number)
{
	const char *domain = domains[index];

	return text_of(many.data == NULL
		? dgettext(domain, one.data)
		: dngettext(domain, one.data, many.data, number));
}

/* many without data: of a sentence that does not depend on a number. */
static struct text
find_translation(size_t index, struct text one, struct text many, uint64_t key,
    uint64_t number)
{
	struct found *slot = find_slot(found[index], one.data, key);

	if (slot == NULL)
		return translate(index, one, many, number);
	if (slot->english == NULL)
		*slot = (struct found){ one.data, key,
			translate(index, one, many, number) };
	return slot->translation;
}

struct text
language_text(struct text english)
{
	size_t index = language_current()->index;
	const struct text none = { NULL, 0 };

	return index == 0 || english.size == 0
	    ? english
	    : find_translation(index, english, none, 0, 0);
}

struct text
language_text_in(struct text english)
{
	struct text translation = language_text(english);
	size_t end = text_find(translation, 0, TEXT("\004"));

	return end == SIZE_MAX
	    ? translation
	    : text_slice(translation, end + 1, translation.size);
}

/* The rules of all languages look at no more than the last two digits of a number from 100 on (GNU
 * gettext, "Plural forms"). */
struct text
language_plural(struct text one, struct text many, int64_t number)
{
	size_t index = language_current()->index;
	uint64_t rest =
	    number < 100 ? (uint64_t)number : 100 + (uint64_t)number % 100;

	if (index == 0)
		return number == 1 ? one : many;
	return find_translation(index, one, many, rest + 1, rest);
}

/* One that has other tags than the sentence would break the template. */
struct text
language_sentence(
    const void *language, struct arena *arena, struct text sentence)
{
	const struct language *wanted = language;
	struct text translation;

	if (wanted->index == 0)
		return sentence;
	translation = domain_text(wanted->index, text_string(arena, sentence));
	return sentences_fit(arena, sentence, translation) ? translation
							   : sentence;
}

/* The value of a name, which is so long; NULL when it has none. */
static const struct text *
find_value(const char *name, size_t length, const struct language_value *values,
    size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (strncmp(values[i].name, name, length) == 0 &&
		    values[i].name[length] == '\0')
			return &values[i].value;
	return NULL;
}

/* The first of these bytes, or the end. */
static const char *
find_byte(const char *from, const char *end, char byte)
{
	const char *at = memchr(from, byte, (size_t)(end - from));

	return at == NULL ? end : at;
}

struct text
language_fill(struct arena *arena, struct text sentence,
    const struct language_value *values, size_t size)
{
	enum { VALUES = 64 }; /* bytes that they usually take */
	struct buffer out = buffer_in(arena, sentence.size + VALUES);
	const char *at = sentence.data, *end = sentence.data + sentence.size;

	while (at < end) {
		const char *opening = find_byte(at, end, '{');
		const char *closing = find_byte(opening, end, '}');
		const struct text *value = closing == end
		    ? NULL
		    : find_value(opening + 1, (size_t)(closing - opening - 1),
			  values, size);
		const char *next = value != NULL ? closing + 1
		    : opening < end		 ? opening + 1
						 : end;

		buffer_add(&out,
		    (struct text){
			at, (size_t)((value != NULL ? opening : next) - at) });
		if (value != NULL)
			buffer_add(&out, *value);
		at = next;
	}
	return buffer_text(&out);
}
