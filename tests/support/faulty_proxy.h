/*
 * A proxy in front of Redis that drops the connection once: after Redis has executed a
 * request and before the reply arrives. The client cannot tell, and sends it again.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

enum { FAULTY_PROXY_PATH = 108 };

struct faulty_proxy {
	char path[FAULTY_PROXY_PATH],
	    redis[FAULTY_PROXY_PATH]; /* unix sockets */
	int listener;
	pthread_t thread;
	atomic_int requests; /* so far, without handshakes */
	atomic_int drop_at;  /* the request whose reply is dropped; 0: none */
};

/* Listens at path, and forwards to the Redis that listens at redis. */
void faulty_proxy_open(
    struct faulty_proxy *proxy, const char *path, const char *redis);
void faulty_proxy_close(struct faulty_proxy *proxy);
