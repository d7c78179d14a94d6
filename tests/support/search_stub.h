/*
 * A stand-in for the search process, which answers as the test says: with any ids, late, with
 * errors, with what is no answer, or not at all.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { SEARCH_STUB_PATH = 108, SEARCH_STUB_BYTES = 4096 };

struct search_stub {
	char path[SEARCH_STUB_PATH];
	/* The words of the last SEARCH, separated by '|'; read it between requests. */
	char asked[SEARCH_STUB_BYTES];
	atomic_int searches; /* so far */
	/* Below: private. */
	int listener;
	atomic_int client; /* -1: none */
	pthread_t thread;
	pthread_mutex_t lock;
	char answer[SEARCH_STUB_BYTES];
};

/* Listens at path, which may exist from an earlier one. Finds nothing at first. */
void search_stub_open(struct search_stub *stub, const char *path);
void search_stub_close(struct search_stub *stub);

/* What it answers from now on: that it found these ids, separated by spaces. */
void search_stub_find(
    struct search_stub *stub, const char *outcome, int total, const char *ids);

/* Any bytes; none: it is silent. STATE is answered with half an index built. */
void search_stub_answer(struct search_stub *stub, const char *bytes);
