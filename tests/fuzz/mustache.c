/*
 * Up to three templates, separated by zero bytes, that include each other and
 * are rendered with a struct. What passes the check has to render the same with
 * the offsets that the check has stored as by looking the names up.
 */
#include "fuzz.h"

#include <string.h>

#include "base/buffer.h"
#include "mustache/mustache.h"

struct leaf {
	struct text a, p;
};

struct tree {
	struct text a, p;
	int64_t n;
	bool b;
	struct leaf o;
	struct mustache_list l, v;
	struct mustache_value x;
};

static const char *const names[] = { "p", "q", NULL };

static const struct mustache_field value_fields[] = {
	{ .name = ".", .kind = MUSTACHE_VALUE },
};
static const struct mustache_type value_type =
    MUSTACHE_TYPE(struct mustache_value, value_fields);

static const struct mustache_field leaf_fields[] = {
	MUSTACHE_PLAIN(struct leaf, a),
	MUSTACHE_PARTIAL_NAME(struct leaf, p, names),
};
static const struct mustache_type leaf_type =
    MUSTACHE_TYPE(struct leaf, leaf_fields);

static const struct mustache_field tree_fields[] = {
	MUSTACHE_PLAIN(struct tree, a),
	MUSTACHE_PARTIAL_NAME(struct tree, p, names),
	MUSTACHE_PLAIN(struct tree, n),
	MUSTACHE_PLAIN(struct tree, b),
	MUSTACHE_STRUCT(struct tree, o, &leaf_type),
	MUSTACHE_ITEMS(struct tree, l, &leaf_type),
	MUSTACHE_ITEMS(struct tree, v, &value_type),
	MUSTACHE_PLAIN(struct tree, x),
};
static const struct mustache_type tree_type =
    MUSTACHE_TYPE(struct tree, tree_fields);

static const struct leaf leaves[] = {
	{ .a = TEXT_INIT("1\n<"), .p = TEXT_INIT("p") },
	{ .a = TEXT_INIT(""), .p = TEXT_INIT("q") },
};

static const struct mustache_value values[] = {
	{ .kind = MUSTACHE_NUMBER, .as.number = 1 },
	{ .kind = MUSTACHE_LIST, .type = &leaf_type, .as.list = { leaves, 2 } },
	{ .kind = MUSTACHE_OBJECT,
	    .type = &leaf_type,
	    .as.object = &leaves[0] },
};

static const struct tree tree = {
	.a = TEXT_INIT("a&b"),
	.p = TEXT_INIT("p"),
	.n = -1,
	.b = true,
	.o = { .a = TEXT_INIT("o"), .p = TEXT_INIT("q") },
	.l = { leaves, 2 },
	.v = { values, 3 },
	.x = { .kind = MUSTACHE_LIST,
	    .type = &value_type,
	    .as.list = { values, 3 } },
};

static struct text
render(struct arena *arena, const struct mustache_set *set)
{
	struct mustache_context context = { &tree_type, &tree };
	struct buffer out = buffer_in(arena, 64);

	mustache_render(
	    set, mustache_find(set, TEXT("page")), &context, 1, &out);
	return buffer_text(&out);
}

/*
 * A template may include itself, and is then rendered up to a bound; including
 * itself twice would take too long. So the partials name one other at most, and
 * that outside sections.
 */
static bool
is_tame(struct text source, struct text below)
{
	size_t others = 0, sections = 0;

	for (size_t i = 0; i < below.size; i++) {
		others += below.data[i] == '<' || below.data[i] == '>';
		sections += below.data[i] == '#';
	}
	return memmem(source.data, source.size, "page", 4) == NULL &&
	    (others == 0 || (others == 1 && sections == 0));
}

static void
check(struct arena *arena, struct mustache_set *set)
{
	const struct mustache_type *type = &tree_type;
	const struct mustache_template *page = mustache_find(set, TEXT("page"));
	struct mustache_error error;
	struct text before;

	if (page == NULL)
		return;
	before = render(arena, set);
	if (mustache_check(set, page, &type, 1, &error))
		must(text_equal(render(arena, set), before));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct text template_names[] = { TEXT_INIT("page"),
		TEXT_INIT("p"), TEXT_INIT("q") };
	static struct arena arena;
	struct mustache_set *set;
	struct text rest = fuzz_text(data, size), source = { NULL, 0 };
	struct mustache_error error;

	text_cut(&rest, '\0', &source);
	if (!is_tame(source, rest))
		return 0;
	rest = fuzz_text(data, size);
	set = mustache_set_new(&arena);
	for (size_t i = 0; i < 3 && text_cut(&rest, '\0', &source); i++)
		if (!mustache_add(set, template_names[i], source, &error))
			must(error.line > 0 && error.column > 0);
	check(&arena, set);
	arena_reset(&arena);
	return 0;
}
