/* The template engine: what is rendered, what is refused, and where. */
#include "mustache/mustache.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "../support/fixture.h"
#include "base/buffer.h"

/* What the templates of these tests are rendered with: a page on a garden. */
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

/* The templates of a test, and what was last found wrong with them. */
struct templates {
	char folder[FIXTURE_FOLDER]; /* for the tests of folders */
	struct arena arena;
	struct mustache_set *set;
	struct mustache_error error;
};

static int
set_up(void **state)
{
	static struct templates templates;

	templates.set = mustache_set_new(&templates.arena);
	*state = &templates;
	return 0;
}

static int
tear_down(void **state)
{
	struct templates *templates = *state;

	arena_free(&templates->arena);
	return 0;
}

static int
set_up_folder(void **state)
{
	struct templates *templates;

	set_up(state);
	templates = *state;
	fixture_make_folder(templates->folder);
	return 0;
}

static int
tear_down_folder(void **state)
{
	struct templates *templates = *state;

	fixture_remove_folder(templates->folder);
	return tear_down(state);
}

static void
add(struct templates *templates, const char *name, const char *source)
{
	if (!mustache_add(templates->set, text_of(name), text_of(source),
		&templates->error))
		fail_msg("%s:%d:%d: %s", name, templates->error.line,
		    templates->error.column, templates->error.message);
}

static bool
check(struct templates *templates, const char *name,
    const struct mustache_type *type)
{
	return mustache_check(templates->set,
	    mustache_find(templates->set, text_of(name)), &type, 1,
	    &templates->error);
}

static void
assert_renders_with(struct templates *templates, const char *name,
    const struct mustache_context *contexts, size_t count, const char *expected)
{
	struct buffer out = buffer_in(&templates->arena, 16);

	mustache_render(templates->set,
	    mustache_find(templates->set, text_of(name)), contexts, count,
	    &out);
	assert_text(buffer_text(&out), expected);
}

static void
assert_renders(
    struct templates *templates, const char *name, const char *expected)
{
	struct mustache_context context = { &garden_type, &garden };

	assert_renders_with(templates, name, &context, 1, expected);
}

static void
assert_check_passes(struct templates *templates, const char *name)
{
	if (!check(templates, name, &garden_type))
		fail_msg("%.*s:%d:%d: %s", TEXT_ARGS(templates->error.template),
		    templates->error.line, templates->error.column,
		    templates->error.message);
}

/* A page renders the same before the check, which resolves names, and after. */
static void
assert_page(
    struct templates *templates, const char *source, const char *expected)
{
	add(templates, "page", source);
	assert_renders(templates, "page", expected);
	assert_check_passes(templates, "page");
	assert_renders(templates, "page", expected);
}

static void
assert_error(const struct templates *templates, const char *template, int line,
    int column, const char *message)
{
	assert_string_equal(templates->error.message, message);
	assert_text(templates->error.template, template);
	assert_int_equal(templates->error.line, line);
	assert_int_equal(templates->error.column, column);
}

static void
values_of_a_struct_are_escaped(void **state)
{
	assert_page(*state,
	    "{{title}} by {{owner.name}} ({{owner.id}}), {{open}}, {{note}}",
	    "It&#39;s &quot;mine&quot; by Ida (7), false, true");
}

static void
a_list_repeats_its_section(void **state)
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
sections_take_objects_texts_and_values(void **state)
{
	assert_page(*state,
	    "{{#owner}}{{name}} {{title}}{{/owner}}|"
	    "{{#title}}{{.}}{{/title}}|{{^title}}none{{/title}}|"
	    "{{^open}}closed{{/open}}|{{#values}}{{.}},{{/values}}",
	    "Ida It&#39;s &quot;mine&quot;|It&#39;s &quot;mine&quot;||"
	    "closed|1,two,");
}

static void
unescaped_values_are_written_as_they_are(void **state)
{
	struct templates *templates = *state;

	add(templates, "page", "{{{title}}} {{&title}}");
	assert_renders(templates, "page", "It's \"mine\" It's \"mine\"");
}

