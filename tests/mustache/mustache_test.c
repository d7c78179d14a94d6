#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "mustache/mustache.h"

/* A page about a garden: what the templates of these tests are shown with. */
struct plant {
	struct text name, kind;
	int64_t height;
	bool rare;
	struct mustache_list colours;
};

struct owner {
	struct text name;
	uint64_t id;
};

struct garden {
	struct text title;
	struct owner owner;
	struct mustache_list plants, values;
	struct mustache_value note;
	bool open;
};

static const char *const kinds[] = { "bush", "tree", NULL };
static const char *const wrong_kinds[] = { "bush", "no-such-kind", NULL };

static const struct mustache_field colour_fields[] = {
	{ .name = ".", .kind = MUSTACHE_TEXT },
};
static const struct mustache_type colour_type =
    MUSTACHE_TYPE(struct text, colour_fields);

static const struct mustache_field value_fields[] = {
	{ .name = ".", .kind = MUSTACHE_VALUE },
};
static const struct mustache_type value_type =
    MUSTACHE_TYPE(struct mustache_value, value_fields);

static const struct mustache_field plant_fields[] = {
	MUSTACHE_PLAIN(struct plant, name),
	MUSTACHE_PARTIAL_NAME(struct plant, kind, kinds),
	MUSTACHE_PLAIN(struct plant, height),
	MUSTACHE_PLAIN(struct plant, rare),
	MUSTACHE_ITEMS(struct plant, colours, &colour_type),
};
static const struct mustache_type plant_type =
    MUSTACHE_TYPE(struct plant, plant_fields);

static const struct mustache_field owner_fields[] = {
	MUSTACHE_PLAIN(struct owner, name),
	MUSTACHE_PLAIN(struct owner, id),
};
static const struct mustache_type owner_type =
    MUSTACHE_TYPE(struct owner, owner_fields);

static const struct mustache_field garden_fields[] = {
	MUSTACHE_PLAIN(struct garden, title),
	MUSTACHE_STRUCT(struct garden, owner, &owner_type),
	MUSTACHE_ITEMS(struct garden, plants, &plant_type),
	MUSTACHE_ITEMS(struct garden, values, &value_type),
	MUSTACHE_PLAIN(struct garden, note),
	MUSTACHE_PLAIN(struct garden, open),
	{ .name = "style",
	    .kind = MUSTACHE_TEXT,
	    .offset = offsetof(struct garden, title),
	    .choices = wrong_kinds },
};
static const struct mustache_type garden_type =
    MUSTACHE_TYPE(struct garden, garden_fields);

static const struct text colours[] = { TEXT_INIT("red"), TEXT_INIT("w&w") };

static const struct plant plants[] = {
	{ .name = TEXT_INIT("rose"),
	    .kind = TEXT_INIT("bush"),
	    .height = -1,
	    .rare = true,
	    .colours = { colours, 2 } },
	{ .name = TEXT_INIT("<oak>"),
	    .kind = TEXT_INIT("tree"),
	    .height = INT64_MIN },
};

static const struct mustache_value values[] = {
	{ .kind = MUSTACHE_NUMBER, .as.number = 1 },
	{ .kind = MUSTACHE_TEXT, .as.text = TEXT_INIT("two") },
};

static const struct garden garden = {
	.title = TEXT_INIT("It's \"mine\""),
	.owner = { .name = TEXT_INIT("Ida"), .id = 7 },
	.plants = { plants, 2 },
	.values = { values, 2 },
	.note = { .kind = MUSTACHE_FLAG, .as.flag = true },
};

struct fixture {
	struct arena arena;
	struct mustache_set *set;
	struct mustache_error error;
};

static int
set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	if (fixture == NULL)
		return -1;
	fixture->set = mustache_set_new(&fixture->arena);
	*state = fixture;
	return 0;
}

static int
tear_down(void **state)
{
	struct fixture *fixture = *state;

	arena_free(&fixture->arena);
	free(fixture);
	return 0;
}

static void
add(struct fixture *fixture, const char *name, const char *source)
{
	if (!mustache_add(
		fixture->set, text_of(name), text_of(source), &fixture->error))
		fail_msg("%s:%d:%d: %s", name, fixture->error.line,
		    fixture->error.column, fixture->error.message);
}

static bool
check(
    struct fixture *fixture, const char *name, const struct mustache_type *type)
{
	return mustache_check(fixture->set,
	    mustache_find(fixture->set, text_of(name)), &type, 1,
	    &fixture->error);
}

