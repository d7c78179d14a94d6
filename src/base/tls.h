/*
 * Certificates for encrypted connections, and their sessions: the only file that
 * includes OpenSSL.
 *
 * Both ends show certificates of one authority, which is their own: whoever has one
 * is trusted under any name, as nodes of Redis trust each other. WITH_TLS is defined
 * where hiredis can encrypt (1.0 and later); elsewhere there are no sessions, and
 * opening says so.
 */
#pragma once

#include "base/text.h"

struct arena;
struct ssl_ctx_st; /* what was read is OpenSSL's own, */
struct ssl_st;	   /* and so is a session */

/* Names of files in PEM. Who shows no certificate has neither that nor its key. */
struct tls_files {
	struct text authority, certificate, key;
};

/* Reads the files; NULL, with *why in the arena, when that fails. */
struct ssl_ctx_st *tls_open(
    struct arena *arena, const struct tls_files *files, struct text *why);
void tls_close(struct ssl_ctx_st *tls);

#ifdef WITH_TLS

/* For one connection, which owns it from then on. */
struct ssl_st *tls_session(struct ssl_ctx_st *tls);

/* Whether it has to read before it can write. */
bool tls_wants_read(const struct ssl_st *session);

/* What is wrong with the certificate that was shown, or with the session; empty when
 * it is something else that ended the connection. */
struct text tls_error(const struct ssl_st *session);

#endif
