/* Prints the sentences of templates as a template of a catalog: sentences FILE... */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "mustache/sentences.h"

static void
print_quoted(struct text text)
{
	putchar('"');
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] == '"' || text.data[i] == '\\')
			putchar('\\');
		putchar(text.data[i]);
	}
	puts("\"");
}

static int
line_of(struct text source, struct text sentence)
{
	int line = 1;

	for (const char *at = source.data; at < sentence.data; at++)
		line += *at == '\n';
	return line;
}

static bool
print_sentences(struct arena *arena, const char *name)
{
	int file = file_open(AT_FDCWD, name);
	struct text source, sentence;
	struct sentences sentences;

	if (file < 0 || !file_read(arena, file, &source))
		return false;
	sentences = sentences_of(source);
	while (sentences_next(&sentences, &sentence)) {
		printf("\n#: %s:%d\nmsgid ", name, line_of(source, sentence));
		print_quoted(sentence);
		puts("msgstr \"\"");
	}
	return true;
}

int
main(int count, char **names)
{
	struct arena arena = { 0 };

	puts("msgid \"\"\nmsgstr \"\"\n"
	     "\"Content-Type: text/plain; charset=UTF-8\\n\"");
	for (int i = 1; i < count; i++)
		if (!print_sentences(&arena, names[i])) {
			perror(names[i]);
			return 1;
		}
	arena_free(&arena);
	return 0;
}
