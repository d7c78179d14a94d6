/*
 * From a request to the page that answers it: finds its row in routes.h, leads whoever
 * asked by another address to the one that the page has, loads the session, and checks
 * access, origin, token and limit before the page runs.
 */
#pragma once

#include "pages/page.h"

/* Answers a request, whatever it is. */
void dispatch_request(const struct app *app, struct arena *arena,
    struct request *request, struct response *response);
