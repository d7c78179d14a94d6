/*
 * Up to three templates, separated by zero bytes, that include each other and
 * are rendered with a struct. What passes the check has to come out the same
 * with the places that the check has noted as by searching for the names.
 */
#include <stdlib.h>

#include "base/arena.h"
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct text template_names[] = { TEXT_INIT("page"),
		TEXT_INIT("p"), TEXT_INIT("q") };
	const struct mustache_type *type = &tree_type;
	struct arena arena = { 0 };
	struct mustache_set *set = mustache_set_new(&arena);
	struct text rest = { (const char *)data, size }, source;
	struct mustache_error error;

	for (size_t i = 0; i < 3 && text_cut(&rest, '\0', &source); i++)
		mustache_add(set, template_names[i], source, &error);
	if (mustache_find(set, TEXT("page")) != NULL) {
		struct text before = render(&arena, set);

		if (mustache_check(set, mustache_find(set, TEXT("page")), &type,
			1, &error) &&
		    !text_equal(render(&arena, set), before))
			abort();
	}
	arena_free(&arena);
	return 0;
}
