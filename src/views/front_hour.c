#include "views/front_hour.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "views/format.h"
#include "views/messages.h"

/* The graph is so wide, and FRONT_HOUR_PLACES high (templates/front_chart.mustache). */
enum { FRONT_CHART_WIDTH = 600 };

static struct text
moment_of(struct arena *arena, int64_t hour)
{
	return format_moment(arena, hour * FRONT_HOUR_SECONDS);
}

static struct text
iso_of(struct arena *arena, int64_t hour)
{
	return format_iso(arena, hour * FRONT_HOUR_SECONDS);
}

struct front_hour_model
front_hour_model_of(struct arena *arena, int64_t hour, int64_t before,
    int64_t after, int64_t now)
{
	struct front_hour_model model = { .moment = moment_of(arena, hour),
		.iso = iso_of(arena, hour),
		.input =
		    text_join(arena, front_hour_name(arena, hour), TEXT(":00")),
		.lacks_before = before != hour - 1,
		.lacks_after = after != hour + 1 &&
		    (hour + 1) * FRONT_HOUR_SECONDS + FRONT_HOUR_LATE <= now,
		.is_future = hour * FRONT_HOUR_SECONDS > now };

	if (before != 0) {
		model.before = front_hour_name(arena, before);
		model.before_moment = moment_of(arena, before);
	}
	if (after != 0) {
		model.after = front_hour_name(arena, after);
		model.after_moment = moment_of(arena, after);
	}
	return model;
}

static bool
has_place(const struct front_places *places, size_t i)
{
	return places->places[i] != 0 &&
	    places->places[i] != FRONT_HOUR_MISSING;
}

/* The x of the beginning of an hour: each is a step of the line. */
static int64_t
x_of(size_t i, size_t count)
{
	return (int64_t)(i * FRONT_CHART_WIDTH / count);
}

/* A step for each hour with a place, the first at the top; interrupted by others. */
static struct text
line_of(struct arena *arena, const struct front_places *places)
{
	struct buffer line = buffer_in(arena, 1024);
	bool is_drawn = false;

	for (size_t i = 0; i < places->count; i++) {
		struct text step;

		if (has_place(places, i)) {
			step = is_drawn
			    ? text_format(arena, "V%d", places->places[i])
			    : text_format(arena, "M%lld %d",
				  (long long)x_of(i, places->count),
				  places->places[i]);
			buffer_add(&line, step);
			buffer_add_char(&line, 'H');
			buffer_add_number(&line, x_of(i + 1, places->count));
		}
		is_drawn = has_place(places, i);
	}
	return buffer_text(&line);
}

static struct front_span
span_of(struct arena *arena, const struct front_places *places, size_t first,
    size_t last)
{
	int64_t hour = places->first + (int64_t)first;
	int64_t until = places->first + (int64_t)last;
	struct front_span span = { .hour = front_hour_name(arena, hour),
		.moment = moment_of(arena, hour),
		.iso = iso_of(arena, hour),
		.is_missing = places->places[first] == FRONT_HOUR_MISSING };

	if (has_place(places, first))
		span.place = message_ordinal(arena, places->places[first]);
	if (until != hour) {
		span.until = moment_of(arena, until);
		span.until_iso = iso_of(arena, until);
	}
	return span;
}

static struct mustache_list
spans_of(struct arena *arena, const struct front_places *places)
{
	struct front_span *spans =
	    arena_new(arena, struct front_span, places->count);
	size_t count = 0, first = 0;

	for (size_t i = 1; i <= places->count; i++)
		if (i == places->count ||
		    places->places[i] != places->places[first]) {
			spans[count++] = span_of(arena, places, first, i - 1);
			first = i;
		}
	return (struct mustache_list){ spans, count };
}

/* From the first hour with a place to the last. */
static struct front_places
cut_places(const struct front_places *places)
{
	struct front_places cut = { .first = places->first };
	size_t start = 0, end = places->count;

	while (start < end && !has_place(places, start))
		start++;
	while (end > start && !has_place(places, end - 1))
		end--;
	cut.first += (int64_t)start;
	for (size_t i = start; i < end; i++)
		cut.places[cut.count++] = places->places[i];
	return cut;
}

bool
front_chart_model_of(struct arena *arena, const struct front_places *places,
    struct front_chart_model *model)
{
	struct front_places cut = cut_places(places);
	int64_t last = cut.first + (int64_t)cut.count - 1, hours = 0;
	int64_t best = FRONT_HOUR_PLACES;

	if (cut.count == 0)
		return false;
	for (size_t i = 0; i < cut.count; i++) {
		if (!has_place(&cut, i))
			continue;
		hours++;
		if (cut.places[i] < best)
			best = cut.places[i];
	}
	*model = (struct front_chart_model){ .line = line_of(arena, &cut),
		.first = moment_of(arena, cut.first),
		.first_iso = iso_of(arena, cut.first),
		.last = moment_of(arena, last),
		.last_iso = iso_of(arena, last),
		.best = message_ordinal(arena, best),
		.hours = message_count(arena, MESSAGE_HOURS, hours),
		.spans = spans_of(arena, &cut) };
	return true;
}
