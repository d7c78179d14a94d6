/*
 * The files of a site's pages: the templates, and the static files that nginx serves.
 * The owner's files, in the folder of the setting TALLY_OVERRIDES, replace the shipped
 * ones file by file; both folders look like
 *
 *	templates/	NAME.mustache
 *	static/		style.css, icon.svg, favicon.ico, apple-touch-icon.png
 *
 * and in the owner's everything is optional.
 */
#pragma once

#include "pages/page.h"
#include "server/config.h"

/* The default folders of the owner's files: of `tally up`, in the site's folder, and of
 * a service. */
#define ASSETS_SITE_OVERRIDES	 TEXT("share")
#define ASSETS_SERVICE_OVERRIDES TEXT("/etc/tally/share")

/*
 * Sets config's overrides to the default folder, which need not exist, if no setting
 * names one, and otherwise resolves it: a folder in the working directory, which is the
 * site's, becomes a relative path. False, and logged, when the named folder cannot be
 * opened.
 *
 * Absolute paths are read with root's rights if they are saved (os/privileges.h),
 * since a setting names them. Relative ones never are: an attacker who has become the
 * user that runs the site may have put a link there.
 */
bool assets_find_overrides(struct arena *arena, struct config *config,
    struct text default_path) __attribute__((warn_unused_result));

/* Opens the file of breached passwords, NULL if the settings name none; false, and
 * logged, when it cannot be used. */
bool assets_open_passwords(struct arena *arena, const struct config *config,
    const struct password_file **file) __attribute__((warn_unused_result));

/*
 * Fills the parts of an app that files and settings determine: the origin, the views,
 * the style sheet, and the file of breached passwords. False, and logged, when a template
 * is wrong or a file cannot be read.
 */
bool assets_open(struct arena *arena, const struct config *config,
    struct app *app) __attribute__((warn_unused_result));

/*
 * Replaces the files of a folder below the working directory, creating it if necessary,
 * by those of the folder from, without its subfolders; by none if that does not exist.
 * Each file is replaced atomically. False, and logged, on failure.
 */
bool assets_copy(struct arena *arena, struct text from, const char *to)
    __attribute__((warn_unused_result));

/*
 * The style sheet in effect, compact (server/style.h), empty without one, and its version, a
 * digest of the content. False, and logged, when it cannot be read.
 */
bool assets_read_style(struct arena *arena, const struct config *config,
    struct text *style, struct text *version)
    __attribute__((warn_unused_result));
