/*
 * Finds the page that answers a request, by the table in pages/routes.h, and runs it
 * behind its guards: host, address, origin and token, session, access and rate limit.
 * Counts each request by its row and its status (base/counters.h).
 */
#pragma once

#include "pages/page.h"

/* Answers any request, also one that is malformed. The response lives as long as the
 * arena. */
void dispatch_request(const struct app *app, struct arena *arena,
    struct request *request, struct response *response);

/* The path of a row of the table, "/articles/:id", and then those of feeds,
 * "/articles/:id.atom", which stands for both formats; empty after the last. */
struct text dispatch_path(size_t row);
