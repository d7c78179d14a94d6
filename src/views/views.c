#include "views/views.h"

#include "base/arena.h"
#include "base/buffer.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* The field tables, in the order of models.h. */

static const struct mustache_field frame_fields[] = {
	MUSTACHE_PLAIN(struct frame, title),
	MUSTACHE_PLAIN(struct frame, csrf),
	MUSTACHE_PLAIN(struct frame, here),
	MUSTACHE_PLAIN(struct frame, here_encoded),
	MUSTACHE_PLAIN(struct frame, viewer),
	MUSTACHE_PLAIN(struct frame, signed_in),
	MUSTACHE_PLAIN(struct frame, moderator),
};
static const struct mustache_type frame_type =
    MUSTACHE_TYPE(struct frame, frame_fields);

static const struct mustache_field link_fields[] = {
	MUSTACHE_PLAIN(struct link_line, label),
	MUSTACHE_PLAIN(struct link_line, href),
	MUSTACHE_PLAIN(struct link_line, current),
};
static const struct mustache_type link_type =
    MUSTACHE_TYPE(struct link_line, link_fields);

static const struct mustache_field name_fields[] = {
	MUSTACHE_PLAIN(struct name_line, name),
};
static const struct mustache_type name_type =
    MUSTACHE_TYPE(struct name_line, name_fields);

static const struct mustache_field article_line_fields[] = {
	MUSTACHE_PLAIN(struct article_line, id),
	MUSTACHE_PLAIN(struct article_line, title),
	MUSTACHE_PLAIN(struct article_line, href),
	MUSTACHE_PLAIN(struct article_line, host),
	MUSTACHE_PLAIN(struct article_line, author),
	MUSTACHE_PLAIN(struct article_line, score),
	MUSTACHE_PLAIN(struct article_line, points),
	MUSTACHE_PLAIN(struct article_line, posted),
	MUSTACHE_PLAIN(struct article_line, age),
	MUSTACHE_PLAIN(struct article_line, posted_iso),
	MUSTACHE_PLAIN(struct article_line, vote),
	MUSTACHE_PLAIN(struct article_line, is_up),
	MUSTACHE_PLAIN(struct article_line, is_down),
	MUSTACHE_PLAIN(struct article_line, open),
	MUSTACHE_PLAIN(struct article_line, interesting),
	MUSTACHE_ITEMS(struct article_line, groups, &name_type),
};
static const struct mustache_type article_line_type =
    MUSTACHE_TYPE(struct article_line, article_line_fields);

static const struct mustache_field html_line_fields[] = {
	MUSTACHE_PLAIN(struct html_line, html),
};
static const struct mustache_type html_line_type =
    MUSTACHE_TYPE(struct html_line, html_line_fields);

static const struct mustache_field list_fields[] = {
	MUSTACHE_PLAIN(struct list_model, heading),
	MUSTACHE_PLAIN(struct list_model, intro),
	MUSTACHE_ITEMS(struct list_model, orders, &link_type),
	MUSTACHE_ITEMS(struct list_model, matches, &link_type),
	MUSTACHE_ITEMS(struct list_model, articles, &html_line_type),
	MUSTACHE_PLAIN(struct list_model, previous),
	MUSTACHE_PLAIN(struct list_model, next),
	MUSTACHE_PLAIN(struct list_model, note),
	MUSTACHE_PLAIN(struct list_model, page),
	MUSTACHE_PLAIN(struct list_model, ordered),
	MUSTACHE_PLAIN(struct list_model, combined),
	MUSTACHE_PLAIN(struct list_model, paged),
	MUSTACHE_PLAIN(struct list_model, votable),
	MUSTACHE_PLAIN(struct list_model, member),
	MUSTACHE_PLAIN(struct list_model, member_moderator),
	MUSTACHE_PLAIN(struct list_model, own),
	MUSTACHE_PLAIN(struct list_model, karma),
	MUSTACHE_PLAIN(struct list_model, since),
	MUSTACHE_PLAIN(struct list_model, since_iso),
};
static const struct mustache_type list_type =
    MUSTACHE_TYPE(struct list_model, list_fields);

/* Every template that a form's field may be shown with. */
static const char *const inputs[] = { "input-line", "input-text",
	"input-password", NULL };

static const struct mustache_field field_fields[] = {
	MUSTACHE_PLAIN(struct field_line, name),
	MUSTACHE_PLAIN(struct field_line, label),
	MUSTACHE_PLAIN(struct field_line, hint),
	MUSTACHE_PARTIAL_NAME(struct field_line, input, inputs),
	MUSTACHE_PLAIN(struct field_line, autocomplete),
	MUSTACHE_PLAIN(struct field_line, value),
	MUSTACHE_PLAIN(struct field_line, problem),
	MUSTACHE_PLAIN(struct field_line, most),
	MUSTACHE_PLAIN(struct field_line, required),
};
static const struct mustache_type field_type =
    MUSTACHE_TYPE(struct field_line, field_fields);

