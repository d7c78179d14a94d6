/*
 * Certificates and sessions for encrypted connections to Redis: the only file that
 * includes OpenSSL.
 *
 * Both ends present certificates of one private authority; any certificate of it is
 * trusted, whatever its name, as among nodes of Redis. WITH_TLS is defined where
 * hiredis supports TLS (1.0 and later); elsewhere tls_open fails with the reason.
 */
#pragma once

#include "base/text.h"

struct arena;
struct ssl_ctx_st; /* OpenSSL's SSL_CTX */
struct ssl_st;	   /* and SSL */

/* Names of PEM files. certificate and key are empty for a client without them. */
struct tls_files {
	struct text authority, certificate, key;
};

/* Reads the files; NULL, with the reason in *why, on failure. */
struct ssl_ctx_st *tls_open(
    struct arena *arena, const struct tls_files *files, struct text *why);
void tls_close(struct ssl_ctx_st *tls);

#ifdef WITH_TLS

/* A session for one connection, which takes ownership. */
struct ssl_st *tls_session(struct ssl_ctx_st *tls);

/* Whether the session must read before it can write. */
bool tls_wants_read(const struct ssl_st *session);

/* The fault of the peer's certificate or of the session; empty when the connection ended
 * for another reason. */
struct text tls_error(const struct ssl_st *session);

#endif
