/*
 * A line to a Redis that is cut once: when Redis has carried out a request and before
 * its answer arrives. Whoever talks over it cannot know, and asks again.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

enum { CUT_PATH = 108 };

struct cut {
	char path[CUT_PATH], redis[CUT_PATH]; /* unix sockets */
	int listener;
	pthread_t thread;
	atomic_int requests; /* how many came, but for greetings */
	atomic_int at;	     /* the number of the one that is cut; 0: none */
};

/* Listens at the path, and talks to the Redis at the other. */
void cut_open(struct cut *cut, const char *path, const char *redis);
void cut_close(struct cut *cut);
