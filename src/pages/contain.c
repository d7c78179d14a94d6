/*
 * The form with which moderators act on a member and on everything of theirs at once
 * (store/containment.h): the form, its confirmation with what it would change, what such acts have
 * done and how far they are, and taking one back.
 */
#include "pages/contain.h"

#include "base/arena.h"
#include "pages/form.h"
#include "pages/mod_form.h"
#include "pages/path.h"
#include "store/containment.h"
#include "store/vote_void.h"
#include "views/containment.h"

static struct text
contain_path(const struct page *page, const struct user *user)
{
	return text_format(
	    page->arena, "/u/%.*s/contain", TEXT_ARGS(user->name));
}

static bool
is_chosen(const struct page *page, struct text name)
{
	return pairs_has(page_sent(page), name);
}

static struct text
host_field(const struct page *page, const struct containment_host *host)
{
	return text_join(page->arena, TEXT("host:"), host->name);
}

/* All of it, but for links to where others link to as well. */
static struct containment_choices
preset_choices(const struct page *page, const struct containment_extent *extent)
{
	struct containment_choices choices = { .suspends = true,
		.ends_invitations = true,
		.voids = true,
		.removes = true,
		.range = RANGE_EVER };

	for (size_t i = 0; i < extent->host_count; i++)
		if (extent->hosts[i].others == 0)
			choices.hosts = text_add_word(
			    page->arena, choices.hosts, extent->hosts[i].name);
	return choices;
}

/* The hosts of the form that were chosen, words. */
static struct text
chosen_hosts(const struct page *page, const struct containment_extent *extent)
{
	struct text hosts = TEXT("");

	for (size_t i = 0; i < extent->host_count; i++)
		if (is_chosen(page, host_field(page, &extent->hosts[i])))
			hosts = text_add_word(
			    page->arena, hosts, extent->hosts[i].name);
	return hosts;
}

/* False when nothing is chosen, or a word is none. */
static bool
read_choices(const struct page *page, const struct containment_extent *extent,
    struct containment_choices *choices)
{
	struct text word = pairs_get(page_sent(page), TEXT("remove"));

	*choices = (struct containment_choices){ .suspends = is_chosen(
						     page, TEXT("suspend")),
		.ends_invitations = is_chosen(page, TEXT("invitations")),
		.voids = is_chosen(page, TEXT("votes")),
		.hosts = chosen_hosts(page, extent),
		.reason = mod_form_reason(page) };
	for (size_t i = 0; i < CONTAINMENT_RANGES; i++)
		if (text_equal(word, containment_range_words[i])) {
			choices->removes = true;
			choices->range = (enum containment_range)i;
		}
	return (word.size == 0 || choices->removes) &&
	    (choices->suspends || choices->ends_invitations || choices->voids ||
		choices->removes || choices->hosts.size > 0);
}

/* Reads the counts of an act, and the first of its posts and votes. */
static enum store_result
read_shown(struct page *page, const struct containment *act,
    struct containment_shown *shown)
{
	struct store *store = page->store;
	struct arena *arena = page->arena;
	uint64_t member = act->member.id;
	enum store_result result =
	    containment_count(store, arena, member, act->act, &shown->counts);

	shown->act = act;
	if (result == STORE_OK)
		result = containment_posts(store, arena, member, act->act,
		    CONTAINMENT_POSTS, false, &shown->posts,
		    &shown->post_count);
	if (result == STORE_OK)
		result = containment_posts(store, arena, member, act->act,
		    CONTAINMENT_VOTES, false, &shown->votes,
		    &shown->vote_count);
	if (result == STORE_OK)
		result = containment_posts(store, arena, member, act->act,
		    CONTAINMENT_POSTS, true, &shown->left_posts,
		    &shown->left_post_count);
	return result == STORE_OK
	    ? containment_posts(store, arena, member, act->act,
		  CONTAINMENT_VOTES, true, &shown->left_votes,
		  &shown->left_vote_count)
	    : result;
}

static enum store_result
add_acts(struct page *page, const struct user *user, bool may_act,
    struct containment_model *model)
{
	struct containment *acts;
	struct containment_row *rows;
	size_t count;
	enum store_result result =
	    containment_list(page->store, page->arena, user->id, &acts, &count);

