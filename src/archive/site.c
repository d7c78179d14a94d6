#include "archive/batch.h"
#include "archive/noun.h"
#include "archive/validate.h"
#include "archive/writer.h"
#include "base/arena.h"
#include "store/settings.h"

static struct text
site_archive_describe(struct arena *arena, const struct record *record)
{
	return text_format(
	    arena, "settings \"%.*s\"", TEXT_ARGS(record->site.name));
}

/* Writes a line, unless all settings are the defaults and feeds have no ids yet. */
static enum store_result
site_archive_write(struct writer *writer)
{
	struct record record = { .kind = RECORD_SITE };
	enum store_result result =
	    settings_get(writer->store, &writer->portion, &record.site);

	if (result == STORE_OK &&
	    (record.site.tag_authority.size > 0 ||
		!settings_are_default(&record.site)))
		result = writer_record(writer, &record);
	arena_reset(&writer->portion);
	return writer_go_on(result);
}

/* A moment that is stored as a text; empty: never. */
static void
site_archive_validate_moment(
    struct validation *validation, const char *name, struct text value)
{
	int64_t moment;

	if (value.size > 0 && !text_to_i64(value, &moment))
		validate_problem(validation,
		    text_format(
			validation->arena, "\"%s\" is not a moment", name));
}

static void
site_archive_validate(struct validation *validation, struct record *record)
{
	const struct settings *site = &record->site;

	validate_value(validation, "name", site->name, rule_site_name);
	validate_value(validation, "tagline", site->tagline, rule_line);
	validate_value(validation, "contact", site->contact, rule_line);
	validate_value(validation, "slogan", site->slogan, rule_line);
	validate_value(validation, "language", site->language, rule_language);
	validate_value(validation, "about", site->about, rule_body);
	validate_value(validation, "rules", site->rules, rule_body);
	validate_value(
	    validation, "foot_links", site->foot_links, rule_foot_links);
	validate_value(
	    validation, "announcement", site->announcement, rule_line);
	validate_value(validation, "style", site->style, rule_style);
	validate_value(
	    validation, "registration", site->registration, rule_registration);
	validate_value(validation, "group_creation", site->group_creation,
	    rule_group_creation);
	validate_value(validation, "voting", site->voting, rule_voting);
	validate_value(
	    validation, "log_names", site->log_names, rule_log_names);
	validate_value(
	    validation, "overlooked", site->overlooked, rule_overlooked);
	validate_value(
	    validation, "front_order", site->front_order, rule_front_order);
	validate_value(
	    validation, "interesting", site->interesting, rule_interesting);
	validate_value(
	    validation, "score_hours", site->score_hours, rule_score_hours);
	validate_value(
	    validation, "fold_flags", site->fold_flags, rule_fold_flags);
	validate_value(validation, "question", site->question, rule_line);
	validate_value(
	    validation, "hold_first", site->hold_first, rule_hold_first);
	validate_value(validation, "moderator_factor", site->moderator_factor,
	    rule_moderator_factor);
	validate_value(validation, "newcomer_days", site->newcomer_days,
	    rule_newcomer_days);
	validate_value(validation, "newcomer_votes", site->newcomer_votes,
	    rule_newcomer_votes);
	validate_value(validation, "newcomer_posts", site->newcomer_posts,
	    rule_newcomer_posts);
	validate_value(validation, "newcomer_comments", site->newcomer_comments,
	    rule_newcomer_posts);
	if (site->vote_score.size > 0 &&
	    settings_vote_score(site->vote_score, 0) == 0)
		validate_problem(
		    validation, TEXT("\"vote_score\" is no worth of a vote"));
	site_archive_validate_moment(
	    validation, "voting_since", site->voting_since);
	site_archive_validate_moment(validation, "announced", site->announced);
	validate_names(validation, "hosts", site->hosts, rule_host);
	if (site->tag_authority.size > 0 &&
	    !settings_is_authority(site->tag_authority))
		validate_problem(
		    validation, TEXT("\"tag_authority\" is no host and date"));
	validate_name(
	    validation, "shared_hosts", site->shared_hosts, rule_shared_hosts);
}

/* The settings of a site that has some are not replaced. */
static enum store_result
site_archive_load(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct batch_line *line = batch->lines[i];
		struct settings present;
		enum store_result result =
		    settings_get(batch->store, batch->arena, &present);

		line->outcome = BATCH_EXISTED;
		if (result == STORE_OK && settings_are_default(&present)) {
			line->outcome = BATCH_LOADED;
			result = settings_set(
			    batch->store, batch->arena, &line->record.site);
		}
		if (result != STORE_OK)
			return STORE_DOWN;
	}
	return STORE_OK;
}

const struct noun site_archive = {
	.kind = "site",
	.label = "settings",
	.schema = &settings_schema,
	.offset = offsetof(struct record, site),
	.describe = site_archive_describe,
	.write = site_archive_write,
	.validate = site_archive_validate,
	.load = site_archive_load,
};
