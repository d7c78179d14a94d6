#include "pages/etag.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/crypto.h"
#include "base/log.h"

enum { GENERATION_BYTES = 8, DIGEST_DIGITS = 32 };

struct etags {
	/* Shared: how often one of the workers had a new connection. */
	atomic_ullong *connections;
	struct text start; /* random */
	uint64_t epoch;	   /* of this worker's connection */
};

struct etags *
etags_new(struct arena *arena)
{
	struct etags *etags = arena_new(arena, struct etags, 1);
	void *shared = mmap(NULL, sizeof(*etags->connections),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		log_fatal("cannot share memory: %s", strerror(errno));
	*etags = (struct etags){ .connections = shared,
		.start = crypto_random_hex(arena, GENERATION_BYTES) };
	return etags;
}

void
etags_free(struct etags *etags)
{
	if (etags != NULL)
		munmap(etags->connections, sizeof(*etags->connections));
}

static unsigned long long
current_generation(struct etags *etags, uint64_t epoch)
{
	if (etags->epoch != epoch) {
		etags->epoch = epoch;
		atomic_fetch_add(etags->connections, 1);
	}
	return atomic_load(etags->connections);
}

/* Not where each reader may have another address, and not while a master is away. */
static bool
has_etag(const struct page *page)
{
	return page->app->etags != NULL &&
	    (!page_is_signed_in(page) || page->is_keyed) &&
	    page->versions != NULL && !page->versions->is_partial &&
	    !pairs_has(&page->request->query, TEXT("fold"));
}

static bool
not_modified(struct page *page)
{
	page->response->etag = page->request->if_none_match;
	page->response->cache = page->is_keyed ? CACHE_NEVER : CACHE_ONE_SECOND;
	page->response->is_unrendered = true;
	return true;
}

static struct text
common_of(struct page *page)
{
	struct buffer common = buffer_in(page->arena, 96);

	buffer_add_number(&common, (int64_t)page->settings_held->version);
	if (versions_have_interesting(page->versions))
		buffer_add_char(&common, 'i');
	if (page_announces(page))
		buffer_add_char(&common, 'a');
	buffer_add_char(&common, '.');
	buffer_add(&common, page->app->etags->start);
	buffer_add_number(&common,
	    (int64_t)current_generation(
		page->app->etags, store_epoch(page->store)));
	buffer_add_char(&common, '.');
	return buffer_text(&common);
}

/* What a tag begins with: a version, as of the edits of a bucket. */
static struct text
start_of(struct page *page, uint64_t version)
{
	struct buffer start = buffer_in(page->arena, 32);

	buffer_add(&start, TEXT("W/\""));
	buffer_add_number(&start, (int64_t)version);
	buffer_add_char(&start, '.');
	return buffer_text(&start);
}

bool
etag_begin(struct page *page, struct etag *etag)
{
	struct text sent = page->request->if_none_match;
	const struct versions *versions = page->versions;
	struct post_id id;
	uint64_t bucket;

	*etag = (struct etag){ .edits = { NULL, 0 } };
	if (!has_etag(page) || !path_post_id(page, &id))
		return false;
	bucket = key_bucket_of(&page->store->buckets, id.article);
	etag->common = common_of(page);
	etag->edits = start_of(
	    page, versions_stamp(versions, bucket, VERSIONS_EDITS).version);
	return text_starts(
		   sent, text_join(page->arena, etag->edits, etag->common)) &&
	    not_modified(page);
}

static void
add_fields(struct buffer *bytes, struct arena *arena,
    const struct schema *schema, const void *noun)
{
	struct text words[2 * SCHEMA_MAX];
	size_t count = schema_words(arena, schema, noun, words);

	for (size_t i = 0; i < count; i++) {
		buffer_add_number(bytes, (int64_t)words[i].size);
		buffer_add_char(bytes, ' ');
		buffer_add(bytes, words[i]);
	}
}

static struct text
digest_of(struct arena *arena, const struct found_post *found)
{
	const struct article *article = &found->article;
	struct buffer bytes = buffer_in(arena, 1024);

	add_fields(&bytes, arena, &article_schema, article);
	buffer_add_number(&bytes, (int64_t)article->thread.version);
	if (found->comment.post.id.comment != 0)
		add_fields(&bytes, arena, &comment_schema, &found->comment);
	return text_slice(crypto_digest_hex(arena, (struct text){ NULL, 0 },
			      buffer_text(&bytes)),
	    0, DIGEST_DIGITS);
}

bool
etag_match(struct page *page, struct etag *etag, const struct found_post *found)
{
	struct text rest = page->request->if_none_match, edits, own;

	if (etag->edits.size == 0 ||
	    !article_is_final(&page->store->rules, &found->article, found->now))
		return false;
	etag->digest = digest_of(page->arena, found);
	own = text_format(page->arena, "%.*s%.*s\"", TEXT_ARGS(etag->common),
	    TEXT_ARGS(etag->digest));
	return text_cut(&rest, '.', &edits) && text_equal(rest, own) &&
	    not_modified(page);
}

enum http_status
etag_send(struct page *page, const struct etag *etag, enum http_status status)
{
	if (etag->digest.size == 0 || status != HTTP_OK)
		return status;
	page->response->etag =
	    text_format(page->arena, "%.*s%.*s%.*s\"", TEXT_ARGS(etag->edits),
		TEXT_ARGS(etag->common), TEXT_ARGS(etag->digest));
	if (!page_is_feed(page))
		page->response->cache = CACHE_ONE_SECOND;
	return status;
}

/* Takes the next tag of a list of tags. */
static bool
next_tag(struct text *tags, struct text *tag)
{
	if (!text_cut(tags, ',', tag))
		return false;
	*tag = text_trim(*tag);
	return true;
}

bool
etag_begin_feed(struct page *page, struct etag *etag, enum etag_source source)
{
	struct text tags = page->request->if_none_match, tag, start;

	*etag = (struct etag){ .edits = { NULL, 0 } };
	if (!has_etag(page))
		return false;
	etag->common = common_of(page);
	etag->edits = start_of(page,
	    source == ETAG_OF_POSTS
		? versions_posts_stamp(page->versions).version
		: 0);
	start = text_join(page->arena, etag->edits, etag->common);
	while (source == ETAG_OF_POSTS && next_tag(&tags, &tag))
		if (text_starts(tag, start)) {
			not_modified(page);
			page->response->etag = tag;
			return true;
		}
	return false;
}

/* The reader is given the present tag, of which the first part may be another one. */
bool
etag_match_feed(struct page *page, struct etag *etag, struct text digest)
{
	struct text tags = page->request->if_none_match, tag, edits, own;

	if (etag->edits.size == 0)
		return false;
	etag->digest = text_slice(digest, 0, DIGEST_DIGITS);
	own = text_format(page->arena, "%.*s%.*s\"", TEXT_ARGS(etag->common),
	    TEXT_ARGS(etag->digest));
	while (next_tag(&tags, &tag))
		if (text_cut(&tag, '.', &edits) && text_equal(tag, own)) {
			not_modified(page);
			page->response->etag =
			    text_join(page->arena, etag->edits, own);
			return true;
		}
	return false;
}
