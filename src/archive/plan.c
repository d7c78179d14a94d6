#include "archive/plan.h"

#include "base/arena.h"
#include "store/keys.h"
#include "store/rules.h"

enum { FIRST_CAPACITY = 1024 };

/* "@ann", "/g/go", "7" or "7:3". */
struct thing {
	struct text name;
	uint32_t last_comment; /* of an article; 0: none */
	enum plan_state state;
};

/* How many there are, and the highest that is not too high. */
struct numbers {
	uint64_t count, last;
};

/* A hash table with linear probing, at most half full. */
struct plan {
	struct arena table, names;
	struct thing *things;
	size_t count, capacity; /* a power of two */
	struct numbers articles, acts;
	uint64_t comments, free; /* free: numbers left out */
	bool has_unknown;
};

struct plan *
plan_new(void)
{
	struct arena names = { 0 };
	struct plan *plan = arena_new(&names, struct plan, 1);

	plan->names = names;
	plan->capacity = FIRST_CAPACITY;
	plan->things = arena_new(&plan->table, struct thing, plan->capacity);
	return plan;
}

void
plan_free(struct plan *plan)
{
	struct arena names = plan->names;

	arena_free(&plan->table);
	arena_free(&names);
}

/* Where it is, or belongs. */
static struct thing *
find_thing(const struct plan *plan, struct text name)
{
	size_t mask = plan->capacity - 1, at = text_hash(name) & mask;

	while (plan->things[at].name.size > 0 &&
	    !text_equal(plan->things[at].name, name))
		at = (at + 1) & mask;
	return &plan->things[at];
}

static void
grow(struct plan *plan)
{
	struct arena before = plan->table;
	struct thing *things = plan->things;
	size_t capacity = plan->capacity;

	plan->table = (struct arena){ 0 };
	plan->capacity *= 2;
	plan->things = arena_new(&plan->table, struct thing, plan->capacity);
	for (size_t i = 0; i < capacity; i++)
		if (things[i].name.size > 0)
			*find_thing(plan, things[i].name) = things[i];
	arena_free(&before);
}

static struct thing *
add_thing(struct plan *plan, struct text name)
{
	struct thing *thing = find_thing(plan, name);

	if (thing->name.size > 0)
		return thing;
	thing->name = text_copy(&plan->names, name);
	if (++plan->count * 2 <= plan->capacity)
		return thing;
	grow(plan);
	return find_thing(plan, name);
}

static struct text
member_name(struct arena *arena, struct text name)
{
	return text_join(arena, TEXT("@"), text_lower(arena, name));
}

static struct text
group_name(struct arena *arena, struct text name)
{
	return text_join(arena, TEXT("/g/"), name);
}

/* Empty for what nothing names. *is_known is false when it may be anything. */
static struct text
name_of(struct arena *arena, const struct record *record, bool *is_known)
{
	const struct post *post = record_post(record);

	*is_known = record->kind != RECORD_KINDS;
	switch (record->kind) {
	case RECORD_USER:
		*is_known = record->user.name.size > 0;
		return member_name(arena, record->user.name);
	case RECORD_GROUP:
		*is_known = record->group.name.size > 0;
		return group_name(arena, record->group.name);
	case RECORD_ARTICLE:
	case RECORD_COMMENT:
		*is_known = post->id.article != 0 &&
		    (post->id.comment != 0) == (record->kind == RECORD_COMMENT);
		return key_post_name(arena, post->id);
	default:
		return TEXT("");
	}
}

static void
add_number(struct numbers *numbers, uint64_t number)
{
	uint64_t max = PLAN_IDS_FREE + ++numbers->count * RULE_BUCKETS_MAX;

	if (number > numbers->last && number <= max)
		numbers->last = number;
}

static void
add_comment(struct plan *plan, struct arena *arena, struct post_id id)
{
	struct thing *thread =
	    add_thing(plan, key_post_name(arena, article_id(id.article)));
	uint64_t last = thread->last_comment, left_out;

	plan->comments++;
	if (id.comment <= last)
		return;
	left_out = id.comment - last - 1;
	if (plan->free + left_out > PLAN_COMMENTS_FREE + plan->comments)
		return;
	plan->free += left_out;
	thread->last_comment = (uint32_t)id.comment;
}

