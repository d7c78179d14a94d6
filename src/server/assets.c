#include "server/assets.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/crypto.h"
#include "base/file.h"
#include "base/log.h"
#include "base/password.h"
#include "os/privileges.h"
#include "server/site_dir.h"
#include "server/style.h"

static bool
is_in_site(struct text path)
{
	return !text_starts(path, TEXT("/"));
}

static void
begin_reading(struct text path)
{
	if (!is_in_site(path))
		privileges_raise();
}

static void
end_reading(struct text path)
{
	if (!is_in_site(path))
		privileges_lower();
}

/* Resolves links, and makes paths below the working directory relative to it; false with
 * errno when the folder cannot be read. */
static bool
resolve_folder(struct arena *arena, struct text *path)
{
	char real[PATH_MAX], here[PATH_MAX];
	bool good;

	privileges_raise();
	good = realpath(text_string(arena, *path), real) != NULL &&
	    faccessat(AT_FDCWD, real, R_OK | X_OK, AT_EACCESS) == 0;
	privileges_lower();
	if (!good || getcwd(here, sizeof(here)) == NULL)
		return false;
	if (strcmp(real, here) == 0)
		*path = TEXT(".");
	else if (text_starts(text_of(real), text_format(arena, "%s/", here)))
		*path = text_format(arena, "%s", real + strlen(here) + 1);
	return true;
}

bool
assets_find_overrides(
    struct arena *arena, struct config *config, struct text default_path)
{
	if (config->overrides.size == 0) {
		config->overrides = default_path;
		return true;
	}
	if (resolve_folder(arena, &config->overrides))
		return true;
	log_line("TALLY_OVERRIDES: cannot open %.*s: %s",
	    TEXT_ARGS(config->overrides), strerror(errno));
	return false;
}

/* For messages. */
static struct text
absolute_path(struct arena *arena, struct text path)
{
	char here[PATH_MAX];

	return is_in_site(path) && getcwd(here, sizeof(here)) != NULL
	    ? text_format(arena, "%s/%.*s", here, TEXT_ARGS(path))
	    : path;
}

static void
log_template_error(struct arena *arena, const struct config *config,
    const struct mustache_error *error)
{
	struct text file = absolute_path(arena, error->file);

	if (error->line > 0)
		log_line("%.*s:%d:%d: %s", TEXT_ARGS(file), error->line,
		    error->column, error->message);
	else if (error->file.size > 0 &&
	    text_equal(error->file, error->template))
		log_line("the template folder %.*s %s", TEXT_ARGS(file),
		    error->message);
	else if (error->file.size > 0)
		log_line("%.*s %s", TEXT_ARGS(file), error->message);
	else
		log_line("%.*s/templates: %.*s: %s", TEXT_ARGS(config->share),
		    TEXT_ARGS(error->template), error->message);
}

static bool
errno_is_missing(void)
{
	return errno == ENOENT || errno == ENOTDIR;
}

/* False when a template is wrong; *views is NULL when the owner has none. */
static bool
read_own_views(struct arena *arena, const struct config *config,
    struct views **views, struct mustache_error *error)
{
	const char *path = text_string(
	    arena, text_join(arena, config->overrides, TEXT("/templates")));
	bool exists;

	*views = NULL;
	begin_reading(config->overrides);
	exists = access(path, F_OK) == 0 || !errno_is_missing();
	if (exists)
		*views = views_read_own(arena, path, error);
	end_reading(config->overrides);
	return !exists || *views != NULL;
}

static const struct views *
open_views(struct arena *arena, const struct config *config)
{
	const char *folder = text_string(
	    arena, text_join(arena, config->share, TEXT("/templates")));
	struct views *own, *views = NULL;
	struct mustache_error error;

	begin_reading(config->share);
	language_open(text_string(
	    arena, text_join(arena, text_of(folder), TEXT("/locale"))));
	end_reading(config->share);
	if (read_own_views(arena, config, &own, &error)) {
		begin_reading(config->share);
		views = views_open(arena, own, folder, &error);
		end_reading(config->share);
	}
	if (views == NULL)
		log_template_error(arena, config, &error);
	return views;
}

enum style_result { STYLE_READ, STYLE_MISSING, STYLE_UNREADABLE };

static enum style_result
read_style(struct arena *arena, struct text folder, struct text *style)
{
	struct text path = text_join(arena, folder, TEXT("/static/style.css"));
	int file;

	begin_reading(folder);
	file = file_open(AT_FDCWD, text_string(arena, path));
	end_reading(folder);
	if (file < 0 && errno_is_missing())
		return STYLE_MISSING;
	if (file >= 0 && file_read(arena, file, style))
		return STYLE_READ;
	log_line("cannot read %.*s: %s", TEXT_ARGS(absolute_path(arena, path)),
	    strerror(errno));
	return STYLE_UNREADABLE;
}

bool
assets_read_style(struct arena *arena, const struct config *config,
    struct text *style, struct text *version)
{
	enum style_result result = read_style(arena, config->overrides, style);

