#include "views/format.h"

#include <time.h>

#include "base/arena.h"
#include "base/buffer.h"

static const struct {
	int64_t seconds;
	const char *one, *many;
} units[] = {
	{ 86400, "day", "days" },
	{ 3600, "hour", "hours" },
	{ 60, "minute", "minutes" },
	{ 1, "second", "seconds" },
};

enum { UNITS = sizeof(units) / sizeof(units[0]), YEAR = 365 * 86400 };

static struct text
format_unit(struct arena *arena, int64_t count, size_t unit)
{
	struct buffer text = buffer_in(arena, 32);

	buffer_add_number(&text, count);
	buffer_add_char(&text, ' ');
	buffer_add(
	    &text, text_of(count == 1 ? units[unit].one : units[unit].many));
	return buffer_text(&text);
}

static struct text
format_time(struct arena *arena, const char *format, int64_t moment)
{
	char string[64];
	time_t time = (time_t)moment;
	struct tm parts = { .tm_mday = 1 };
	size_t size;

	gmtime_r(&time, &parts);
	size = strftime(string, sizeof(string), format, &parts);
	return text_copy(arena, (struct text){ string, size });
}

/* Which unit an age is told in; UNITS for none of them. */
static size_t
unit_of(int64_t age)
{
	size_t unit = 0;

	while (unit < UNITS && age < units[unit].seconds)
		unit++;
	return age < 60 ? UNITS : unit;
}

int64_t
format_age_step(int64_t now, int64_t moment)
{
	int64_t age = now - moment;
	size_t unit = unit_of(age);

	if (unit == UNITS)
		return 0;
	return age >= YEAR ? 1
			   : age / units[unit].seconds * UNITS + (int64_t)unit;
}

struct text
format_age(struct arena *arena, int64_t now, int64_t moment)
{
	int64_t age = now - moment;
	size_t unit = unit_of(age);

	if (unit == UNITS)
		return TEXT("just now");
	if (age >= YEAR)
		return format_time(arena, "on %-d %B %Y", moment);
	return text_join(arena,
	    format_unit(arena, age / units[unit].seconds, unit), TEXT(" ago"));
}

struct text
format_span(struct arena *arena, int64_t seconds)
{
	struct text span = { NULL, 0 };
	int shown = 0;

	for (size_t i = 0; i < UNITS && shown < 2; i++) {
		struct text unit =
		    format_unit(arena, seconds / units[i].seconds, i);

		if (seconds < units[i].seconds && (shown > 0 || i < UNITS - 1))
			continue;
		seconds %= units[i].seconds;
		span = shown++ == 0 ? unit
				    : text_format(arena, "%.*s and %.*s",
					  TEXT_ARGS(span), TEXT_ARGS(unit));
	}
	return span;
}

struct text
format_about(struct arena *arena, int64_t seconds)
{
	size_t unit = 0;

	while (unit < UNITS - 1 && seconds < units[unit].seconds)
		unit++;
	return format_unit(arena,
	    (seconds + units[unit].seconds - 1) / units[unit].seconds, unit);
}

struct text
format_ordinal(struct arena *arena, int64_t number)
{
	static const char *const ends[] = { "th", "st", "nd", "rd" };
	int64_t last = number % 10, teens = number / 10 % 10;

	return text_format(arena, "%lld%s", (long long)number,
	    ends[last > 3 || teens == 1 ? 0 : last]);
}

struct text
format_moment(struct arena *arena, int64_t moment)
{
	return format_time(arena, "%-d %B %Y, %H:%M UTC", moment);
}

struct text
format_iso(struct arena *arena, int64_t moment)
{
	return format_time(arena, "%Y-%m-%dT%H:%M:%SZ", moment);
}

/* With the site's name behind it a tab shows some 70 characters. */
enum { SHORT_CHARACTERS = 60 };

static bool
begins_character(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

struct text
format_short(struct arena *arena, struct text title)
{
	size_t characters = 0, word = 0, end = 0;

	if (title.size <= SHORT_CHARACTERS)
		return title;
	for (; end < title.size; end++) {
		characters += begins_character(title.data[end]);
		if (characters > SHORT_CHARACTERS)
			break;
		if (title.data[end] == ' ')
			word = end;
	}
	if (end == title.size)
		return title;
	return text_join(arena,
	    text_slice(title, 0, word > end / 2 ? word : end), TEXT("…"));
}

enum { SUMMARY_BYTES = 160 };

struct text
format_summary(struct arena *arena, struct text text)
{
	struct buffer summary = buffer_in(arena, SUMMARY_BYTES + 64);
	struct text word;

	while (text_next_word(&text, &word)) {
		if (summary.size + word.size > SUMMARY_BYTES) {
			buffer_add(&summary, TEXT(" …"));
			break;
		}
		if (summary.size > 0)
			buffer_add_char(&summary, ' ');
		buffer_add(&summary, word);
	}
	return buffer_text(&summary);
}

static size_t
count_lines(struct text text)
{
	size_t count = 0;
	struct text line;

	while (text_cut(&text, '\n', &line))
		count++;
	return count;
}

struct mustache_list
format_paragraphs(struct arena *arena, struct text text)
{
	size_t max = count_lines(text), count = 0, used = 0, first = 0;
	struct paragraph *paragraphs = arena_new(arena, struct paragraph, max);
	struct paragraph_line *lines =
	    arena_new(arena, struct paragraph_line, max);
	struct text line;

	while (text_cut(&text, '\n', &line)) {
		bool blank = text_trim(line).size == 0;

		if (!blank)
			lines[used++].text = line;
		if (used == first || (!blank && text.data != NULL))
			continue;
		lines[used - 1].last = true;
		paragraphs[count++].lines =
		    (struct mustache_list){ &lines[first], used - first };
		first = used;
	}
	return (struct mustache_list){ paragraphs, count };
}

struct mustache_list
format_names(struct arena *arena, struct text names)
{
	/* A word takes a character and a space; the last finds no more. */
	struct text *list = arena_new(arena, struct text, names.size / 2 + 2);
	size_t count = 0;

	while (text_next_word(&names, &list[count]))
		count++;
	return (struct mustache_list){ list, count };
}

struct text
format_post(struct arena *arena, struct post_id id)
{
	struct text article = text_number(arena, (int64_t)id.article);

	return id.comment == 0
	    ? article
	    : text_format(arena, "%.*s.%llu", TEXT_ARGS(article),
		  (unsigned long long)id.comment);
}

struct text
format_post_path(struct arena *arena, struct post_id id)
{
	unsigned long long article = id.article, comment = id.comment;

	return comment == 0 ? text_format(arena, "/articles/%llu", article)
			    : text_format(arena, "/articles/%llu/comments/%llu",
				  article, comment);
}
