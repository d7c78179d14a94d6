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

#include "pages/page.h"
#include "server/config.h"

/* The owner's folder: of `tally up`, in that of the site, and of a service. */
#define ASSETS_SITE_OVERRIDES	 TEXT("share")
#define ASSETS_SERVICE_OVERRIDES TEXT("/etc/tally/share")

/*
 * Where no setting names the owner's folder, sets it to the usual one, which need not
 * be there. One in the working directory, which then is the site's, becomes relative
 * to that. False, and logged, when one is named that cannot be opened.
 *
 * What is absolute is read with root's rights if they are kept (os/privileges.h),
 * since a setting names it. What is in the site's folder never is: whoever has come
 * into the user who runs the site may have put a link there.
 */
bool assets_find_overrides(struct arena *arena, struct config *config,
    struct text usual) __attribute__((warn_unused_result));

/* Opens the file of breached passwords, if there is to be one; false, and logged,
 * when it cannot be used. */
bool assets_open_passwords(struct arena *arena, const struct config *config,
    const struct password_file **file) __attribute__((warn_unused_result));

/*
 * Sets what pages are made with: the origin, the views, the style sheet in force, and
 * what passwords are refused. False, and logged, when a template is wrong
 * or a file cannot be read.
 */
bool assets_open(struct arena *arena, const struct config *config,
    struct app *app) __attribute__((warn_unused_result));

/*
 * Replaces the files in a folder of the working directory, which is made if it is not
 * there, by those of another, whose own folders are left out; by none when it is
 * missing. Each file has the old content or the new one at any moment. False, and
 * logged, when it cannot.
 */
bool assets_copy(struct arena *arena, struct text from, const char *to)
    __attribute__((warn_unused_result));

/*
 * The style sheet in force, which is empty when there is none, and its version, another
 * for each content. False, and logged, when it cannot be read.
 */
bool assets_read_style(struct arena *arena, const struct config *config,
    struct text *style, struct text *version)
    __attribute__((warn_unused_result));