	if (result == STYLE_MISSING)
		result = read_style(arena, config->share, style);
	if (result != STYLE_READ)
		*style = TEXT("");
	*style = style_compact(arena, *style);
	*version = crypto_version(arena, *style);
	return result != STYLE_UNREADABLE;
}

bool
assets_open_passwords(struct arena *arena, const struct config *config,
    const struct password_file **file)
{
	struct text path = config->passwords, why;

	*file = NULL;
	if (path.size == 0)
		return true;
	/* Relative paths are in the site's folder: never read as root. */
	if (text_starts(path, TEXT("/")))
		privileges_raise();
	*file = password_file_open(arena, path, &why);
	privileges_lower();
	if (*file == NULL)
		log_line("TALLY_PASSWORDS: cannot use %.*s: %.*s",
		    TEXT_ARGS(path), TEXT_ARGS(why));
	return *file != NULL;
}

bool
assets_open(struct arena *arena, const struct config *config, struct app *app)
{
	app->origin = config->origin;
	app->views = open_views(arena, config);
	return app->views != NULL &&
	    assets_read_style(
		arena, config, &app->base_style, &app->base_style_version) &&
	    assets_open_passwords(arena, config, &app->breached);
}

/* The folder to copy files from; folder is NULL if it does not exist. */
struct source_folder {
	struct text path;
	DIR *folder;
};

/* -1 with errno, which is ENOENT for anything but a regular file. */
static int
open_source(const struct source_folder *source, const char *name)
{
	int file;

	errno = ENOENT;
	if (source->folder == NULL)
		return -1;
	begin_reading(source->path);
	file = file_open(dirfd(source->folder), name);
	end_reading(source->path);
	if (file < 0 && (errno == EISDIR || errno == ENOTSUP))
		errno = ENOENT;
	return file;
}

/* Copies the modification time as well, since nginx sends it for revalidation. */
static bool
write_copy(struct arena *arena, int file, const char *copy)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT } };
	struct stat status;
	struct text content;

	if (fstat(file, &status) == 0)
		times[1] = status.st_mtim;
	else
		times[1].tv_nsec = UTIME_OMIT;
	if (!file_read(arena, file, &content)) {
		log_line("cannot read the original of %s: %s", copy,
		    strerror(errno));
		return false;
	}
	return site_dir_write(arena, copy, content, 0600) &&
	    utimensat(AT_FDCWD, copy, times, 0) == 0;
}

static bool
copy_file(const struct source_folder *source, const char *to, const char *name)
{
	int file = open_source(source, name);
	struct arena arena = { 0 };
	bool good = file < 0 && errno_is_missing();

	if (file >= 0)
		good = write_copy(&arena, file,
		    text_string(
			&arena, text_format(&arena, "%s/%s", to, name)));
	else if (!good)
		log_line("cannot read %.*s/%s: %s",
		    TEXT_ARGS(absolute_path(&arena, source->path)), name,
		    strerror(errno));
	arena_free(&arena);
	return good;
}

/* Removes the copies of files that no longer exist. */
static bool
remove_stale_copies(const struct source_folder *source, const char *to)
{
	DIR *copies = opendir(to);
	int folder = copies == NULL ? -1 : dirfd(copies);
	const struct dirent *entry;

	if (folder < 0) {
		log_line("cannot read %s: %s", to, strerror(errno));
		return false;
	}
	while ((entry = readdir(copies)) != NULL) {
		int file = open_source(source, entry->d_name);

		if (file >= 0)
			close(file);
		else if (errno_is_missing())
			unlinkat(folder, entry->d_name, 0);
	}
	closedir(copies);
	return true;
}

/* With its parents. Replaces the symbolic link that earlier versions created. */
static bool
create_folders(struct arena *arena, const char *name)
{
	const char *slash = strchrnul(name, '/');
	struct stat status;

	for (;; slash = strchrnul(slash + 1, '/')) {
		const char *path = text_string(
		    arena, (struct text){ name, (size_t)(slash - name) });

		if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode))
			unlink(path);
		if (mkdir(path, 0700) != 0 && errno != EEXIST) {
			log_line("cannot create the folder %s: %s", path,
			    strerror(errno));
			return false;
		}
		if (*slash == '\0')
			return true;
	}
}

bool
assets_copy(struct arena *arena, struct text from, const char *to)
{
	struct source_folder source = { .path = from };
	const struct dirent *entry;
	bool good;

	begin_reading(from);
	source.folder = opendir(text_string(arena, from));
	end_reading(from);
	if (source.folder == NULL && !errno_is_missing()) {
		log_line("cannot read %.*s: %s",
		    TEXT_ARGS(absolute_path(arena, from)), strerror(errno));
		return false;
	}
	good = create_folders(arena, to) && remove_stale_copies(&source, to);
	while (good && source.folder != NULL &&
	    (entry = readdir(source.folder)) != NULL)
		good = copy_file(&source, to, entry->d_name);
	if (source.folder != NULL)
		closedir(source.folder);
	return good;
}
