#include "base/tls.h"

#include "base/arena.h"

#ifdef WITH_TLS

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <string.h>

#include "base/log.h"

static struct text
last_error(void)
{
	const char *reason = ERR_reason_error_string(ERR_peek_last_error());

	return reason == NULL ? TEXT("") : text_of(reason);
}

/* Of a file that cannot be read the first error says why, and the last only where. */
static struct text
file_error(void)
{
	unsigned long first = ERR_peek_error();

	return ERR_SYSTEM_ERROR(first)
	    ? text_of(strerror(ERR_GET_REASON(first)))
	    : last_error();
}

static bool
read_files(struct arena *arena, const struct tls_files *files, SSL_CTX *context,
    struct text *wrong)
{
	const char *certificate = text_string(arena, files->certificate);
	const char *key = text_string(arena, files->key);

	*wrong = files->authority;
	if (SSL_CTX_load_verify_locations(
		context, text_string(arena, files->authority), NULL) != 1)
		return false;
	if (files->certificate.size == 0)
		return true;
	*wrong = files->certificate;
	if (SSL_CTX_use_certificate_chain_file(context, certificate) != 1)
		return false;
	*wrong = files->key;
	return SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1;
}

struct ssl_ctx_st *
tls_open(struct arena *arena, const struct tls_files *files, struct text *why)
{
	SSL_CTX *context;
	struct text wrong;

	if (files->authority.size == 0) {
		*why = TEXT("the certificate of an authority has to be named");
		return NULL;
	}
	context = SSL_CTX_new(TLS_client_method());
	if (context == NULL)
		log_fatal("out of memory: no place for certificates");
	SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
	SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
	ERR_clear_error();
	if (read_files(arena, files, context, &wrong))
		return context;
	*why = text_format(arena, "\"%.*s\" cannot be used: %.*s",
	    TEXT_ARGS(wrong), TEXT_ARGS(file_error()));
	SSL_CTX_free(context);
	return NULL;
}

void
tls_close(struct ssl_ctx_st *tls)
{
	SSL_CTX_free(tls);
}

struct ssl_st *
tls_session(struct ssl_ctx_st *tls)
{
	SSL *session = SSL_new(tls);

	if (session == NULL)
		log_fatal("out of memory: no place for a connection");
	return session;
}

bool
tls_wants_read(const struct ssl_st *session)
{
	return SSL_want_read(session);
}

struct text
tls_error(const struct ssl_st *session)
{
	long result = SSL_get_verify_result(session);

	return result == X509_V_OK
	    ? last_error()
	    : text_of(X509_verify_cert_error_string(result));
}

#else

struct ssl_ctx_st *
tls_open(struct arena *arena, const struct tls_files *files, struct text *why)
{
	(void)arena;
	(void)files;
	*why =
	    TEXT("connections to Redis cannot be encrypted: this program was "
		 "built with a hiredis older than 1.0");
	return NULL;
}

void
tls_close(struct ssl_ctx_st *tls)
{
	(void)tls;
}

#endif