static const struct mustache_field form_fields[] = {
	MUSTACHE_PLAIN(struct form_model, csrf),
	MUSTACHE_ITEMS(struct form_model, fields, &field_type),
	MUSTACHE_PLAIN(struct form_model, has_problems),
};
static const struct mustache_type form_type =
    MUSTACHE_TYPE(struct form_model, form_fields);

static const struct mustache_field line_fields[] = {
	MUSTACHE_PLAIN(struct line, text),
	MUSTACHE_PLAIN(struct line, last),
};
static const struct mustache_type line_type =
    MUSTACHE_TYPE(struct line, line_fields);

static const struct mustache_field paragraph_fields[] = {
	MUSTACHE_ITEMS(struct paragraph, lines, &line_type),
};
static const struct mustache_type paragraph_type =
    MUSTACHE_TYPE(struct paragraph, paragraph_fields);

static const struct mustache_field article_fields[] = {
	MUSTACHE_STRUCT(struct article_model, article, &article_line_type),
	MUSTACHE_ITEMS(struct article_model, paragraphs, &paragraph_type),
	MUSTACHE_PLAIN(struct article_model, up),
	MUSTACHE_PLAIN(struct article_model, down),
	MUSTACHE_PLAIN(struct article_model, vote_score),
	MUSTACHE_PLAIN(struct article_model, votes_points),
	MUSTACHE_PLAIN(struct article_model, posted_moment),
	MUSTACHE_PLAIN(struct article_model, closes_moment),
	MUSTACHE_PLAIN(struct article_model, closes_iso),
	MUSTACHE_PLAIN(struct article_model, closes_in),
	MUSTACHE_PLAIN(struct article_model, interesting_moment),
	MUSTACHE_PLAIN(struct article_model, interesting_iso),
	MUSTACHE_PLAIN(struct article_model, threshold),
	MUSTACHE_PLAIN(struct article_model, place),
	MUSTACHE_PLAIN(struct article_model, votable),
	MUSTACHE_PLAIN(struct article_model, removed),
	MUSTACHE_PLAIN(struct article_model, may_file),
	MUSTACHE_PLAIN(struct article_model, may_remove),
	MUSTACHE_STRUCT(struct article_model, filing, &form_type),
};
static const struct mustache_type article_type =
    MUSTACHE_TYPE(struct article_model, article_fields);

static const struct mustache_field submit_fields[] = {
	MUSTACHE_STRUCT(struct submit_model, form, &form_type),
	MUSTACHE_PLAIN(struct submit_model, problem),
	MUSTACHE_PLAIN(struct submit_model, advice),
	MUSTACHE_PLAIN(struct submit_model, signed_out),
};
static const struct mustache_type submit_type =
    MUSTACHE_TYPE(struct submit_model, submit_fields);

static const struct mustache_field group_fields[] = {
	MUSTACHE_PLAIN(struct group_line, name),
	MUSTACHE_PLAIN(struct group_line, title),
	MUSTACHE_PLAIN(struct group_line, by),
	MUSTACHE_PLAIN(struct group_line, created),
	MUSTACHE_PLAIN(struct group_line, created_iso),
	MUSTACHE_PLAIN(struct group_line, articles),
	MUSTACHE_PLAIN(struct group_line, one),
};
static const struct mustache_type group_type =
    MUSTACHE_TYPE(struct group_line, group_fields);

static const struct mustache_field groups_fields[] = {
	MUSTACHE_ITEMS(struct groups_model, groups, &group_type),
	MUSTACHE_PLAIN(struct groups_model, previous),
	MUSTACHE_PLAIN(struct groups_model, next),
	MUSTACHE_PLAIN(struct groups_model, problem),
	MUSTACHE_PLAIN(struct groups_model, advice),
	MUSTACHE_STRUCT(struct groups_model, form, &form_type),
	MUSTACHE_PLAIN(struct groups_model, note),
};
static const struct mustache_type groups_type =
    MUSTACHE_TYPE(struct groups_model, groups_fields);

