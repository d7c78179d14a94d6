/*
 * What pages look like: a template, and the struct that it shows.
 *
 * A view names its template and describes its model. views_open holds every
 * view against its template, so that a wrong name stops the start and not a
 * page. A template sees its model first and then the frame.
 */
#ifndef VIEWS_VIEWS_H
#define VIEWS_VIEWS_H

#include "mustache/mustache.h"
#include "views/models.h"

struct view {
	const char *template;
	const struct mustache_type *type; /* of the model */
};

extern const struct view list_view, line_view, article_view, submit_view,
    groups_view, account_view, settings_view, about_view, error_view;

struct views;

/* Reads and checks the templates of a folder. NULL, and error, when one is
 * wrong. The views live in the arena. */
struct views *views_open(
    struct arena *arena, const char *folder, struct mustache_error *error);

/* room is how many bytes it may usually take. */
enum { VIEWS_PAGE = 40 * 1024, VIEWS_LINE = 1536 };
struct mustache_html views_render(const struct views *views,
    struct arena *arena, const struct view *view, const struct frame *frame,
    const void *model, size_t room);

#endif
