/*
 * The form in which a comment is written, where it stands on another page.
 */
#pragma once

#include "views/thread.h"

/* With nothing in it. */
struct reply_form reply_empty_form(void);
