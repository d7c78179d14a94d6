/*
 * The files with which a site is shown: the templates, and the static files that
 * nginx serves. Those of the owner's, in the folder of the setting TALLY_OVERRIDES,
 * stand before the shipped ones, file by file; each folder looks like
 *
 *	templates/	NAME.mustache
 *	static/		style.css, icon.svg, favicon.ico, apple-touch-icon.png
 *
 * and of the owner's each part may be missing.
 */
#pragma once

#include "process/config.h"
#include "views/views.h"

/*
 * Where no setting names the owner's folder, sets it to share in a folder of the
 * site, which need not be there. False, and logged, when one is named that cannot
 * be opened.
 */
bool share_find_own(struct arena *arena, struct config *config,
    struct text folder) __attribute__((warn_unused_result));

/* NULL, and logged, when a template is wrong or cannot be read. */
const struct views *share_open_views(
    struct arena *arena, const struct config *config);

/*
 * What the address of the style sheet in force says of its content: another for
 * each content, empty when there is none. False, and logged, when it cannot be read.
 */
bool share_style_version(struct arena *arena, const struct config *config,
    struct text *version) __attribute__((warn_unused_result));