static void
assert_renders_with(struct fixture *fixture, const char *name,
    const struct mustache_context *contexts, size_t count, const char *expected)
{
	struct buffer out = buffer_in(&fixture->arena, 16);

	mustache_render(fixture->set,
	    mustache_find(fixture->set, text_of(name)), contexts, count, &out);
	assert_string_equal(
	    text_string(&fixture->arena, buffer_text(&out)), expected);
}

static void
assert_renders(struct fixture *fixture, const char *name, const char *expected)
{
	struct mustache_context context = { &garden_type, &garden };

	assert_renders_with(fixture, name, &context, 1, expected);
}

static void
assert_check_passes(struct fixture *fixture, const char *name)
{
	if (!check(fixture, name, &garden_type))
		fail_msg("%.*s:%d:%d: %s", TEXT_ARGS(fixture->error.template),
		    fixture->error.line, fixture->error.column,
		    fixture->error.message);
}

/* The same before the check, which resolves names, and after it. */
static void
assert_page(struct fixture *fixture, const char *source, const char *expected)
{
	add(fixture, "page", source);
	assert_renders(fixture, "page", expected);
	assert_check_passes(fixture, "page");
	assert_renders(fixture, "page", expected);
}

static void
assert_error(const struct fixture *fixture, const char *template, int line,
    int column, const char *message)
{
	assert_string_equal(fixture->error.message, message);
	assert_true(text_equal(fixture->error.template, text_of(template)));
	assert_int_equal(fixture->error.line, line);
	assert_int_equal(fixture->error.column, column);
}

static void
test_values_of_a_struct(void **state)
{
	assert_page(*state,
	    "{{title}} by {{owner.name}} ({{owner.id}}), {{open}}, {{note}}",
	    "It&#39;s &quot;mine&quot; by Ida (7), false, true");
}

static void
test_lists(void **state)
{
	assert_page(*state,
	    "{{#plants}}\n"
	    "{{name}} {{height}}{{#rare}} rare, {{owner.name}}{{/rare}}\n"
	    "{{#colours}}\n"
	    "- {{.}} {{name}}\n"
	    "{{/colours}}\n"
	    "{{^colours}}\n"
	    "no colours in {{title}}\n"
	    "{{/colours}}\n"
	    "{{/plants}}\n",
	    "rose -1 rare, Ida\n"
	    "- red rose\n"
	    "- w&amp;w rose\n"
	    "&lt;oak&gt; -9223372036854775808\n"
	    "no colours in It&#39;s &quot;mine&quot;\n");
}

static void
test_sections_over_objects_texts_and_values(void **state)
{
	assert_page(*state,
	    "{{#owner}}{{name}} {{title}}{{/owner}}|"
	    "{{#title}}{{.}}{{/title}}|{{^title}}none{{/title}}|"
	    "{{^open}}closed{{/open}}|{{#values}}{{.}},{{/values}}",
	    "Ida It&#39;s &quot;mine&quot;|It&#39;s &quot;mine&quot;||"
	    "closed|1,two,");
}

static void
test_unescaped_values(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, "page", "{{{title}}} {{&title}}");
	assert_renders(fixture, "page", "It's \"mine\" It's \"mine\"");
}

static void
test_what_leads_nowhere_is_nothing(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, "page",
	    "{{nil}}{{owner}}{{plants}}{{title.x}}{{owner.x.y}}{{>nil}}"
	    "{{<nil}}{{/nil}}{{>*nil}}{{>*open}}{{#nil}}x{{/nil}}"
	    "{{#title.x}}x{{/title.x}}.");
	assert_renders(fixture, "page", ".");
	assert_renders_with(fixture, "page", NULL, 0, ".");
	add(fixture, "dot", "[{{.}}]");
	assert_renders_with(fixture, "dot", NULL, 0, "[]");
}

static void
test_several_contexts(void **state)
{
	struct fixture *fixture = *state;
	const struct mustache_type *types[] = { &garden_type, &plant_type };
	struct mustache_context contexts[] = {
		{ &garden_type, &garden },
		{ &plant_type, &plants[0] },
	};

	add(fixture, "page", "{{name}} {{owner.name}} {{title}}");
	assert_true(mustache_check(fixture->set,
	    mustache_find(fixture->set, TEXT("page")), types, 2,
	    &fixture->error));
	assert_renders_with(
	    fixture, "page", contexts, 2, "rose Ida It&#39;s &quot;mine&quot;");
}

