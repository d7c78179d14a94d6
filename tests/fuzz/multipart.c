/*
 * A form with files: a Content-Type and, after a line feed, its body. What is read lies
 * within the body, and each name is there once. Files are read as images, too.
 */
#include "fuzz.h"

#include "base/png.h"
#include "base/utf8.h"
#include "http/multipart.h"

static void
check_pairs(const struct pairs *pairs, const struct pairs *others,
    struct text body, bool are_texts)
{
	for (size_t i = 0; i < pairs->count; i++) {
		const struct pair *pair = &pairs->items[i];

		must(fuzz_is_within(pair->name, body));
		must(fuzz_is_within(pair->value, body));
		must(utf8_valid(pair->name));
		must(!are_texts || utf8_valid(pair->value));
		must(!pairs_has(others, pair->name));
		for (size_t j = 0; j < i; j++)
			must(!text_equal(pair->name, pairs->items[j].name));
	}
}

/* What is left of an image is one, too, and the same. */
static void
check_image(struct arena *arena, struct text file)
{
	struct png png, again;

	if (!png_read(arena, file, &png))
		return;
	must(png.width > 0 && png.height > 0);
	must(png.bytes.size <= file.size);
	must(png_read(arena, png.bytes, &again));
	must(text_equal(again.bytes, png.bytes));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct arena arena;
	struct text body = fuzz_text(data, size), type = { NULL, 0 };
	struct pairs fields, files;

	text_cut(&body, '\n', &type);
	check_image(&arena, body);
	if (multipart_parse(&arena, type, body, &fields, &files) ==
	    PAIRS_VALID) {
		check_pairs(&fields, &files, body, true);
		check_pairs(&files, &fields, body, false);
		for (size_t i = 0; i < files.count; i++)
			check_image(&arena, files.items[i].value);
	}
	arena_reset(&arena);
	return 0;
}
