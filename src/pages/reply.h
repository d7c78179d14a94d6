/*
 * The comment form, as other pages have it.
 */
#pragma once

#include "views/thread.h"

/* Without any input. */
struct reply_form reply_empty_form(void);