static void
a_name_that_is_not_found_writes_nothing(void **state)
{
	struct templates *templates = *state;

	add(templates, "page",
	    "{{nil}}{{owner}}{{plants}}{{title.x}}{{owner.x.y}}{{>nil}}"
	    "{{<nil}}{{/nil}}{{>*nil}}{{>*open}}{{#nil}}x{{/nil}}"
	    "{{#title.x}}x{{/title.x}}.");
	assert_renders(templates, "page", ".");
	assert_renders_with(templates, "page", NULL, 0, ".");
	add(templates, "dot", "[{{.}}]");
	assert_renders_with(templates, "dot", NULL, 0, "[]");
}

static void
a_name_is_looked_up_in_several_contexts(void **state)
{
	struct templates *templates = *state;
	const struct mustache_type *types[] = { &garden_type, &plant_type };
	struct mustache_context contexts[] = {
		{ &garden_type, &garden },
		{ &plant_type, &plants[0] },
	};

	add(templates, "page", "{{name}} {{owner.name}} {{title}}");
	assert_true(mustache_check(templates->set,
	    mustache_find(templates->set, TEXT("page")), types, 2,
	    &templates->error));
	assert_renders_with(templates, "page", contexts, 2,
	    "rose Ida It&#39;s &quot;mine&quot;");
}

static void
too_many_contexts_are_refused(void **state)
{
	struct templates *templates = *state;
	const struct mustache_type *types[MUSTACHE_CONTEXTS + 1];
	struct mustache_context contexts[MUSTACHE_CONTEXTS + 1];

	for (size_t i = 0; i <= MUSTACHE_CONTEXTS; i++) {
		types[i] = &owner_type;
		contexts[i] =
		    (struct mustache_context){ &owner_type, &garden.owner };
	}
	contexts[0] = (struct mustache_context){ &garden_type, &garden };
	add(templates, "page", "{{name}}{{title}}");
	assert_renders_with(
	    templates, "page", contexts, MUSTACHE_CONTEXTS + 1, "Ida");
	assert_false(mustache_check(templates->set,
	    mustache_find(templates->set, TEXT("page")), types,
	    MUSTACHE_CONTEXTS + 1, &templates->error));
	assert_error(templates, "page", 1, 1, "9 contexts are too many");
}

static void
the_data_may_name_a_partial(void **state)
{
	struct templates *templates = *state;

	add(templates, "bush", "a bush: {{name}}\n{{height}}\n");
	add(templates, "tree", "{{$what}}a tree{{/what}}: {{name}}\n");
	assert_page(templates,
	    "{{#plants}}\n  {{>*kind}}\n{{/plants}}\n"
	    "{{#plants}}{{#kind}}{{<*.}}{{$what}}mine{{/what}}{{/.}}"
	    "{{/kind}}{{/plants}}",
	    "  a bush: rose\n  -1\n  a tree: &lt;oak&gt;\n"
	    "a bush: rose\n-1\nmine: &lt;oak&gt;\n");
}

/* A partial reached at several depths, and by pages of different types. */
static void
a_name_may_mean_different_things(void **state)
{
	struct templates *templates = *state;
	struct mustache_context context = { &plant_type, &plants[0] };

	add(templates, "name", "{{name}};");
	add(templates, "plant", "{{>name}}{{#rare}}{{>name}}{{/rare}}");
	assert_page(templates,
	    "{{#owner}}{{>name}}{{/owner}}"
	    "{{#plants}}{{>name}}{{#colours}}{{>name}}{{/colours}}{{/plants}}",
	    "Ida;rose;rose;rose;&lt;oak&gt;;");
	assert_true(check(templates, "plant", &plant_type));
	assert_renders_with(templates, "plant", &context, 1, "rose;rose;");
	assert_renders(templates, "page", "Ida;rose;rose;rose;&lt;oak&gt;;");
}

static void
a_check_is_not_relied_on_for_another_type(void **state)
{
	struct templates *templates = *state;
	struct mustache_context context = { &plant_type, &plants[0] };

	assert_page(templates, "{{title}}{{#plants}}.{{/plants}}",
	    "It&#39;s &quot;mine&quot;..");
	assert_renders_with(templates, "page", &context, 1, "");
}

