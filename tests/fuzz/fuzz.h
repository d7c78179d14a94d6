/*
 * What the fuzz targets share. Each is a program of its own: libFuzzer calls it
 * with one input after the other, and tests/fuzz/fuzz_test runs them all.
 *
 * A target looks for more than crashes: it states what has to be true of every
 * input, and an input that breaks it is a finding.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/text.h"

/* A finding, unless it holds. */
#define must(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: does not hold: %s\n", \
			    __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An input, as the code under test takes it. */
static inline struct text
fuzz_text(const uint8_t *data, size_t size)
{
	return (struct text){ (const char *)data, size };
}

/* Whether part lies within whole. */
static inline bool
fuzz_is_within(struct text part, struct text whole)
{
	return part.size == 0 ||
	    (part.data >= whole.data &&
		part.data + part.size <= whole.data + whole.size);
}

/* Whether all of it is printable ASCII, without spaces. */
static inline bool
fuzz_is_printable(struct text text)
{
	for (size_t i = 0; i < text.size; i++)
		if (text.data[i] <= ' ' || text.data[i] > '~')
			return false;
	return true;
}