static void
test_too_many_contexts(void **state)
{
	struct fixture *fixture = *state;
	const struct mustache_type *types[MUSTACHE_CONTEXTS + 1];
	struct mustache_context contexts[MUSTACHE_CONTEXTS + 1];

	for (size_t i = 0; i <= MUSTACHE_CONTEXTS; i++) {
		types[i] = &owner_type;
		contexts[i] =
		    (struct mustache_context){ &owner_type, &garden.owner };
	}
	contexts[0] = (struct mustache_context){ &garden_type, &garden };
	add(fixture, "page", "{{name}}{{title}}");
	assert_renders_with(
	    fixture, "page", contexts, MUSTACHE_CONTEXTS + 1, "Ida");
	assert_false(mustache_check(fixture->set,
	    mustache_find(fixture->set, TEXT("page")), types,
	    MUSTACHE_CONTEXTS + 1, &fixture->error));
	assert_error(fixture, "page", 1, 1, "9 contexts are too many");
}

static void
test_partials_that_the_data_names(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, "bush", "a bush: {{name}}\n{{height}}\n");
	add(fixture, "tree", "{{$what}}a tree{{/what}}: {{name}}\n");
	assert_page(fixture,
	    "{{#plants}}\n  {{>*kind}}\n{{/plants}}\n"
	    "{{#plants}}{{#kind}}{{<*.}}{{$what}}mine{{/what}}{{/.}}"
	    "{{/kind}}{{/plants}}",
	    "  a bush: rose\n  -1\n  a tree: &lt;oak&gt;\n"
	    "a bush: rose\n-1\nmine: &lt;oak&gt;\n");
}

/* A partial reached at several depths, and by pages of different types. */
static void
test_names_that_mean_different_things(void **state)
{
	struct fixture *fixture = *state;
	struct mustache_context context = { &plant_type, &plants[0] };

	add(fixture, "name", "{{name}};");
	add(fixture, "plant", "{{>name}}{{#rare}}{{>name}}{{/rare}}");
	assert_page(fixture,
	    "{{#owner}}{{>name}}{{/owner}}"
	    "{{#plants}}{{>name}}{{#colours}}{{>name}}{{/colours}}{{/plants}}",
	    "Ida;rose;rose;rose;&lt;oak&gt;;");
	assert_true(check(fixture, "plant", &plant_type));
	assert_renders_with(fixture, "plant", &context, 1, "rose;rose;");
	assert_renders(fixture, "page", "Ida;rose;rose;rose;&lt;oak&gt;;");
}

/* What a check has noted is not believed of data of another type. */
static void
test_data_of_a_type_that_was_not_checked(void **state)
{
	struct fixture *fixture = *state;
	struct mustache_context context = { &plant_type, &plants[0] };

	assert_page(fixture, "{{title}}{{#plants}}.{{/plants}}",
	    "It&#39;s &quot;mine&quot;..");
	assert_renders_with(fixture, "page", &context, 1, "");
}

static void
test_blocks(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, "layout",
	    "<title>{{$title}}{{title}}{{/title}}</title>\n"
	    "<main>\n"
	    "  {{$main}}\n"
	    "  nothing\n"
	    "  {{/main}}\n"
	    "</main>\n");
	add(fixture, "bush", "[{{name}}]\n");
	assert_page(fixture,
	    "{{<layout}}\n"
	    "{{$main}}\n"
	    "<ul>\n"
	    "{{#plants}}\n"
	    "\t<li>{{name}}\n"
	    "\t{{>bush}}\n"
	    "{{/plants}}\n"
	    "</ul>\n"
	    "{{/main}}\n"
	    "{{/layout}}\n",
	    "<title>It&#39;s &quot;mine&quot;</title>\n"
	    "<main>\n"
	    "  <ul>\n"
	    "  \t<li>rose\n"
	    "  \t[rose]\n"
	    "  \t<li>&lt;oak&gt;\n"
	    "  \t[&lt;oak&gt;]\n"
	    "  </ul>\n"
	    "</main>\n");
	assert_check_passes(fixture, "layout");
}