static void
a_block_fills_a_place_of_its_parent(void **state)
{
	struct templates *templates = *state;

	add(templates, "layout",
	    "<title>{{$title}}{{title}}{{/title}}</title>\n"
	    "<main>\n"
	    "  {{$main}}\n"
	    "  nothing\n"
	    "  {{/main}}\n"
	    "</main>\n");
	add(templates, "bush", "[{{name}}]\n");
	assert_page(templates,
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
	assert_check_passes(templates, "layout");
}

static void
a_parent_may_stand_in_a_block_of_itself(void **state)
{
	struct templates *templates = *state;

	add(templates, "box", "<div>{{$in}}{{/in}}</div>");
	assert_page(templates,
	    "{{<box}}{{$in}}{{<box}}{{$in}}{{title}}{{/in}}{{/box}}{{/in}}"
	    "{{/box}}",
	    "<div><div>It&#39;s &quot;mine&quot;</div></div>");
}

static void
every_byte_is_escaped_or_written_as_it_is(void **state)
{
	struct templates *templates = *state;
	char all[255], *expected;
	struct owner owner = { .name = { all, sizeof(all) } };
	struct mustache_context context = { &owner_type, &owner };
	struct buffer out = buffer_in(&templates->arena, 1);
	size_t size = 0;

	for (size_t i = 0; i < sizeof(all); i++)
		all[i] = (char)(i + 1);
	expected = arena_bytes(&templates->arena, 1024);
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
	add(templates, "page", "{{name}}");
	mustache_render(templates->set,
	    mustache_find(templates->set, TEXT("page")), &context, 1, &out);
	assert_same(buffer_text(&out), ((struct text){ expected, size }));
}

static void
errors_of_syntax_are_placed(void **state)
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
	struct templates *templates = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_false(mustache_add(templates->set, TEXT("page"),
		    text_of(cases[i].source), &templates->error));
		assert_error(templates, "page", cases[i].line, cases[i].column,
		    cases[i].message);
		assert_null(mustache_find(templates->set, TEXT("page")));
	}
}

/* HTML that another template made. */
struct made {
	struct mustache_html html;
};

static const struct mustache_field made_fields[] = {
	MUSTACHE_PLAIN(struct made, html),
};
static const struct mustache_type made_type =
    MUSTACHE_TYPE(struct made, made_fields);

/* A template that is included in different contexts: each name leads where it would
 * lead there, whichever of them was looked at first. */
static void
names_of_a_partial_mean_what_they_mean_there(void **state)
{
	struct templates *templates = *state;
	const struct mustache_type *const types[] = { &garden_type };
	const struct mustache_context context = { &garden_type, &garden };
	struct buffer out = buffer_in(&templates->arena, 64);
	const struct mustache_template *template;

	add(templates, "label", "{{name}} of {{title}};");
	add(templates, "title", "{{title}}");
	add(templates, "garden",
	    "{{#plants}}{{>label}}{{#colours}}{{>label}}{{/colours}}{{/plants}}"
	    "{{#owner}}{{>label}}{{>title}}{{/owner}}|{{>title}}");
	template = mustache_find(templates->set, TEXT("garden"));
	assert_true(mustache_check(
	    templates->set, template, types, 1, &templates->error));
	mustache_render(templates->set, template, &context, 1, &out);
	assert_text(buffer_text(&out),
	    "rose of It&#39;s &quot;mine&quot;;"
	    "rose of It&#39;s &quot;mine&quot;;"
	    "rose of It&#39;s &quot;mine&quot;;"
	    "&lt;oak&gt; of It&#39;s &quot;mine&quot;;"
	    "Ida of It&#39;s &quot;mine&quot;;"
	    "It&#39;s &quot;mine&quot;|It&#39;s &quot;mine&quot;");
}

static void
html_is_written_as_it_is_and_in_no_other_way(void **state)
{
	struct templates *templates = *state;
	struct made made = { .html.text = TEXT("<b>&amp;</b>") };
	const struct mustache_type *const types[] = { &made_type };
	const struct mustache_context context = { &made_type, &made };
	struct buffer out = buffer_in(&templates->arena, 64);
	size_t place;

	add(templates, "made", "[{{{html}}}]");
	add(templates, "twice", "{{html}}");
	assert_true(mustache_check(templates->set,
	    mustache_find(templates->set, TEXT("made")), types, 1,
	    &templates->error));
	mustache_render(templates->set,
	    mustache_find(templates->set, TEXT("made")), &context, 1, &out);
	assert_text(buffer_text(&out), "[<b>&amp;</b>]");
	/* Or it is put in later. */
	made.html.place = &place;
	mustache_render(templates->set,
	    mustache_find(templates->set, TEXT("made")), &context, 1, &out);
	assert_text(buffer_text(&out), "[<b>&amp;</b>][]");
	assert_int_equal(place, strlen("[<b>&amp;</b>]["));
	assert_false(mustache_check(templates->set,
	    mustache_find(templates->set, TEXT("twice")), types, 1,
	    &templates->error));
	assert_error(templates, "twice", 1, 1,
	    "'html' is HTML and would be escaped twice");
}

