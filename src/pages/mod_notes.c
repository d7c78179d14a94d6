#include "pages/mod_notes.h"

#include "base/arena.h"
#include "base/crypto.h"
#include "lists/mod_log.h"
#include "pages/form.h"
#include "pages/path.h"
#include "store/member_note.h"
#include "store/network.h"
#include "views/format.h"
#include "views/messages.h"

static const struct form_row rows[] = { MOD_NOTE_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

/* What a form names a note by. */
static struct text
id_of(struct arena *arena, const struct member_note *note)
{
	return crypto_digest_hex(
	    arena, TEXT(""), member_note_encode(arena, note));
}

static bool
may_delete(const struct page *page, const struct member_note *note)
{
	return note->by == page->viewer.id || page->viewer.role == ROLE_OWNER;
}

static struct text
name_of(const struct user *users, size_t count, uint64_t id)
{
	for (size_t i = 0; i < count; i++)
		if (users[i].id == id)
			return users[i].name;
	return TEXT("");
}

/* Authors who cannot be reached have no name. */
static enum store_result
add_notes(struct page *page, const struct member_note *notes, size_t count,
    struct mod_member_model *model)
{
	struct arena *arena = page->arena;
	struct mod_note_row *items =
	    arena_new(arena, struct mod_note_row, count);
	uint64_t *ids = arena_new(arena, uint64_t, count);
	struct user *users;
	size_t got;

	for (size_t i = 0; i < count; i++)
		ids[i] = notes[i].by;
	if (user_get_reachable(page->store, arena, ids, count, &users, &got,
		&page->is_partial) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		items[i] = (struct mod_note_row){ .text = notes[i].text,
			.by = name_of(users, got, notes[i].by),
			.at = format_age(arena, page->now, notes[i].at),
			.at_iso = format_iso(arena, notes[i].at),
			.id = may_delete(page, &notes[i])
			    ? id_of(arena, &notes[i])
			    : TEXT("") };
	model->notes = (struct mustache_list){ items, count };
	return STORE_OK;
}

/* Derived from the log: how often, among the newest actions about the member. */
static enum store_result
add_history(
    struct page *page, const struct user *user, struct mod_member_model *model)
{
	const struct mod_log_query query = {
		.member = user->id, .page = 1, .expensive = page->app->expensive
	};
	struct mod_log_page log;
	int64_t counts[MOD_ACTION_KINDS] = { 0 };
	enum store_result result =
	    mod_log_read(page->store, page->arena, &query, &log);

	if (result != STORE_OK)
		return result;
	for (size_t i = 0; i < log.count; i++) {
		const struct mod_action *action = &log.actions[i];
		enum mod_action_kind kind;

		if (!mod_action_parse(action->what, &kind))
			continue;
		counts[kind]++;
		if (text_equal(action->subject, MOD_ACTION_SUSPENDS))
			counts[MOD_SUSPENDED]++;
	}
	model->history = message_member_history(page->arena,
	    counts[MOD_SUSPENDED], counts[MOD_REMOVED] + counts[MOD_CONTAINED],
	    counts[MOD_VOIDED]);
	page->is_partial = page->is_partial || log.is_partial;
	return STORE_OK;
}

/* Those whose accounts are open. */
static enum store_result
add_networks(
    struct page *page, const struct user *user, struct mod_member_model *model)
{
	struct mod_network_row *others;
	struct user *users;
	uint64_t *ids;
	size_t count, got, shown = 0;

	if (network_find(page->store, page->arena, user->id, page->now, &ids,
		&count) != STORE_OK ||
	    user_get_reachable(page->store, page->arena, ids, count, &users,
		&got, &page->is_partial) != STORE_OK)
		return STORE_DOWN;
	others = arena_new(page->arena, struct mod_network_row, got);
	for (size_t i = 0; i < got; i++)
		if (users[i].closed == 0)
			others[shown++] =
			    (struct mod_network_row){ .name = users[i].name,
				    .is_suspended =
					users[i].suspended > page->now };
	if (shown > 0)
		others[shown - 1].is_last = true;
	model->networks = (struct mustache_list){ others, shown };
	model->shares_network = shown > 0;
	return STORE_OK;
}

STORE_CALL
mod_notes_read(
    struct page *page, const struct user *user, struct mod_member_model *model)
{
	struct member_note *notes;
	size_t count;
	enum store_result result = member_notes_get(
	    page->store, page->arena, user->id, &notes, &count);

	if (result == STORE_OK)
		result = add_notes(page, notes, count, model);
	if (result == STORE_OK)
		result = add_networks(page, user, model);
	return result == STORE_OK ? add_history(page, user, model) : result;
}

static enum store_result
delete_note(struct page *page, const struct user *user, struct text id)
{
	struct member_note *notes;
	size_t count;
	enum store_result result = member_notes_get(
	    page->store, page->arena, user->id, &notes, &count);

	for (size_t i = 0; i < count && result == STORE_OK; i++)
		if (text_equal(id_of(page->arena, &notes[i]), id))
			return may_delete(page, &notes[i])
			    ? member_note_delete(
				  page->store, page->arena, user->id, &notes[i])
			    : STORE_OWN;
	return result;
}

/* Moderators write notes on each other as well, and on themselves: they are no action. */
static enum http_status
add_note(struct page *page, const struct user *user)
{
	struct member_note note = { .by = page->viewer.id };
	struct mod_note_form inputs;
	enum store_result result;

	if (!form_read(&form, page->arena, page_sent(page), &inputs))
		return page_refuse_for(
		    page, REASON_UNPROCESSABLE, inputs.text.problem);
	note.text = inputs.text.value;
	result = member_note_add(page->store, page->arena, user->id, &note);
	if (result == STORE_FULL)
		return page_refuse(page, REASON_NOTES_FULL);
	return page_finish(page, result,
	    text_format(
		page->arena, "/u/%.*s/suspend#notes", TEXT_ARGS(user->name)));
}

/* Adds "text", or deletes the note that "delete" names. */
enum http_status
mod_notes_action(struct page *page)
{
	struct text id = pairs_get(page_sent(page), TEXT("delete"));
	struct user user;
	enum http_status status = path_member(page, &user);
	enum store_result result;

	if (status != HTTP_OK)
		return status;
	if (id.size == 0)
		return add_note(page, &user);
	result = delete_note(page, &user, id);
	if (result == STORE_OWN)
		return HTTP_FORBIDDEN;
	return page_finish(page, result,
	    text_format(
		page->arena, "/u/%.*s/suspend#notes", TEXT_ARGS(user.name)));
}