static void
test_a_parent_in_a_block_of_the_same_parent(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, "box", "<div>{{$in}}{{/in}}</div>");
	assert_page(fixture,
	    "{{<box}}{{$in}}{{<box}}{{$in}}{{title}}{{/in}}{{/box}}{{/in}}"
	    "{{/box}}",
	    "<div><div>It&#39;s &quot;mine&quot;</div></div>");
}

static void
test_escaping_every_byte(void **state)
{
	struct fixture *fixture = *state;
	char all[255], *expected;
	struct owner owner = { .name = { all, sizeof(all) } };
	struct mustache_context context = { &owner_type, &owner };
	struct buffer out = buffer_in(&fixture->arena, 1);
	size_t size = 0;

	for (size_t i = 0; i < sizeof(all); i++)
		all[i] = (char)(i + 1);
	expected = arena_bytes(&fixture->arena, 1024);
	for (size_t i = 0; i < sizeof(all); i++) {
		const char *as = all[i] == '&' ? "&amp;"
		    : all[i] == '<'	       ? "&lt;"
		    : all[i] == '>'	       ? "&gt;"
		    : all[i] == '"'	       ? "&quot;"
		    : all[i] == '\''	       ? "&#39;"
					       : NULL;

		if (as == NULL)
			expected[size++] = all[i];
		else
			size += (size_t)sprintf(expected + size, "%s", as);
	}
	add(fixture, "page", "{{name}}");
	mustache_render(fixture->set, mustache_find(fixture->set, TEXT("page")),
	    &context, 1, &out);
	assert_true(
	    text_equal(buffer_text(&out), (struct text){ expected, size }));
}

static void
test_errors_of_syntax(void **state)
{
	static const struct {
		const char *source;
		int line, column;
		const char *message;
	} cases[] = {
		{ "a\nb {{x", 2, 3, "a tag that is not closed" },
		{ "{{{x}}", 1, 1, "a tag that is not closed" },
		{ "{{! x }", 1, 1, "a tag that is not closed" },
		{ "{{=[ ]}}", 1, 1, "a tag that is not closed" },
		{ "\xc3\xa9\xe2\x82\xac{{}}", 1, 3, "a tag without a name" },
		{ "{{# }}", 1, 1, "a tag without a name" },
		{ "{{>*}}", 1, 1, "a tag without a name" },
		{ "\n\n {{a b}}", 3, 2, "a name with a space in it" },
		{ "{{a..b}}", 1, 1, "'a..b' has an empty part" },
		{ "{{#.a}}{{/.a}}", 1, 1, "'.a' has an empty part" },
		{ "{{>*a.}}", 1, 1, "'a.' has an empty part" },
		{ "{{=[=]=}}", 1, 1,
		    "new delimiters must be two words without '='" },
		{ "{{=[ ] |=}}", 1, 1,
		    "new delimiters must be two words without '='" },
		{ "{{= =}}", 1, 1,
		    "new delimiters must be two words without '='" },
		{ "x{{/a}}", 1, 2, "'a' is closed but not open" },
		{ "{{#a}}\n{{#b}}\n{{/a}}", 3, 1, "'a' is closed inside 'b'" },
		{ "{{^a}}{{/a}}\n {{$b}}", 2, 2, "'b' is not closed" },
		{ "{{<a}}", 1, 1, "'a' is not closed" },
	};
	struct fixture *fixture = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_false(mustache_add(fixture->set, TEXT("page"),
		    text_of(cases[i].source), &fixture->error));
		assert_error(fixture, "page", cases[i].line, cases[i].column,
		    cases[i].message);
		assert_null(mustache_find(fixture->set, TEXT("page")));
	}
}

struct made {
	struct mustache_html html;
};

static const struct mustache_field made_fields[] = {
	MUSTACHE_PLAIN(struct made, html),
};
static const struct mustache_type made_type =
    MUSTACHE_TYPE(struct made, made_fields);

/* What a template made goes in as it is, and in no other way. */
static void
test_html_is_written_as_it_is(void **state)
{
	struct fixture *fixture = *state;
	const struct made made = { { TEXT_INIT("<b>&amp;</b>") } };
	const struct mustache_type *const types[] = { &made_type };
	const struct mustache_context context = { &made_type, &made };
	struct buffer out = buffer_in(&fixture->arena, 64);

	add(fixture, "made", "[{{{html}}}]");
	add(fixture, "twice", "{{html}}");
	assert_true(mustache_check(fixture->set,
	    mustache_find(fixture->set, TEXT("made")), types, 1,
	    &fixture->error));
	mustache_render(fixture->set, mustache_find(fixture->set, TEXT("made")),
	    &context, 1, &out);
	assert_true(text_equal(buffer_text(&out), TEXT("[<b>&amp;</b>]")));
	assert_false(mustache_check(fixture->set,
	    mustache_find(fixture->set, TEXT("twice")), types, 1,
	    &fixture->error));
	assert_error(fixture, "twice", 1, 1,
	    "'html' is HTML and would be escaped twice");
}