static void
a_name_is_given_once(void **state)
{
	struct templates *templates = *state;

	add(templates, "page", "first");
	assert_false(mustache_add(
	    templates->set, TEXT("page"), TEXT("second"), &templates->error));
	assert_error(templates, "page", 1, 1,
	    "there is already a template of this name");
	assert_renders(templates, "page", "first");
}

static void
errors_of_a_check_are_placed(void **state)
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
	struct templates *templates = *state;
	char name[16];

	add(templates, "bush", "{{$b}}{{/b}}");
	add(templates, "bad", "{{title}}\n {{nme}}");
	add(templates, "loop", "{{>pool}}");
	add(templates, "pool", "-{{>loop}}");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *template = cases[i].template;

		snprintf(name, sizeof(name), "page%zu", i);
		add(templates, name, cases[i].source);
		assert_false(check(templates, name, &garden_type));
		assert_error(templates, template == NULL ? name : template,
		    cases[i].line, cases[i].column, cases[i].message);
	}
	add(templates, "itself", "{{>itself}}");
	assert_false(check(templates, "itself", &garden_type));
	assert_error(templates, "itself", 1, 1, "'itself' includes itself");
	assert_false(mustache_check(templates->set,
	    mustache_find(templates->set, TEXT("page0")), NULL, 0,
	    &templates->error));
	assert_error(templates, "page0", 2, 3, "'titel' is not in any context");
}

static void
a_struct_may_name_a_partial(void **state)
{
	static const struct mustache_field fields[] = {
		{ .name = ".", .kind = MUSTACHE_TEXT, .choices = kinds },
	};
	static const struct mustache_type type =
	    MUSTACHE_TYPE(struct text, fields);
	struct templates *templates = *state;
	const struct mustache_context context = { &type, &plants[1].kind };

	add(templates, "bush", "a bush");
	add(templates, "tree", "a tree");
	add(templates, "page", "{{>*.}}");
	assert_true(check(templates, "page", &type));
	assert_renders_with(templates, "page", &context, 1, "a tree");
	assert_true(
	    mustache_all_used(templates->set, &type, &templates->error));
}

static void
assert_not_named(struct templates *templates, const struct mustache_type *type,
    const char *of, const char *field)
{
	char message[80];

	snprintf(message, sizeof(message), "'%s' is not named in any template",
	    field);
	assert_false(
	    mustache_all_used(templates->set, type, &templates->error));
	assert_error(templates, of, 0, 0, message);
}

/* A page that names every field of a garden, and the same less one part. */
static void
a_field_that_no_template_names_is_found(void **state)
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
	struct templates *templates = *state;

	for (size_t less = 0; less <= PARTS; less++) {
		struct buffer page = buffer_in(&templates->arena, 1024);

		for (size_t i = 0; i < PARTS; i++)
			buffer_add(&page,
			    text_of(less < PARTS &&
					strcmp(parts[i].with,
					    parts[less].with) == 0
				    ? parts[less].without
				    : parts[i].with));
		templates->set = mustache_set_new(&templates->arena);
		add(templates, "bush", "");
		add(templates, "tree", "");
		add(templates, "page",
		    text_string(&templates->arena, buffer_text(&page)));
		assert_check_passes(templates, "page");
		if (less < PARTS)
			assert_not_named(templates, &garden_type,
			    parts[less].type, parts[less].field);
		else
			assert_true(mustache_all_used(
			    templates->set, &garden_type, &templates->error));
	}
}