static const struct mustache_field account_fields[] = {
	MUSTACHE_STRUCT(struct account_model, form, &form_type),
	MUSTACHE_PLAIN(struct account_model, action),
	MUSTACHE_PLAIN(struct account_model, button),
	MUSTACHE_PLAIN(struct account_model, problem),
	MUSTACHE_PLAIN(struct account_model, return_to),
	MUSTACHE_PLAIN(struct account_model, return_to_encoded),
	MUSTACHE_PLAIN(struct account_model, registering),
};
static const struct mustache_type account_type =
    MUSTACHE_TYPE(struct account_model, account_fields);

static const struct mustache_field session_fields[] = {
	MUSTACHE_PLAIN(struct session_line, id),
	MUSTACHE_PLAIN(struct session_line, agent),
	MUSTACHE_PLAIN(struct session_line, since),
	MUSTACHE_PLAIN(struct session_line, since_iso),
	MUSTACHE_PLAIN(struct session_line, seen),
	MUSTACHE_PLAIN(struct session_line, seen_iso),
	MUSTACHE_PLAIN(struct session_line, current),
};
static const struct mustache_type session_type =
    MUSTACHE_TYPE(struct session_line, session_fields);

static const struct mustache_field settings_fields[] = {
	MUSTACHE_PLAIN(struct settings_model, changed),
	MUSTACHE_STRUCT(struct settings_model, form, &form_type),
	MUSTACHE_ITEMS(struct settings_model, sessions, &session_type),
	MUSTACHE_PLAIN(struct settings_model, several),
};
static const struct mustache_type settings_type =
    MUSTACHE_TYPE(struct settings_model, settings_fields);

static const struct mustache_field about_fields[] = {
	MUSTACHE_PLAIN(struct about_model, vote_score),
	MUSTACHE_PLAIN(struct about_model, votes_a_day),
	MUSTACHE_PLAIN(struct about_model, interesting),
	MUSTACHE_PLAIN(struct about_model, page_size),
	MUSTACHE_PLAIN(struct about_model, promise_articles),
	MUSTACHE_PLAIN(struct about_model, promise_places),
	MUSTACHE_PLAIN(struct about_model, promise_time),
	MUSTACHE_PLAIN(struct about_model, vote_window),
	MUSTACHE_PLAIN(struct about_model, most_groups),
};
static const struct mustache_type about_type =
    MUSTACHE_TYPE(struct about_model, about_fields);

static const struct mustache_field error_fields[] = {
	MUSTACHE_PLAIN(struct error_model, status),
	MUSTACHE_PLAIN(struct error_model, title),
	MUSTACHE_PLAIN(struct error_model, happened),
	MUSTACHE_PLAIN(struct error_model, advice),
};
static const struct mustache_type error_type =
    MUSTACHE_TYPE(struct error_model, error_fields);

const struct view list_view = { "list", &list_type };
const struct view line_view = { "line", &article_line_type };
const struct view article_view = { "article", &article_type };
const struct view submit_view = { "submit", &submit_type };
const struct view groups_view = { "groups", &groups_type };
const struct view account_view = { "account", &account_type };
const struct view settings_view = { "settings", &settings_type };
const struct view about_view = { "about", &about_type };
const struct view error_view = { "error", &error_type };

static const struct view *const all_views[] = { &list_view, &line_view,
	&article_view, &submit_view, &groups_view, &account_view,
	&settings_view, &about_view, &error_view };

struct views {
	struct mustache_set *set;
};

static bool
check_view(const struct mustache_set *set, const struct view *view,
    struct mustache_error *error)
{
	const struct mustache_type *contexts[] = { &frame_type, view->type };
	const struct mustache_template *template =
	    mustache_find(set, text_of(view->template));

	if (template == NULL) {
		*error = (struct mustache_error){ .template =
						      text_of(view->template),
			.message = "there is no such template" };
		return false;
	}
	return mustache_check(set, template, contexts, COUNT(contexts), error);
}

struct views *
views_open(
    struct arena *arena, const char *folder, struct mustache_error *error)
{
	struct views *views = arena_new(arena, struct views, 1);

	views->set = mustache_set_new(arena);
	if (!mustache_add_folder(views->set, folder, error))
		return NULL;
	for (size_t i = 0; i < COUNT(all_views); i++)
		if (!check_view(views->set, all_views[i], error))
			return NULL;
	return views;
}

struct mustache_html
views_render(const struct views *views, struct arena *arena,
    const struct view *view, const struct frame *frame, const void *model,
    size_t room)
{
	struct mustache_context contexts[] = { { &frame_type, frame },
		{ view->type, model } };
	struct buffer html = buffer_in(arena, room);

	mustache_render(views->set,
	    mustache_find(views->set, text_of(view->template)), contexts,
	    COUNT(contexts), &html);
	return (struct mustache_html){ buffer_text(&html) };
}