static void
test_a_name_is_given_once(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, "page", "first");
	assert_false(mustache_add(
	    fixture->set, TEXT("page"), TEXT("second"), &fixture->error));
	assert_error(
	    fixture, "page", 1, 1, "there is already a template of this name");
	assert_renders(fixture, "page", "first");
}

static void
test_errors_of_check(void **state)
{
	static const struct {
		const char *source;
		const char *template;
		int line, column;
		const char *message;
	} cases[] = {
		{ "a\n  {{titel}}", NULL, 2, 3,
		    "'titel' is not in struct garden" },
		{ "{{#plants}}{{#titel}}{{/titel}}{{/plants}}", NULL, 1, 12,
		    "'titel' is not in struct plant, struct garden" },
		{ "{{#plants}}{{height}}{{/plants}}{{height}}", NULL, 1, 33,
		    "'height' is not in struct garden" },
		{ "{{owner.nme}}", NULL, 1, 1,
		    "'owner.nme': 'nme' is not in struct owner" },
		{ "{{title.x}}", NULL, 1, 1,
		    "'title.x': 'title' has no parts" },
		{ "{{{title}}}", NULL, 1, 1,
		    "'title' would be written unescaped" },
		{ "\n{{&title}}", NULL, 2, 1,
		    "'title' would be written unescaped" },
		{ "{{$b}}{{^open}}{{&title}}{{/open}}{{/b}}", NULL, 1, 16,
		    "'title' would be written unescaped" },
		{ "{{owner}}", NULL, 1, 1,
		    "'owner' is an object and cannot be written" },
		{ "{{plants}}", NULL, 1, 1,
		    "'plants' is a list and cannot be written" },
		{ "{{.}}", NULL, 1, 1,
		    "'.' is an object and cannot be written" },
		{ "{{#owner.id}}{{/owner.id}}", NULL, 1, 1,
		    "a section over 'owner.id', a number, which is always "
		    "true" },
		{ "{{^owner}}{{/owner}}", NULL, 1, 1,
		    "a section over 'owner', an object, which is always "
		    "true" },
		{ "{{#note}}{{/note}}", NULL, 1, 1,
		    "a section over 'note', whose type is not known" },
		{ "{{#values}}{{title}}{{/values}}", NULL, 1, 12,
		    "'title' may be in a value that is known only when "
		    "rendering" },
		{ "{{>nil}}", NULL, 1, 1, "there is no template 'nil'" },
		{ "{{<nil}}{{/nil}}", NULL, 1, 1,
		    "there is no template 'nil'" },
		{ "{{>bad}}", "bad", 2, 2, "'nme' is not in struct garden" },
		{ "{{>loop}}", "pool", 1, 2, "'loop' includes itself" },
		{ "{{<bush}}{{$b}}\n{{x}}{{/b}}{{/bush}}", NULL, 2, 1,
		    "'x' is not in struct garden" },
		{ "{{>*title}}", NULL, 1, 1,
		    "'title' is not a text with a list of choices" },
		{ "{{>*.}}", NULL, 1, 1,
		    "'.' is not a text with a list of choices" },
		{ "{{>*open}}", NULL, 1, 1,
		    "'open' is not a text with a list of choices" },
		{ "{{>*nil}}", NULL, 1, 1, "'nil' is not in struct garden" },
		{ "{{>*style}}", NULL, 1, 1,
		    "there is no template 'no-such-kind'" },
	};
	struct fixture *fixture = *state;
	char name[16];

	add(fixture, "bush", "{{$b}}{{/b}}");
	add(fixture, "bad", "{{title}}\n {{nme}}");
	add(fixture, "loop", "{{>pool}}");
	add(fixture, "pool", "-{{>loop}}");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *template = cases[i].template;

		snprintf(name, sizeof(name), "page%zu", i);
		add(fixture, name, cases[i].source);
		assert_false(check(fixture, name, &garden_type));
		assert_error(fixture, template == NULL ? name : template,
		    cases[i].line, cases[i].column, cases[i].message);
	}
	add(fixture, "itself", "{{>itself}}");
	assert_false(check(fixture, "itself", &garden_type));
	assert_error(fixture, "itself", 1, 1, "'itself' includes itself");
	assert_false(mustache_check(fixture->set,
	    mustache_find(fixture->set, TEXT("page0")), NULL, 0,
	    &fixture->error));
	assert_error(fixture, "page0", 2, 3, "'titel' is not in any context");
}

