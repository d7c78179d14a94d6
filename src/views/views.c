#include "views/views.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "views/language.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

enum { PAGE_ROOM = 56 * 1024 };

/* Items of lists that are plain values, which {{.}} writes. */
#define ITEM_TYPE(of, kind_of) \
	{ \
		.name = #of, .size = sizeof(of), .count = 1, \
		.fields = &(const struct mustache_field) \
		{ \
			.name = ".", .kind = (kind_of) \
		} \
	}
static const struct mustache_type text_type =
    ITEM_TYPE(struct text, MUSTACHE_TEXT);
static const struct mustache_type html_type =
    ITEM_TYPE(struct mustache_html, MUSTACHE_HTML);
static const struct mustache_type uint64_t_type =
    ITEM_TYPE(uint64_t, MUSTACHE_NUMBER);

/* Includes the headers of all models. layout_type and those of the models: about_model_type,
 * ... */
#include "view_types.inc"

static const struct mustache_type no_model_type = { .name = "no model" };

#define VIEW(name, model)	    INDEX_##name,
#define FRAGMENT(name, model, room) INDEX_##name,
enum view_index {
#include "views/templates.h"
	VIEWS
};

#define VIEW(name, model) \
	const struct view name##_view = { INDEX_##name, &model##_type };
#define FRAGMENT(name, model, room) \
	const struct fragment name##_view = { INDEX_##name, &model##_type, \
		room };
#include "views/templates.h"

#define VIEW(name, model)	    { #name, &model##_type, false },
#define FRAGMENT(name, model, room) { #name, &model##_type, true },
static const struct {
	const char *template;
	const struct mustache_type *type;
	bool is_fragment;
} all_views[] = {
#include "views/templates.h"
};

/* The templates in each language: all of them, and that of each view. */
struct views {
	struct mustache_set *sets[LANGUAGES_MAX];
	const struct mustache_template *templates[LANGUAGES_MAX][VIEWS];
};

/* A fragment's template sees the last of the contexts alone. */
static bool
check_template(const struct mustache_set *set, const char *name,
    const struct mustache_type *model, bool is_fragment,
    struct mustache_error *error)
{
	const struct mustache_type *const contexts[] = { &layout_type, model };
	const struct mustache_template *template =
	    mustache_find(set, text_of(name));

	if (template == NULL) {
		*error = (struct mustache_error){ .template = text_of(name),
			.file = TEXT(""),
			.message = "there is no such template" };
		return false;
	}
	return mustache_check(set, template, &contexts[is_fragment],
	    COUNT(contexts) - is_fragment, error);
}

static bool
check_views(const struct mustache_set *set, bool has_overrides,
    struct mustache_error *error)
{
	for (size_t i = 0; i < COUNT(all_views); i++)
		if (!check_template(set, all_views[i].template,
			all_views[i].type, all_views[i].is_fragment, error))
			return false;
	if (has_overrides)
		return true;
	/* A member that no template names was forgotten there, or is left over. */
	for (size_t i = 0; i < COUNT(all_views); i++)
		if (!mustache_all_used(set, all_views[i].type, error))
			return false;
	return mustache_all_used(set, &layout_type, error);
}

static struct views *
new_views(struct arena *arena)
{
	struct views *views = arena_new(arena, struct views, 1);

	for (size_t i = 0; i < language_count(); i++) {
		views->sets[i] = mustache_set_new(arena);
		if (i > 0)
			mustache_set_language(
			    views->sets[i], language_sentence, language_at(i));
	}
	return views;
}

static bool
add_folder(
    const struct views *views, const char *folder, struct mustache_error *error)
{
	for (size_t i = 0; i < language_count(); i++)
		if (!mustache_add_folder(views->sets[i], folder, error))
			return false;
	return true;
}

struct views *
views_read_own(
    struct arena *arena, const char *folder, struct mustache_error *error)
{
	struct views *views = new_views(arena);

	return add_folder(views, folder, error) ? views : NULL;
}

struct views *
views_open(struct arena *arena, struct views *own, const char *folder,
    struct mustache_error *error)
{
	struct views *views = own == NULL ? new_views(arena) : own;

	if (!add_folder(views, folder, error))
		return NULL;
	for (size_t i = 0; i < language_count(); i++) {
		if (!check_views(views->sets[i], own != NULL, error))
			return NULL;
		for (size_t v = 0; v < VIEWS; v++)
			views->templates[i][v] = mustache_find(
			    views->sets[i], text_of(all_views[v].template));
	}
	return views;
}

static struct text
render_template(const struct views *views, struct arena *arena, size_t index,
    const struct mustache_context *contexts, size_t count, size_t room)
{
	size_t language = language_current()->index;
	struct buffer html = buffer_in(arena, room);

	mustache_render(views->sets[language],
	    views->templates[language][index], contexts, count, &html);
	return buffer_text(&html);
}

struct text
views_page(const struct views *views, struct arena *arena,
    const struct view *view, const struct layout *layout, const void *model)
{
	const struct mustache_context contexts[] = { { &layout_type, layout },
		{ view->type, model } };

	return render_template(
	    views, arena, view->index, contexts, COUNT(contexts), PAGE_ROOM);
}

struct mustache_html
views_part(const struct views *views, struct arena *arena,
    const struct fragment *view, const void *model)
{
	const struct mustache_context context = { view->type, model };

	return (
	    struct mustache_html){ .text = render_template(views, arena,
				       view->index, &context, 1, view->room) };
}