	if (result != STORE_OK || count == 0)
		return result;
	rows = arena_new(page->arena, struct containment_row, count);
	for (size_t i = 0; i < count && result == STORE_OK; i++) {
		struct containment_shown shown = { .may_undo = may_act };

		result = read_shown(page, &acts[i], &shown);
		rows[i] = containment_row_of(page->arena, &shown);
		model->is_running |= rows[i].is_running || rows[i].is_undoing;
	}
	model->acts = (struct mustache_list){ rows, count };
	model->has_acts = true;
	return result;
}

static enum http_status
show_form(struct page *page, enum http_status status, const struct user *user,
    const struct containment_extent *extent,
    const struct containment_choices *choices, struct text problem)
{
	static const struct form no_inputs = { .count = 0 };
	bool may_act = mod_form_may_act_on(page, user);
	struct containment_model model =
	    containment_model_of(page->arena, user->name, extent, choices);

	model.form = form_model_of(page, &no_inputs, NULL, status);
	model.may_act = may_act;
	model.nothing_chosen =
	    status == HTTP_UNPROCESSABLE && problem.size == 0;
	model.problem = problem;
	if (add_acts(page, user, may_act, &model) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	return page_show(page, status, &containment_view, &model);
}

enum http_status
contain_form(struct page *page, enum http_status status)
{
	struct containment_extent extent;
	struct containment_choices choices;
	struct user user;
	enum http_status found;

	if (status != HTTP_OK && !page_is_moderator(page))
		return status;
	found = path_member(page, &user);
	if (found != HTTP_OK)
		return found;
	if (containment_extent_read(
		page->store, page->arena, user.id, &extent) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	if (page->request->method == HTTP_POST)
		(void)read_choices(page, &extent, &choices);
	else
		choices = preset_choices(page, &extent);
	return show_form(page, status, &user, &extent, &choices, TEXT(""));
}

/* The fields that were sent, but for what the confirmation's form has itself. */
static struct mustache_list
sent_fields(struct page *page)
{
	const struct pairs *sent = page_sent(page);
	struct containment_field *fields =
	    arena_new(page->arena, struct containment_field, sent->count);
	size_t count = 0;

	for (size_t i = 0; i < sent->count; i++)
		if (!text_equal(sent->items[i].name, TEXT("csrf")) &&
		    !text_equal(sent->items[i].name, TEXT("confirmed")))
			fields[count++] =
			    (struct containment_field){ sent->items[i].name,
				    sent->items[i].value };
	return (struct mustache_list){ fields, count };
}

static enum http_status
ask_confirmation(struct page *page, const struct user *user,
    const struct containment_extent *extent,
    const struct containment_choices *choices)
{
	struct containment_confirm_model model = containment_confirm_model_of(
	    page->arena, user->name, extent, choices);

	model.fields = sent_fields(page);
	return page_show(page, HTTP_OK, &containment_confirm_view, &model);
}

static struct mod_action
action_of(const struct page *page, const struct user *user,
    const struct containment *containment, enum mod_action_kind what)
{
	struct mod_action action = mod_form_action(page, containment->reason);

	action.what = mod_action_words[what];
	action.member = (struct member){ user->id, user->name };
	if (containment->suspends != 0)
		action.subject = MOD_ACTION_SUSPENDS;
	return action;
}

static enum store_result
start_act(struct page *page, const struct user *user,
    const struct containment *containment, struct mod_action action)
{
	struct containment started = *containment;

	started.member = action.member;
	started.before = user->suspended;
	started.before_reason = user->suspension;
	return containment_start(page->store, page->arena, &started, action);
}

static enum store_result
start_part(struct page *page, const struct user *user,
    const struct containment *containment, enum mod_action_kind what,
    struct mod_decision *decision)
{
	struct mod_action action = action_of(page, user, containment, what);
	enum store_result result =
	    mod_decision_add(page->store, page->arena, decision, &action);

	if (result == STORE_OK)
		result = start_act(page, user, containment, action);
	return result == STORE_OK
	    ? mod_decision_count(page->store, page->arena, decision, &action)
	    : result;
}

STORE_CALL
contain_void_votes(
    struct page *page, const struct user *user, struct mod_decision *decision)
{
	return start_part(page, user,
	    &(struct containment){
		.votes = CONTAINMENT_VOID, .reason = decision->entry.reason },
	    MOD_VOIDED, decision);
}

STORE_CALL
contain_suspend(
    struct page *page, const struct user *user, struct mod_decision *decision)
{
	return start_part(page, user,
	    &(struct containment){
		.suspends = 1, .reason = decision->entry.reason },
	    MOD_CONTAINED, decision);
}

static enum http_status
start(struct page *page, const struct user *user,
    const struct containment *containment, enum mod_action_kind what)
{
	enum store_result result = start_act(
	    page, user, containment, action_of(page, user, containment, what));

	return result == STORE_FULL
	    ? page_refuse(page, REASON_BUSY)
	    : page_finish(page, result, contain_path(page, user));
}

/* The member of the path, on whom the viewer may act. */
static enum http_status
read_member(struct page *page, struct user *user)
{
	enum http_status status = path_member(page, user);

	return status == HTTP_OK && !mod_form_may_act_on(page, user)
	    ? HTTP_FORBIDDEN
	    : status;
}

enum http_status
contain_action(struct page *page)
{
	struct containment_extent extent;
	struct containment_choices choices;
	struct problem problem;
	struct user user;
	bool is_good;
	enum http_status status = read_member(page, &user);

	if (status != HTTP_OK)
		return status;
	if (containment_extent_read(
		page->store, page->arena, user.id, &extent) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	is_good = read_choices(page, &extent, &choices);
	problem = rule_reason(page->arena, &choices.reason);
	if (problem.kind != PROBLEM_NONE)
		return show_form(page, HTTP_UNPROCESSABLE, &user, &extent,
		    &choices, message_problem(page->arena, &problem));
	if (!is_good)
		return show_form(page, HTTP_UNPROCESSABLE, &user, &extent,
		    &choices, TEXT(""));
	if (!is_chosen(page, TEXT("confirmed")))
		return ask_confirmation(page, &user, &extent, &choices);
	return start(page, &user,
	    &(struct containment){ .suspends = choices.suspends,
		.removes = choices.removes ? extent.since[choices.range] : 0,
		.votes = choices.voids ? CONTAINMENT_VOID : TEXT(""),
		.hosts = choices.hosts,
		.ends_invitations = choices.ends_invitations,
		.reason = choices.reason },
	    MOD_CONTAINED);
}

/* All of a member's votes, without the rest and without a confirmation: they are counted again as
 * easily. */
enum http_status
contain_votes_action(struct page *page)
{
	struct text word = pairs_get(page_sent(page), TEXT("wanted"));
	struct mod_action action;
	struct user user;
	enum http_status status = mod_form_read(page, &action);

	if (status == HTTP_OK && !text_equal(word, CONTAINMENT_VOID) &&
	    !text_equal(word, CONTAINMENT_COUNT))
		status = HTTP_BAD_REQUEST;
	if (status == HTTP_OK)
		status = read_member(page, &user);
	if (status != HTTP_OK)
		return status;
	return start(page, &user,
	    &(struct containment){ .votes = word, .reason = action.reason },
	    text_equal(word, CONTAINMENT_VOID) ? MOD_VOIDED : MOD_COUNTED);
}

/* Refuses to take back an act of somebody whose role is higher than the viewer's. */
static enum http_status
check_undo(struct page *page, const struct containment *containment)
{
	struct user by;
	enum store_result result =
	    user_get(page->store, page->arena, containment->by.id, &by);

	if (result != STORE_OK && result != STORE_ABSENT)
		return page_failed(page, result);
	return result == STORE_OK && by.role > page->viewer.role
	    ? page_refuse(page, REASON_OTHER_MODERATOR)
	    : HTTP_OK;
}

/* Takes back the act of that number. */
enum http_status
contain_undo_action(struct page *page)
{
	struct containment containment;
	struct mod_action action;
	struct user user;
	uint64_t act;
	enum store_result result;
	enum http_status status = mod_form_read(page, &action);

	if (status == HTTP_OK &&
	    !pairs_get_id(page_sent(page), TEXT("act"), &act))
		status = HTTP_BAD_REQUEST;
	if (status == HTTP_OK)
		status = read_member(page, &user);
	if (status != HTTP_OK)
		return status;
	result = containment_get(page->store, page->arena, act, &containment);
	if (result == STORE_OK && containment.member.id != user.id)
		result = STORE_ABSENT;
	if (result != STORE_OK)
		return page_failed(page, result);
	status = check_undo(page, &containment);
	if (status != HTTP_OK)
		return status;
	action.what = mod_action_words[MOD_RELEASED];
	result =
	    containment_undo(page->store, page->arena, &containment, action);
	/* It is under way, or was taken back: the page says so. */
	return page_finish(page, result == STORE_CLOSED ? STORE_OK : result,
	    contain_path(page, &user));
}
