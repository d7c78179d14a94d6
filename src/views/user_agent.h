/*
 * Names browsers by their User-Agent header.
 */
#pragma once

#include "base/text.h"

/*
 * "Firefox on Linux", from a User-Agent header (RFC 9110, section 10.1.5); what is not
 * known is left out, and with neither it is "Unknown browser". The words that tell
 * browsers apart: MDN, "Browser detection using the user agent".
 */
struct text user_agent_name(struct arena *arena, struct text agent);
