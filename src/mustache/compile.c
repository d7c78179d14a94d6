#include "mustache/compile.h"

#include "base/arena.h"
#include "mustache/error.h"
#include "mustache/layout.h"

struct compiler {
	struct arena *arena;
	struct mustache_template *template;
	struct tokens tokens;
	size_t count; /* of instructions so far */
	struct mustache_error *error;
};

static struct instruction *
emit(struct compiler *compiler, enum operation operation,
    const struct token *token)
{
	struct instruction *instruction =
	    &compiler->template->instructions[compiler->count++];

	*instruction = (struct instruction){ .operation = operation,
		.dynamic = token->dynamic,
		.standalone = token->standalone,
		.at = token->at,
		.text = token->text,
		.indent = token->indent };
	return instruction;
}

/* Text that goes on where the text before it ended is one run with it. */
static void
emit_text(struct compiler *compiler, const struct token *token)
{
	if (token->text.size == 0)
		return;
	if (compiler->count > 0) {
		struct instruction *last =
		    &compiler->template->instructions[compiler->count - 1];

		if (last->operation == DO_TEXT &&
		    last->text.data + last->text.size == token->text.data) {
			last->text.size += token->text.size;
			return;
		}
	}
	emit(compiler, DO_TEXT, token);
}

/* Splits a name in the data at its dots. "." is no part at all. */
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
			    "'%.*s' has nothing before, between or after dots",
			    TEXT_ARGS(mustache_clip(instruction->text)));
		parts[instruction->part_count++] = part;
	}
	return true;
}

static bool
emit_tag(struct compiler *compiler, struct token *token)
{
	static const enum operation operations[] = {
		[TOKEN_VALUE] = DO_VALUE,
		[TOKEN_RAW_VALUE] = DO_RAW_VALUE,
		[TOKEN_SECTION] = DO_SECTION,
		[TOKEN_INVERTED] = DO_INVERTED,
		[TOKEN_PARTIAL] = DO_PARTIAL,
		[TOKEN_PARENT] = DO_PARENT,
		[TOKEN_BLOCK] = DO_BLOCK,
	};
	struct instruction *instruction;

	token->instruction = compiler->count;
	instruction = emit(compiler, operations[token->kind], token);
	switch (token->kind) {
	case TOKEN_PARTIAL:
	case TOKEN_PARENT:
		return !token->dynamic || split_name(compiler, instruction);
	case TOKEN_BLOCK:
		return true;
	default:
		return split_name(compiler, instruction);
	}
}

static void
emit_end(struct compiler *compiler, const struct token *token)
{
	const struct token *open = &compiler->tokens.items[token->mate];

	compiler->template->instructions[open->instruction].end =
	    emit(compiler, DO_END, token);
}

static bool
is_block(const struct compiler *compiler, const struct token *token)
{
	return token->kind == TOKEN_BLOCK ||
	    (token->kind == TOKEN_CLOSE &&
		compiler->tokens.items[token->mate].kind == TOKEN_BLOCK);
}

/* Whether a token is in a parent, where all that is no block is ignored. */
static bool
is_ignored(const struct compiler *compiler, const struct token *token)
{
	return token->outer != TOKEN_NONE &&
	    compiler->tokens.items[token->outer].kind == TOKEN_PARENT &&
	    !is_block(compiler, token);
}

static bool
emit_all(struct compiler *compiler)
{
	const struct tokens *tokens = &compiler->tokens;

	for (size_t i = 0; i < tokens->count; i++) {
		struct token *token = &tokens->items[i];

		if (is_ignored(compiler, token)) {
			if (token->mate != TOKEN_NONE)
				i = token->mate;
			continue;
		}
		switch (token->kind) {
		case TOKEN_TEXT:
			if (!token->dropped)
				emit_text(compiler, token);
			break;
		case TOKEN_COMMENT:
		case TOKEN_DELIMITERS:
			break;
		case TOKEN_CLOSE:
			emit_end(compiler, token);
			break;
		default:
			if (!emit_tag(compiler, token))
				return false;
		}
	}
	emit(compiler, DO_END, &(struct token){ .kind = TOKEN_CLOSE });
	return true;
}

bool
mustache_compile(struct arena *arena, struct mustache_template *template,
    struct mustache_error *error)
{
	struct compiler compiler = {
		.arena = arena, .template = template, .error = error
	};

	if (!mustache_scan(arena, template, &compiler.tokens, error) ||
	    !mustache_lay_out(template, &compiler.tokens, error))
		return false;
	template->instructions =
	    arena_new(arena, struct instruction, compiler.tokens.count + 1);
	return emit_all(&compiler);
}
