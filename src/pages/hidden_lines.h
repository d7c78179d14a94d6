/*
 * What members hide as lines of text: the paths of what is hidden, and words behind a sign.
 *
 *	/articles/7
 *	/u/ann			"@ann" is read, too
 *	/g/redis
 *	/from/example.org
 *	=machine learning
 */
#pragma once

#include "lists/hidden.h"
#include "pages/page.h"
#include "store/hidden.h"
#include "views/hidden.h"

/* Names the rules of the viewer, as rows of the page that lists them, which have room for count;
 * *lines is all of them as text. */
STORE_CALL hidden_lines_name(struct page *page, const struct hidden_rule *rules,
    size_t count, struct hidden_row *rows, struct text *lines);

/* The address of what a rule names, to which "/hide" is added to change the rule; empty for
 * words. name is that of a member. */
struct text hidden_href(
    struct arena *arena, const struct hidden_rule *what, struct text name);

/* The lines that are not empty. */
size_t hidden_lines_count(struct text text);

enum { HIDDEN_LINES_PROBLEMS = 20 };

/* The rules of lines, each once, and a sentence for each line that is none, of the first of them:
 * at most HIDDEN_LINES_PROBLEMS. */
struct hidden_lines {
	struct hidden_rule *rules;
	size_t count;
	struct text *problems;
	size_t problem_count;
	bool has_own; /* a line names the viewer, which is a problem */
};
enum hidden_lines_use {
	LINES_TO_HIDE, /* what they name exists, and is not the viewer */
	LINES_TO_SHOW  /* it may have been deleted */
};

/* A line takes 20 microseconds: the caller has counted them. */
STORE_CALL hidden_lines_read(struct page *page, enum hidden_lines_use use,
    struct text text, struct hidden_lines *lines);

/* The button that hides what a page is about, or shows it again; nothing for visitors. name is
 * what it says. */
STORE_CALL hidden_button(struct page *page, const struct hidden_rule *what,
    struct text name, struct hide_model *model);
