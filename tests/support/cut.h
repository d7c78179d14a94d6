/*
 * A proxy in front of Redis that drops the connection once: after Redis has executed a
 * request and before the reply arrives. The client cannot tell, and sends it again.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

enum { CUT_PATH = 108 };

struct cut {
	char path[CUT_PATH], redis[CUT_PATH]; /* unix sockets */
	int listener;
	pthread_t thread;
	atomic_int requests; /* so far, without handshakes */
	atomic_int at;	     /* the request whose reply is dropped; 0: none */
};

/* Listens at path, and forwards to the Redis that listens at redis. */
void cut_open(struct cut *cut, const char *path, const char *redis);
void cut_close(struct cut *cut);