/* The name of a partial may be all that a struct is. */
static void
test_a_struct_that_names_a_partial(void **state)
{
	static const struct mustache_field fields[] = {
		{ .name = ".", .kind = MUSTACHE_TEXT, .choices = kinds },
	};
	static const struct mustache_type type =
	    MUSTACHE_TYPE(struct text, fields);
	struct fixture *fixture = *state;
	const struct mustache_context context = { &type, &plants[1].kind };

	add(fixture, "bush", "a bush");
	add(fixture, "tree", "a tree");
	add(fixture, "page", "{{>*.}}");
	assert_true(check(fixture, "page", &type));
	assert_renders_with(fixture, "page", &context, 1, "a tree");
	assert_true(mustache_all_named(fixture->set, &type, &fixture->error));
}

static void
assert_not_named(struct fixture *fixture, const struct mustache_type *type,
    const char *of, const char *field)
{
	char message[80];

	snprintf(message, sizeof(message), "'%s' is not named in any template",
	    field);
	assert_false(mustache_all_named(fixture->set, type, &fixture->error));
	assert_error(fixture, of, 0, 0, message);
}

/* A page that names all there is in a garden, and less by one part each. */
static void
test_every_field_is_named(void **state)
{
	static const struct {
		const char *with, *without, *type, *field;
	} parts[] = {
		{ "{{title}}", "", "struct garden", "title" },
		{ "{{style}}", "", "struct garden", "style" },
		{ "{{note}}", "", "struct garden", "note" },
		{ "{{#open}}{{/open}}", "", "struct garden", "open" },
		{ "{{owner.name}}", "", "struct owner", "name" },
		{ "{{#owner}}{{id}}{{/owner}}", "", "struct owner", "id" },
		{ "{{#values}}{{.}}{{/values}}", "", "struct garden",
		    "values" },
		{ "{{#values}}{{.}}{{/values}}", "{{#values}}x{{/values}}",
		    "struct mustache_value", "." },
		{ "{{#plants}}{{name}}{{/plants}}", "", "struct plant",
		    "name" },
		{ "{{#plants}}{{height}}{{/plants}}", "", "struct plant",
		    "height" },
		{ "{{#plants}}{{^rare}}{{/rare}}{{/plants}}", "",
		    "struct plant", "rare" },
		{ "{{#plants}}{{>*kind}}{{/plants}}", "", "struct plant",
		    "kind" },
		{ "{{#plants}}{{#colours}}{{.}}{{/colours}}{{/plants}}", "",
		    "struct plant", "colours" },
		{ "{{#plants}}{{#colours}}{{.}}{{/colours}}{{/plants}}",
		    "{{#plants}}{{#colours}}x{{/colours}}{{/plants}}",
		    "struct text", "." },
	};
	enum { PARTS = sizeof(parts) / sizeof(parts[0]) };
	struct fixture *fixture = *state;

	for (size_t less = 0; less <= PARTS; less++) {
		struct buffer page = buffer_in(&fixture->arena, 1024);

		for (size_t i = 0; i < PARTS; i++)
			buffer_add(&page,
			    text_of(less < PARTS &&
					strcmp(parts[i].with,
					    parts[less].with) == 0
				    ? parts[less].without
				    : parts[i].with));
		fixture->set = mustache_set_new(&fixture->arena);
		add(fixture, "bush", "");
		add(fixture, "tree", "");
		add(fixture, "page",
		    text_string(&fixture->arena, buffer_text(&page)));
		assert_check_passes(fixture, "page");
		if (less < PARTS)
			assert_not_named(fixture, &garden_type,
			    parts[less].type, parts[less].field);
		else
			assert_true(mustache_all_named(
			    fixture->set, &garden_type, &fixture->error));
	}
}

