#include "process/share.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/log.h"
#include "secrets/crypto.h"

/* Of a digest; an address needs no more. */
enum { VERSION_DIGITS = 12 };

bool
share_find_own(struct arena *arena, struct config *config, struct text folder)
{
	if (config->overrides.size == 0) {
		config->overrides = config_absolute(
		    arena, text_join(arena, folder, TEXT("/share")));
		return true;
	}
	if (access(text_string(arena, config->overrides), R_OK | X_OK) == 0)
		return true;
	log_line("TALLY_OVERRIDES: cannot open %.*s: %s",
	    TEXT_ARGS(config->overrides), strerror(errno));
	return false;
}

static void
log_error(const struct config *config, const struct mustache_error *error)
{
	if (error->line > 0)
		log_line("%.*s:%d:%d: %s", TEXT_ARGS(error->file), error->line,
		    error->column, error->message);
	else if (error->file.size > 0 &&
	    text_equal(error->file, error->template))
		log_line("the folder of templates %.*s %s",
		    TEXT_ARGS(error->file), error->message);
	else if (error->file.size > 0)
		log_line("%.*s %s", TEXT_ARGS(error->file), error->message);
	else
		log_line("%.*s/templates: %.*s: %s", TEXT_ARGS(config->share),
		    TEXT_ARGS(error->template), error->message);
}

static bool
is_missing(void)
{
	return errno == ENOENT || errno == ENOTDIR;
}

/* NULL when it is not there. */
static const char *
own_templates(struct arena *arena, const struct config *config)
{
	const char *path = text_string(
	    arena, text_join(arena, config->overrides, TEXT("/templates")));

	return access(path, F_OK) != 0 && is_missing() ? NULL : path;
}

const struct views *
share_open_views(struct arena *arena, const struct config *config)
{
	struct text folder =
	    text_join(arena, config->share, TEXT("/templates"));
	struct mustache_error error;
	const struct views *views = views_open(arena,
	    own_templates(arena, config), text_string(arena, folder), &error);

	if (views == NULL)
		log_error(config, &error);
	return views;
}

enum found { FOUND, MISSING, UNREADABLE };

static enum found
read_style(struct arena *arena, struct text folder, struct text *style)
{
	enum { CHUNK = 32 * 1024 };
	const char *path = text_string(
	    arena, text_join(arena, folder, TEXT("/static/style.css")));
	struct buffer buffer = buffer_in(arena, CHUNK);
	FILE *file = fopen(path, "re");
	size_t size = file == NULL ? 0 : CHUNK;
	bool good;

	if (file == NULL && is_missing())
		return MISSING;
	while (size > 0) {
		size = fread(buffer_reserve(&buffer, CHUNK), 1, CHUNK, file);
		buffer.size += size;
	}
	good = file != NULL && ferror(file) == 0;
	if (!good)
		log_line("cannot read %s: %s", path, strerror(errno));
	if (file != NULL)
		fclose(file);
	*style = buffer_text(&buffer);
	return good ? FOUND : UNREADABLE;
}

bool
share_style_version(
    struct arena *arena, const struct config *config, struct text *version)
{
	struct text style;
	enum found found = read_style(arena, config->overrides, &style);

	if (found == MISSING)
		found = read_style(arena, config->share, &style);
	*version = TEXT("");
	if (found == FOUND)
		*version = text_slice(
		    crypto_sha256_hex(arena, style), 0, VERSION_DIGITS);
	return found != UNREADABLE;
}
