/*
 * Renders views and fragments; checks all of them at the start.
 *
 * views_open compares every model with its template: a name that the model does not
 * have, or a member that no template names, prevents the start, and breaks no page.
 */
#pragma once

#include "views/language.h"
#include "views/view.h"

struct views;

/* Reads a folder of the owner's templates. NULL, and error, when one is wrong. */
struct views *views_read_own(
    struct arena *arena, const char *folder, struct mustache_error *error);

/*
 * Reads and checks the templates of a folder, before which those of the owner's
 * stand, which become a part of the result; own may be NULL. NULL, and error, when one
 * is wrong. Templates of the owner's may leave out what the shipped ones show. The
 * views live in the arena.
 */
struct views *views_open(struct arena *arena, struct views *own,
    const char *folder, struct mustache_error *error);

/* The model has to be of the view's type: NULL for no_model. */
struct text views_page(const struct views *views, struct arena *arena,
    const struct view *view, const struct layout *layout, const void *model);
struct mustache_html views_part(const struct views *views, struct arena *arena,
    const struct fragment *view, const void *model);