static void
test_a_type_that_templates_share(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, "name", "{{name}}");
	add(fixture, "page", "{{owner.id}}");
	assert_not_named(fixture, &owner_type, "struct owner", "name");
	assert_true(check(fixture, "name", &owner_type));
	assert_not_named(fixture, &owner_type, "struct owner", "id");
	assert_check_passes(fixture, "page");
	assert_true(
	    mustache_all_named(fixture->set, &owner_type, &fixture->error));
}

/* What is named is what the name leads to, and in a block what fills it. */
static void
test_a_name_that_leads_elsewhere(void **state)
{
	struct fixture *fixture = *state;
	const struct mustache_type *types[] = { &plant_type, &owner_type };

	add(fixture, "layout", "{{$a}}{{id}}{{/a}}");
	add(fixture, "page", "{{<layout}}{{$a}}{{name}}{{/a}}{{/layout}}");
	assert_true(mustache_check(fixture->set,
	    mustache_find(fixture->set, TEXT("page")), types, 2,
	    &fixture->error));
	assert_not_named(fixture, &plant_type, "struct plant", "name");
	assert_not_named(fixture, &owner_type, "struct owner", "id");
}

struct branch {
	struct text label;
	struct mustache_list branches;
};

static const struct mustache_type branch_type;
static const struct mustache_field branch_fields[] = {
	{ .name = "label",
	    .kind = MUSTACHE_OBJECT,
	    .offset = offsetof(struct branch, label),
	    .type = &colour_type },
	MUSTACHE_ITEMS(struct branch, branches, &branch_type),
};
static const struct mustache_type branch_type =
    MUSTACHE_TYPE(struct branch, branch_fields);

static void
test_a_type_in_itself_is_named(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, "label", "{{label}}");
	add(fixture, "page", "{{#branches}}{{/branches}}");
	assert_true(check(fixture, "label", &branch_type));
	assert_not_named(fixture, &branch_type, "struct branch", "branches");
	assert_true(check(fixture, "page", &branch_type));
	assert_true(
	    mustache_all_named(fixture->set, &branch_type, &fixture->error));
}

/* "{{#a}}" and so on, depth times, with their ends. */
static char *
nested(struct arena *arena, size_t depth, const char *open, const char *inside,
    const char *close)
{
	struct buffer out = buffer_in(arena, 1024);

	for (size_t i = 0; i < depth; i++)
		buffer_add(&out, text_of(open));
	buffer_add(&out, text_of(inside));
	for (size_t i = 0; i < depth; i++)
		buffer_add(&out, text_of(close));
	return text_string(arena, buffer_text(&out));
}

static void
test_nesting_is_bounded(void **state)
{
	struct fixture *fixture = *state;
	char *deep = nested(&fixture->arena, 64, "{{^open}}", "x", "{{/open}}");
	char *deeper =
	    nested(&fixture->arena, 65, "{{^open}}", "x", "{{/open}}");

	assert_page(fixture, deep, "x");
	assert_false(mustache_add(
	    fixture->set, TEXT("deeper"), text_of(deeper), &fixture->error));
	assert_error(fixture, "deeper", 1, 64 * 9 + 1,
	    "tags are nested more than 64 deep");
}

static void
test_templates_are_nested_to_a_bound(void **state)
{
	struct fixture *fixture = *state;
	char *deep =
	    nested(&fixture->arena, 63, "{{^open}}", "x{{>two}}", "{{/open}}");
	char *two = nested(
	    &fixture->arena, 63, "{{^open}}", "y{{>three}}", "{{/open}}");

	add(fixture, "one", deep);
	add(fixture, "two", two);
	add(fixture, "three", "z");
	assert_renders(fixture, "one", "xy");
	assert_false(check(fixture, "one", &garden_type));
	assert_error(fixture, "three", 1, 1,
	    "nested more than 128 deep, counting templates around it");
}

static void
test_a_template_in_itself_ends(void **state)
{
	struct fixture *fixture = *state;
	struct buffer out = buffer_in(&fixture->arena, 16);
	struct mustache_context context = { &garden_type, &garden };

	add(fixture, "line", "x{{>line}}");
	mustache_render(fixture->set, mustache_find(fixture->set, TEXT("line")),
	    &context, 1, &out);
	assert_int_equal(out.size, 128);
	out.size = 0;
	add(fixture, "twice", "x{{>twice}}{{>twice}}");
	mustache_render(fixture->set,
	    mustache_find(fixture->set, TEXT("twice")), &context, 1, &out);
	assert_int_equal(out.size, 1000000);
	out.size = 0;
	add(fixture, "lists",
	    nested(&fixture->arena, 60, "{{#plants}}", "x", "{{/plants}}"));
	mustache_render(fixture->set,
	    mustache_find(fixture->set, TEXT("lists")), &context, 1, &out);
	assert_in_range(out.size, 1, 1000000);
}

