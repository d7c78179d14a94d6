#include "views/views.h"

#include "base/arena.h"
#include "base/buffer.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

enum { PAGE_ROOM = 40 * 1024 };

#define SHOWN(member) MUSTACHE_PLAIN(struct layout, member)
static const struct mustache_type layout_type = VIEW_TYPE(struct layout,
    SHOWN(csrf), SHOWN(here), SHOWN(here_encoded), SHOWN(viewer), SHOWN(unread),
    SHOWN(site_name), SHOWN(tagline), SHOWN(origin), SHOWN(canonical),
    SHOWN(is_indexed), SHOWN(style), SHOWN(site_style), SHOWN(signed_in),
    SHOWN(is_moderator), SHOWN(may_register), SHOWN(has_account),
    SHOWN(is_error), SHOWN(is_partial));

/* The build writes the list: VIEW(name) and FRAGMENT(name), one a line. */
#define VIEW(name)     extern const struct view name;
#define FRAGMENT(name) extern const struct fragment name;
#include "views.inc"
#undef VIEW
#undef FRAGMENT

#define VIEW(name) &(name),
#define FRAGMENT(name)
static const struct view *const all_views[] = {
#include "views.inc"
};
#undef VIEW
#undef FRAGMENT

#define VIEW(name)
#define FRAGMENT(name) &(name),
static const struct fragment *const all_fragments[] = {
#include "views.inc"
};

struct views {
	struct mustache_set *set;
};

/* A bare view has only the last of the contexts. */
static bool
check(const struct mustache_set *set, const char *name,
    const struct mustache_type *model, bool is_bare,
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
	return mustache_check(set, template, &contexts[is_bare],
	    COUNT(contexts) - is_bare, error);
}

static bool
check_all(
    const struct mustache_set *set, bool is_own, struct mustache_error *error)
{
	const struct fragment *const *bare = all_fragments;
	const struct view *const *view = all_views;
	bool good = true;

	for (size_t i = 0; i < COUNT(all_fragments); i++)
		good = good &&
		    check(set, bare[i]->template, bare[i]->type, true, error);
	for (size_t i = 0; i < COUNT(all_views); i++)
		good = good &&
		    check(set, view[i]->template, view[i]->type, false, error);
	if (is_own)
		return good;
	/* One that no template names was forgotten in it, or in its struct. */
	for (size_t i = 0; i < COUNT(all_fragments); i++)
		good = good && mustache_all_used(set, bare[i]->type, error);
	for (size_t i = 0; i < COUNT(all_views); i++)
		good = good && mustache_all_used(set, view[i]->type, error);
	return good && mustache_all_used(set, &layout_type, error);
}

static struct views *
new_views(struct arena *arena)
{
	struct views *views = arena_new(arena, struct views, 1);

	views->set = mustache_set_new(arena);
	return views;
}

struct views *
views_read_own(
    struct arena *arena, const char *folder, struct mustache_error *error)
{
	struct views *views = new_views(arena);

	return mustache_add_folder(views->set, folder, error) ? views : NULL;
}

struct views *
views_open(struct arena *arena, struct views *own, const char *folder,
    struct mustache_error *error)
{
	struct views *views = own == NULL ? new_views(arena) : own;

	return mustache_add_folder(views->set, folder, error) &&
		check_all(views->set, own != NULL, error)
	    ? views
	    : NULL;
}

static struct text
render(const struct views *views, struct arena *arena, const char *name,
    const struct mustache_context *contexts, size_t count, size_t room)
{
	struct buffer html = buffer_in(arena, room);

	mustache_render(views->set, mustache_find(views->set, text_of(name)),
	    contexts, count, &html);
	return buffer_text(&html);
}

struct text
views_page(const struct views *views, struct arena *arena,
    const struct view *view, const struct layout *layout, const void *model)
{
	const struct mustache_context contexts[] = { { &layout_type, layout },
		{ view->type, model } };

	return render(
	    views, arena, view->template, contexts, COUNT(contexts), PAGE_ROOM);
}

struct mustache_html
views_part(const struct views *views, struct arena *arena,
    const struct fragment *view, const void *model)
{
	const struct mustache_context context = { view->type, model };

	return (struct mustache_html){ render(
	    views, arena, view->template, &context, 1, view->room) };
}
