/*
 * Shared by the fuzz targets. Each is a program that libFuzzer calls with one input
 * after the other; tests/fuzz/fuzz_test runs them all.
 *
 * Targets look for more than crashes: they assert what must be true of every input,
 * and an input that breaks an assertion is a finding.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/text.h"

/* A finding if it is false. */
#define must(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: does not hold: %s\n", \
			    __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An input as a text. */
static inline struct text
fuzz_text(const uint8_t *data, size_t size)
{
	return (struct text){ (const char *)data, size };
}

/* True if part lies within whole. */
static inline bool
fuzz_is_within(struct text part, struct text whole)
{
	return part.size == 0 ||
	    (part.data >= whole.data &&
		part.data + part.size <= whole.data + whole.size);
}

/* True if all of it is printable ASCII, without spaces. */
static inline bool
fuzz_is_printable(struct text text)
{
	for (size_t i = 0; i < text.size; i++)
		if (text.data[i] <= ' ' || text.data[i] > '~')
			return false;
	return true;
}