static void
test_a_check_ends(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, "twice", "{{$b}}{{/b}}{{$b}}{{/b}}");
	add(fixture, "page",
	    nested(&fixture->arena, 30, "{{<twice}}{{$b}}", "",
		"{{/b}}{{/twice}}"));
	assert_false(check(fixture, "page", &garden_type));
	assert_string_equal(fixture->error.message, "reached in too many ways");
}

static void
write_file(const char *folder, const char *name, const char *content)
{
	char path[200];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "wb");
	assert_non_null(file);
	fputs(content, file);
	assert_int_equal(fclose(file), 0);
}

static void
remove_file(const char *folder, const char *name)
{
	char path[200];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_int_equal(remove(path), 0);
}

static void
make_folder(const char *folder, const char *name)
{
	char path[200];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

static void
test_a_folder(void **state)
{
	struct fixture *fixture = *state;
	char folder[] = "/tmp/mustache_test.XXXXXX";
	char *large = nested(&fixture->arena, 20000, "x", "{{>bush}}", "");

	assert_non_null(mkdtemp(folder));
	write_file(folder, "page.mustache", large);
	write_file(folder, "bush.mustache", "{{title}}\n");
	write_file(folder, "notes.txt", "{{#");
	write_file(folder, ".mustache", "{{#");
	assert_true(mustache_add_folder(fixture->set, folder, &fixture->error));
	assert_renders(fixture, "bush", "It&#39;s &quot;mine&quot;\n");
	assert_check_passes(fixture, "page");
	assert_null(mustache_find(fixture->set, TEXT("notes")));
	assert_null(mustache_find(fixture->set, TEXT("")));

	/* Once more: the first in order is there already. */
	assert_false(
	    mustache_add_folder(fixture->set, folder, &fixture->error));
	assert_error(
	    fixture, "bush", 1, 1, "there is already a template of this name");
	write_file(folder, "a.mustache", "x\n {{#a}}");
	assert_false(
	    mustache_add_folder(fixture->set, folder, &fixture->error));
	assert_error(fixture, "a", 2, 2, "'a' is not closed");

	remove_file(folder, "a.mustache");
	remove_file(folder, "page.mustache");
	remove_file(folder, "bush.mustache");
	remove_file(folder, "notes.txt");
	remove_file(folder, ".mustache");
	make_folder(folder, "d.mustache");
	assert_false(
	    mustache_add_folder(fixture->set, folder, &fixture->error));
	assert_error(fixture, "d", 0, 0, "cannot be read: Is a directory");
	remove_file(folder, "d.mustache");
	assert_int_equal(rmdir(folder), 0);
	assert_false(
	    mustache_add_folder(fixture->set, folder, &fixture->error));
	assert_error(
	    fixture, folder, 0, 0, "cannot be read: No such file or directory");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_values_of_a_struct),
		TEST(test_lists),
		TEST(test_sections_over_objects_texts_and_values),
		TEST(test_unescaped_values),
		TEST(test_html_is_written_as_it_is),
		TEST(test_what_leads_nowhere_is_nothing),
		TEST(test_several_contexts),
		TEST(test_too_many_contexts),
		TEST(test_partials_that_the_data_names),
		TEST(test_names_that_mean_different_things),
		TEST(test_data_of_a_type_that_was_not_checked),
		TEST(test_blocks),
		TEST(test_a_parent_in_a_block_of_the_same_parent),
		TEST(test_escaping_every_byte),
		TEST(test_errors_of_syntax),
		TEST(test_a_name_is_given_once),
		TEST(test_errors_of_check),
		TEST(test_a_struct_that_names_a_partial),
		TEST(test_every_field_is_named),
		TEST(test_a_type_that_templates_share),
		TEST(test_a_name_that_leads_elsewhere),
		TEST(test_a_type_in_itself_is_named),
		TEST(test_nesting_is_bounded),
		TEST(test_templates_are_nested_to_a_bound),
		TEST(test_a_template_in_itself_ends),
		TEST(test_a_check_ends),
		TEST(test_a_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
