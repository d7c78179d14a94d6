#include "mustache/compile.h"

#include "base/arena.h"
#include "mustache/error.h"
#include "mustache/layout.h"

struct compiler {
	struct arena *arena;
	struct mustache_template *template;
	struct instruction *next;
	struct mustache_error *error;
};

static struct instruction *
emit(struct compiler *compiler, struct token *token)
{
	token->instruction = compiler->next++;
	*token->instruction =
	    (struct instruction){ .operation = token->operation,
		    .dynamic = token->dynamic,
		    .standalone = token->standalone,
		    .at = token->at,
		    .text = token->text,
		    .indent = token->indent };
	return token->instruction;
}

/* Text that continues the last instruction's in the source is added to it. */
static void
emit_text(struct compiler *compiler, struct token *token)
{
	struct instruction *next = compiler->next;

	if (token->dropped || token->text.size == 0)
		return;
	if (next > compiler->template->instructions &&
	    next[-1].operation == DO_TEXT &&
	    next[-1].text.data + next[-1].text.size == token->text.data)
		next[-1].text.size += token->text.size;
	else
		emit(compiler, token);
}

/* Splits a name in the data at its dots. "." has no parts. */
static bool
split_name(struct compiler *compiler, struct instruction *instruction)
{
	struct text rest = instruction->text, part;
	struct text *parts;
	size_t count = 1;

	if (text_equal(rest, TEXT(".")))
		return true;
	for (size_t i = 0; i < rest.size; i++)
		count += rest.data[i] == '.';
	parts = arena_new(compiler->arena, struct text, count);
	instruction->parts = parts;
	while (text_cut(&rest, '.', &part)) {
		if (part.size == 0)
			return mustache_fail(compiler->error,
			    compiler->template, instruction->at,
			    "'%.*s' has an empty part",
			    NAME_ARGS(instruction->text));
		parts[instruction->part_count++] = part;
	}
	return true;
}

static bool
emit_token(struct compiler *compiler, struct token *token)
{
	switch (token->operation) {
	case DO_NOTHING:
		return true;
	case DO_TEXT:
		emit_text(compiler, token);
		return true;
	case DO_END:
		token->mate->instruction->end = emit(compiler, token);
		return true;
	case DO_PARTIAL:
	case DO_PARENT:
	case DO_BLOCK:
		emit(compiler, token);
		return !token->dynamic ||
		    split_name(compiler, token->instruction);
	default:
		return split_name(compiler, emit(compiler, token));
	}
}

/* Whether a token is directly in a parent, where only blocks have a meaning. */
static bool
is_ignored(const struct token *token)
{
	const struct token *tag =
	    token->operation == DO_END ? token->mate : token;

	return token->outer->operation == DO_PARENT &&
	    tag->operation != DO_BLOCK;
}

bool
mustache_compile(struct arena *arena, struct mustache_template *template,
    struct mustache_error *error)
{
	struct compiler compiler = { arena, template, NULL, error };
	struct token *first = mustache_scan(arena, template, error), *token;
	size_t count = 0;

	if (first == NULL || !mustache_layout(template, first, error))
		return false;
	for (token = first->after; token != NULL; token = token->after)
		count++;
	template->instructions = arena_new(arena, struct instruction, count);
	compiler.next = template->instructions;
	for (token = first->after; token != NULL; token = token->after)
		if (token->after == NULL) {
			emit(&compiler, token);
		} else if (!is_ignored(token)) {
			if (!emit_token(&compiler, token))
				return false;
		} else if (token->mate != NULL) {
			token = token->mate;
		}
	return true;
}
