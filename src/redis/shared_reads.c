#include "redis/shared_reads.h"

#include "base/arena.h"

bool
shared_reads_add(struct shared_reads *reads, struct command *command)
{
	struct text bytes = command_bytes(command);
	struct command **sent = &reads->sent[text_hash(bytes) % SHARED_READS];

	if (*sent == NULL)
		*sent = command;
	if (*sent == command || !text_equal(command_bytes(*sent), bytes))
		return false;
	command->is_shared = true;
	command->sharing = (*sent)->sharing;
	(*sent)->sharing = command;
	return true;
}

static void
copy_reply(struct arena *arena, const struct reply *from, struct reply *to)
{
	*to = *from;
	to->text = text_copy(arena, from->text);
	if (from->kind != REPLY_LIST)
		return;
	to->items = arena_new(arena, struct reply, from->count);
	for (size_t i = 0; i < from->count; i++)
		copy_reply(arena, &from->items[i], &to->items[i]);
}

void
shared_reads_answer(const struct command *command)
{
	for (struct command *other = command->sharing; other != NULL;
	    other = other->sharing)
		copy_reply(
		    other->pipeline->arena, command->reply, other->reply);
}
