#include "views/format.h"

#include <time.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "views/messages.h"

/* The largest first. */
static const struct unit {
	int64_t seconds;
	enum message_counted span, ago;
} units[] = {
	{ 86400, MESSAGE_DAYS, MESSAGE_DAYS_AGO },
	{ 3600, MESSAGE_HOURS, MESSAGE_HOURS_AGO },
	{ 60, MESSAGE_MINUTES, MESSAGE_MINUTES_AGO },
	{ 1, MESSAGE_SECONDS, MESSAGE_COUNTED }, /* ages are never in seconds */
};

enum { UNITS = sizeof(units) / sizeof(units[0]), YEAR = 365 * 86400 };

static struct tm
utc_parts(int64_t moment)
{
	time_t time = (time_t)moment;
	struct tm parts = { .tm_mday = 1 };

	gmtime_r(&time, &parts);
	return parts;
}

/* The unit of an age; UNITS for one below a minute, which has none. */
static size_t
unit_of_age(int64_t age)
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
	size_t unit = unit_of_age(age);

	if (unit == UNITS)
		return 0;
	return age >= YEAR ? 1
			   : age / units[unit].seconds * UNITS + (int64_t)unit;
}

struct text
format_age(struct arena *arena, int64_t now, int64_t moment)
{
	int64_t age = now - moment;
	size_t unit = unit_of_age(age);
	struct tm parts;

	if (unit == UNITS)
		return message_text(MESSAGE_JUST_NOW);
	if (age >= YEAR) {
		parts = utc_parts(moment);
		return message_on_day(arena, &parts);
	}
	return message_count(arena, units[unit].ago, age / units[unit].seconds);
}

struct text
format_span(struct arena *arena, int64_t seconds)
{
	struct text span = { NULL, 0 };
	int shown = 0;

	for (size_t i = 0; i < UNITS && shown < 2; i++) {
		struct text part = message_count(
		    arena, units[i].span, seconds / units[i].seconds);

		if (seconds < units[i].seconds && (shown > 0 || i < UNITS - 1))
			continue;
		seconds %= units[i].seconds;
		span =
		    shown++ == 0 ? part : message_two_units(arena, span, part);
	}
	return span;
}

/* The largest unit that fits at least once, or the smallest. */
static size_t
unit_of_span(int64_t seconds)
{
	size_t unit = 0;

	while (unit < UNITS - 1 && seconds < units[unit].seconds)
		unit++;
	return unit;
}

struct text
format_rounded_up(struct arena *arena, int64_t seconds)
{
	size_t unit = unit_of_span(seconds);

	return message_count(arena, units[unit].span,
	    (seconds + units[unit].seconds - 1) / units[unit].seconds);
}

struct text
format_rounded_down(struct arena *arena, int64_t seconds)
{
	size_t unit = unit_of_span(seconds);

	return message_count(arena, units[unit].span,
	    seconds > 0 ? seconds / units[unit].seconds : 0);
}

struct text
format_moment(struct arena *arena, int64_t moment)
{
	struct tm parts = utc_parts(moment);

	return message_moment(arena, &parts);
}

static void
add_part(struct buffer *iso, char before, int number)
{
	buffer_add_char(iso, before);
	buffer_add_two_digits(iso, number);
}

/* strftime took twice as much. */
struct text
format_iso(struct arena *arena, int64_t moment)
{
	struct tm parts = utc_parts(moment);
	struct buffer iso = buffer_in(arena, TEXT("2026-11-21T14:05:09Z").size);

	buffer_add_number(&iso, parts.tm_year + 1900);
	add_part(&iso, '-', parts.tm_mon + 1);
	add_part(&iso, '-', parts.tm_mday);
	add_part(&iso, 'T', parts.tm_hour);
	add_part(&iso, ':', parts.tm_min);
	add_part(&iso, ':', parts.tm_sec);
	buffer_add_char(&iso, 'Z');
	return buffer_text(&iso);
}

/* With the site's name behind it a tab shows some 70 characters. A label names one of several
 * buttons, and is read out with each. */
enum { SHORT_CHARACTERS = 60, LABEL_CHARACTERS = 32 };

static bool
is_character_start(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

static struct text
shorten(struct arena *arena, struct text title, size_t max)
{
	size_t characters = 0, word = 0, end = 0;

	if (title.size <= max)
		return title;
	for (; end < title.size; end++) {
		characters += is_character_start(title.data[end]);
		if (characters > max)
			break;
		if (title.data[end] == ' ')
			word = end;
	}
	if (end == title.size)
		return title;
	return text_join(arena,
	    text_slice(title, 0, word > end / 2 ? word : end), TEXT("…"));
}

struct text
format_short(struct arena *arena, struct text title)
{
	return shorten(arena, title, SHORT_CHARACTERS);
}

struct text
format_label(struct arena *arena, struct text title)
{
	return shorten(arena, title, LABEL_CHARACTERS);
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

struct mustache_list
format_foot_links(struct arena *arena, struct text links)
{
	struct foot_link *list =
	    arena_new(arena, struct foot_link, RULE_FOOT_LINKS_MAX);
	size_t count = 0;

	while (count < RULE_FOOT_LINKS_MAX &&
	    rule_foot_link(&links, &list[count].label, &list[count].href))
		count++;
	return (struct mustache_list){ list, count };
}

/* "/articles/7", or "/articles/7/comments/3" with what is between the numbers of a comment. */
static struct text
join_numbers(struct arena *arena, const char *before, const char *between,
    struct post_id id)
{
	struct buffer joined = buffer_in(arena, 64);

	buffer_add(&joined, text_of(before));
	buffer_add_number(&joined, (int64_t)id.article);
	if (id.comment != 0) {
		buffer_add(&joined, text_of(between));
		buffer_add_number(&joined, (int64_t)id.comment);
	}
	return buffer_text(&joined);
}

struct text
format_post(struct arena *arena, struct post_id id)
{
	return join_numbers(arena, "", ".", id);
}

struct text
format_post_anchor(struct arena *arena, struct post_id id)
{
	return join_numbers(
	    arena, id.comment == 0 ? "article-" : "comment-", "-", id);
}

struct text
format_post_path(struct arena *arena, struct post_id id)
{
	return join_numbers(arena, "/articles/", "/comments/", id);
}