static void
templates_share_the_naming_of_a_type(void **state)
{
	struct templates *templates = *state;

	add(templates, "name", "{{name}}");
	add(templates, "page", "{{owner.id}}");
	assert_not_named(templates, &owner_type, "struct owner", "name");
	assert_true(check(templates, "name", &owner_type));
	assert_not_named(templates, &owner_type, "struct owner", "id");
	assert_check_passes(templates, "page");
	assert_true(
	    mustache_all_used(templates->set, &owner_type, &templates->error));
}

/* And what a block is filled with counts in place of its default. */
static void
a_name_counts_for_the_field_it_leads_to(void **state)
{
	struct templates *templates = *state;
	const struct mustache_type *types[] = { &plant_type, &owner_type };

	add(templates, "layout", "{{$a}}{{id}}{{/a}}");
	add(templates, "page", "{{<layout}}{{$a}}{{name}}{{/a}}{{/layout}}");
	assert_true(mustache_check(templates->set,
	    mustache_find(templates->set, TEXT("page")), types, 2,
	    &templates->error));
	assert_not_named(templates, &plant_type, "struct plant", "name");
	assert_not_named(templates, &owner_type, "struct owner", "id");
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
a_type_may_contain_itself(void **state)
{
	struct templates *templates = *state;

	add(templates, "label", "{{label}}");
	add(templates, "page", "{{#branches}}{{/branches}}");
	assert_true(check(templates, "label", &branch_type));
	assert_not_named(templates, &branch_type, "struct branch", "branches");
	assert_true(check(templates, "page", &branch_type));
	assert_true(
	    mustache_all_used(templates->set, &branch_type, &templates->error));
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
nesting_in_a_template_is_bounded(void **state)
{
	struct templates *templates = *state;
	char *deep =
	    nested(&templates->arena, 64, "{{^open}}", "x", "{{/open}}");
	char *deeper =
	    nested(&templates->arena, 65, "{{^open}}", "x", "{{/open}}");

	assert_page(templates, deep, "x");
	assert_false(mustache_add(templates->set, TEXT("deeper"),
	    text_of(deeper), &templates->error));
	assert_error(templates, "deeper", 1, 64 * 9 + 1,
	    "tags are nested more than 64 deep");
}

static void
nesting_of_templates_is_bounded(void **state)
{
	struct templates *templates = *state;
	char *deep = nested(
	    &templates->arena, 63, "{{^open}}", "x{{>two}}", "{{/open}}");
	char *two = nested(
	    &templates->arena, 63, "{{^open}}", "y{{>three}}", "{{/open}}");

	add(templates, "one", deep);
	add(templates, "two", two);
	add(templates, "three", "z");
	assert_renders(templates, "one", "xy");
	assert_false(check(templates, "one", &garden_type));
	assert_error(templates, "three", 1, 1,
	    "nested more than 128 deep, counting templates around it");
}

static void
rendering_a_template_in_itself_ends(void **state)
{
	struct templates *templates = *state;
	struct buffer out = buffer_in(&templates->arena, 16);
	struct mustache_context context = { &garden_type, &garden };

	add(templates, "line", "x{{>line}}");
	mustache_render(templates->set,
	    mustache_find(templates->set, TEXT("line")), &context, 1, &out);
	assert_int_equal(out.size, 128);
	out.size = 0;
	add(templates, "twice", "x{{>twice}}{{>twice}}");
	mustache_render(templates->set,
	    mustache_find(templates->set, TEXT("twice")), &context, 1, &out);
	assert_int_equal(out.size, 1000000);
	out.size = 0;
	add(templates, "lists",
	    nested(&templates->arena, 60, "{{#plants}}", "x", "{{/plants}}"));
	mustache_render(templates->set,
	    mustache_find(templates->set, TEXT("lists")), &context, 1, &out);
	assert_in_range(out.size, 1, 1000000);
}

static void
a_check_of_too_many_ways_ends(void **state)
{
	struct templates *templates = *state;

	add(templates, "twice", "{{$b}}{{/b}}{{$b}}{{/b}}");
	add(templates, "page",
	    nested(&templates->arena, 30, "{{<twice}}{{$b}}", "",
		"{{/b}}{{/twice}}"));
	assert_false(check(templates, "page", &garden_type));
	assert_string_equal(
	    templates->error.message, "reached in too many ways");
}

static void
write_template(
    struct templates *templates, const char *name, const char *source)
{
	fixture_write_file(
	    fixture_path(&templates->arena, templates->folder, name),
	    text_of(source));
}

static void
a_folder_adds_its_templates(void **state)
{
	struct templates *templates = *state;
	char *large = nested(&templates->arena, 20000, "x", "{{>bush}}", "");

	write_template(templates, "page.mustache", large);
	write_template(templates, "bush.mustache", "{{title}}\n");
	write_template(templates, "notes.txt", "{{#");
	write_template(templates, ".mustache", "{{#");
	assert_true(mustache_add_folder(
	    templates->set, templates->folder, &templates->error));
	assert_renders(templates, "bush", "It&#39;s &quot;mine&quot;\n");
	assert_check_passes(templates, "page");
	assert_null(mustache_find(templates->set, TEXT("notes")));
	assert_null(mustache_find(templates->set, TEXT("")));

	/* What is there already stays as it is, whatever came of its file. */
	write_template(templates, "bush.mustache", "{{#");
	write_template(templates, "tree.mustache", "{{>bush}}");
	assert_true(mustache_add_folder(
	    templates->set, templates->folder, &templates->error));
	assert_renders(templates, "tree", "It&#39;s &quot;mine&quot;\n");
}

static void
a_folder_is_refused_at_its_first_bad_template(void **state)
{
	struct templates *templates = *state;

	write_template(templates, "a.mustache", "x\n {{#a}}");
	write_template(templates, "b.mustache", "{{#b}}");
	assert_false(mustache_add_folder(
	    templates->set, templates->folder, &templates->error));
	assert_error(templates, "a", 2, 2, "'a' is not closed");
	assert_text(templates->error.file,
	    fixture_path(&templates->arena, templates->folder, "a.mustache"));
}

static void
a_folder_that_cannot_be_read_is_refused(void **state)
{
	struct templates *templates = *state;

	assert_int_equal(mkdir(fixture_path(&templates->arena,
				   templates->folder, "d.mustache"),
			     0700),
	    0);
	assert_false(mustache_add_folder(
	    templates->set, templates->folder, &templates->error));
	assert_error(templates, "d", 0, 0, "cannot be read: Is a directory");
	fixture_remove_folder(templates->folder);
	assert_false(mustache_add_folder(
	    templates->set, templates->folder, &templates->error));
	assert_error(templates, templates->folder, 0, 0,
	    "cannot be read: No such file or directory");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define FOLDER_TEST(name) \
	cmocka_unit_test_setup_teardown(name, set_up_folder, tear_down_folder)
	const struct CMUnitTest tests[] = {
		TEST(values_of_a_struct_are_escaped),
		TEST(a_list_repeats_its_section),
		TEST(sections_take_objects_texts_and_values),
		TEST(unescaped_values_are_written_as_they_are),
		TEST(names_of_a_partial_mean_what_they_mean_there),
		TEST(html_is_written_as_it_is_and_in_no_other_way),
		TEST(a_name_that_is_not_found_writes_nothing),
		TEST(a_name_is_looked_up_in_several_contexts),
		TEST(too_many_contexts_are_refused),
		TEST(the_data_may_name_a_partial),
		TEST(a_name_may_mean_different_things),
		TEST(a_check_is_not_relied_on_for_another_type),
		TEST(a_block_fills_a_place_of_its_parent),
		TEST(a_parent_may_stand_in_a_block_of_itself),
		TEST(every_byte_is_escaped_or_written_as_it_is),
		TEST(errors_of_syntax_are_placed),
		TEST(a_name_is_given_once),
		TEST(errors_of_a_check_are_placed),
		TEST(a_struct_may_name_a_partial),
		TEST(a_field_that_no_template_names_is_found),
		TEST(templates_share_the_naming_of_a_type),
		TEST(a_name_counts_for_the_field_it_leads_to),
		TEST(a_type_may_contain_itself),
		TEST(nesting_in_a_template_is_bounded),
		TEST(nesting_of_templates_is_bounded),
		TEST(rendering_a_template_in_itself_ends),
		TEST(a_check_of_too_many_ways_ends),
		FOLDER_TEST(a_folder_adds_its_templates),
		FOLDER_TEST(a_folder_is_refused_at_its_first_bad_template),
		FOLDER_TEST(a_folder_that_cannot_be_read_is_refused),
	};

	return cmocka_run_group_tests_name("mustache", tests, NULL, NULL);
}