static void
add_numbers(struct plan *plan, struct arena *arena, const struct record *record)
{
	if (record->kind == RECORD_ARTICLE)
		add_number(&plan->articles, record->article.post.id.article);
	else if (record->kind == RECORD_ACT)
		add_number(&plan->acts, record->act.id);
	else if (record->kind == RECORD_COMMENT)
		add_comment(plan, arena, record->comment.post.id);
}

void
plan_add(struct plan *plan, const struct record *record, bool has_fault)
{
	struct arena arena = { 0 };
	bool is_known;
	struct text name = name_of(&arena, record, &is_known);

	if (!is_known)
		plan->has_unknown = true;
	else if (name.size > 0)
		add_thing(plan, name)->state = PLAN_AHEAD;
	if (!has_fault)
		add_numbers(plan, &arena, record);
	arena_free(&arena);
}

void
plan_add_unknown(struct plan *plan)
{
	plan->has_unknown = true;
}

uint64_t
plan_last_article(const struct plan *plan)
{
	return plan->articles.last;
}

uint64_t
plan_last_act(const struct plan *plan)
{
	return plan->acts.last;
}

uint64_t
plan_last_comment(const struct plan *plan, uint64_t article)
{
	struct arena arena = { 0 };
	uint64_t last =
	    find_thing(plan, key_post_name(&arena, article_id(article)))
		->last_comment;

	arena_free(&arena);
	return last;
}

struct text
plan_vet_number(
    const struct plan *plan, struct arena *arena, const struct record *record)
{
	const struct post *post = record_post(record);
	uint64_t last = UINT64_MAX, number = 0;

	if (record->kind == RECORD_ARTICLE) {
		last = plan->articles.last;
		number = post->id.article;
	} else if (record->kind == RECORD_ACT) {
		last = plan->acts.last;
		number = record->act.id;
	} else if (record->kind == RECORD_COMMENT) {
		last = plan_last_comment(plan, post->id.article);
		number = post->id.comment;
	}
	return number <= last
	    ? TEXT("")
	    : text_format(arena, "\"id\" leaves out too many before it");
}

void
plan_settle(
    struct plan *plan, const struct record *record, enum plan_state state)
{
	struct arena arena = { 0 };
	bool is_known;
	struct text name = name_of(&arena, record, &is_known);

	if (is_known && name.size > 0)
		add_thing(plan, name)->state = state;
	arena_free(&arena);
}

/* Vetting what a record names; the first fault is kept. */
struct vet {
	const struct plan *plan;
	struct arena *arena;
	struct text fault;
};

/* What may have no line yet; or what must have been written before. */
enum order { ANY_ORDER, AFTER };

static struct text
why_not(const struct plan *plan, struct text name, enum order order)
{
	enum plan_state state = find_thing(plan, name)->state;

	if (state == PLAN_REFUSED)
		return TEXT(", which is refused");
	if (state == PLAN_AHEAD && order == AFTER)
		return TEXT(", whose line comes later");
	if (state == PLAN_UNKNOWN && plan->has_unknown && order == AFTER)
		return TEXT(", whose line may be one that cannot be read");
	return TEXT("");
}

/* The thing is its name in the plan, and said is how it is reported. */
static void
vet_thing(
    struct vet *vet, struct text thing, struct text said, enum order order)
{
	struct text why = why_not(vet->plan, thing, order);

	if (vet->fault.size == 0 && why.size > 0)
		vet->fault = text_format(vet->arena, "it names %.*s%.*s",
		    TEXT_ARGS(said), TEXT_ARGS(why));
}

static void
vet_member(struct vet *vet, struct text name, enum order order)
{
	if (name.size > 0)
		vet_thing(vet, member_name(vet->arena, name),
		    text_format(vet->arena, "member \"%.*s\"", TEXT_ARGS(name)),
		    order);
}

static void
vet_group(struct vet *vet, struct text name, enum order order)
{
	if (name.size > 0)
		vet_thing(vet, group_name(vet->arena, name),
		    text_format(vet->arena, "group \"%.*s\"", TEXT_ARGS(name)),
		    order);
}

