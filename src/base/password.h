/*
 * How soon a password would be guessed.
 */
#ifndef BASE_PASSWORD_H
#define BASE_PASSWORD_H

#include "base/text.h"

/*
 * Whether it is among the some ten thousand that are tried first: common ones,
 * words, names, keyboard patterns and dates with what is usually done to them,
 * as zxcvbn estimates (D. Wheeler, USENIX Security 2016). A few tens of
 * microseconds.
 */
bool password_is_common(struct text password);

#endif
