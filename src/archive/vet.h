/*
 * What a record of a dump has to be before it is written: the site's rules, as
 * far as they can be told without asking Redis.
 */
#pragma once

#include "archive/record.h"

/*
 * What is wrong with the record, as a clause; empty when nothing is. Texts stay
 * exactly as they are; a post's closes is filled in when it is 0. words tells
 * what a rule has against a value.
 */
struct text vet_record(struct arena *arena, const struct rules *rules,
    problem_words *words, struct record *record);