static void
vet_post(struct vet *vet, struct post_id id)
{
	struct text name = key_post_name(vet->arena, id);

	vet_thing(vet, name,
	    text_format(vet->arena, "%s %.*s",
		id.comment == 0 ? "article" : "comment", TEXT_ARGS(name)),
	    AFTER);
}

static void
vet_members(struct vet *vet, struct text names)
{
	struct text name;

	while (text_next_word(&names, &name))
		vet_member(vet, name, ANY_ORDER);
}

/* Those whom its text mentions, too: "@ann" and "/g/go". */
static void
vet_links(struct vet *vet, struct text links)
{
	struct text link;

	while (text_next_word(&links, &link))
		if (text_starts(link, TEXT("@")))
			vet_member(
			    vet, text_slice(link, 1, link.size), ANY_ORDER);
		else
			vet_group(
			    vet, text_slice(link, 3, link.size), ANY_ORDER);
}

static void
vet_members_of_post(struct vet *vet, const struct record *record)
{
	const struct post *post = record_post(record);

	vet_member(vet, post->author.name, AFTER);
	vet_member(vet, post->removed_by.name, AFTER);
	for (size_t v = 0; v < VOTERS_KINDS; v++)
		for (size_t i = 0; i < record->voters[v].names.count; i++)
			vet_member(
			    vet, record->voters[v].names.items[i], AFTER);
	for (size_t i = 0; i < record->flag_count; i++)
		vet_member(vet, record->flags[i].by, AFTER);
}

static void
vet_article(struct vet *vet, const struct record *record)
{
	struct text groups = record->article.groups, name;

	vet_members_of_post(vet, record);
	vet_links(vet, record->article.links);
	while (text_next_word(&groups, &name))
		vet_group(vet, name, AFTER);
}

static void
vet_comment(struct vet *vet, const struct record *record)
{
	const struct comment *comment = &record->comment;

	vet_post(vet, article_id(comment->post.id.article));
	if (comment->parent != 0)
		vet_post(vet,
		    (struct post_id){
			comment->post.id.article, (uint64_t)comment->parent });
	vet_members_of_post(vet, record);
	vet_links(vet, comment->links);
}

/* What is done to groups has their names. */
static void
vet_act(struct vet *vet, const struct mod_action *act)
{
	bool is_of_group = text_starts(act->what, TEXT("group-"));

	vet_member(vet, act->by.name, AFTER);
	vet_member(vet, act->member.name, AFTER);
	if (act->article != 0)
		vet_post(vet, (struct post_id){ act->article, act->comment });
	if (is_of_group) {
		vet_group(vet, act->subject, ANY_ORDER);
		vet_group(vet, act->into, ANY_ORDER);
	}
}

static void
vet_mute(struct vet *vet, const struct record_mute *mute)
{
	vet_member(vet, mute->by.name, AFTER);
	vet_member(vet, mute->member.name, AFTER);
	if (mute->article != 0)
		vet_post(vet, article_id(mute->article));
}

struct text
plan_vet_named(
    const struct plan *plan, struct arena *arena, const struct record *record)
{
	struct vet vet = { plan, arena, { NULL, 0 } };

	switch (record->kind) {
	case RECORD_USER:
		vet_member(&vet, record->user.invited_by, ANY_ORDER);
		vet_members(&vet, record->user.invited);
		break;
	case RECORD_GROUP:
		vet_member(&vet, record->group.by.name, AFTER);
		vet_group(&vet, record->group.into, ANY_ORDER);
		break;
	case RECORD_ARTICLE:
		vet_article(&vet, record);
		break;
	case RECORD_COMMENT:
		vet_comment(&vet, record);
		break;
	case RECORD_ACT:
		vet_act(&vet, &record->act);
		break;
	case RECORD_NOTICE:
		vet_member(&vet, record->notice.to.name, AFTER);
		vet_post(&vet, record->notice.comment);
		break;
	case RECORD_MUTE:
		vet_mute(&vet, &record->mute);
		break;
	default:
		break;
	}
	return vet.fault;
}
