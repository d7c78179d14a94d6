/*
 * How easily a password would be guessed.
 */
#pragma once

#include "base/text.h"

/*
 * Whether it is among the ten thousand or so that are tried first: common ones,
 * words, names, keyboard patterns and dates with the usual variations, as
 * zxcvbn estimates (D. Wheeler, USENIX Security 2016). Takes a few tens of
 * microseconds.
 */
bool password_is_common(struct text password);
