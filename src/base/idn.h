/*
 * International host names: stored as in DNS ("xn--mnchen-3ya.example"), displayed in
 * Unicode where that cannot deceive. Converted by libidn2, which needs no locale and
 * opens no file.
 *
 * Letters of different scripts can look the same, so a name is shown label by
 * label, and an "xn--" label is decoded only when
 *
 * - all its letters are of one script. This is the restriction level "Highly
 *   Restrictive" of UTS #39 (Unicode Security Mechanisms, section 5.2), which
 *   Chromium and Firefox apply as well: Han may be mixed with kana (Japanese),
 *   with Bopomofo (Chinese) or with Hangul (Korean), and digits and hyphens
 *   with anything. It is stricter here in that Latin letters may be mixed with
 *   no other script. The scripts are those that UAX #31 recommends for
 *   identifiers (its table 5), by their blocks or the part of them in everyday
 *   use; anything else, such as a combining accent or a joiner, keeps the label
 *   encoded;
 * - at least one of them does not look like an ASCII letter or digit. Chromium
 *   keeps "xn--80ak6aa92e" encoded by the same rule: it is Cyrillic that reads
 *   as "apple". The lookalikes are Chromium's (idn_spoof_checker.cc). Unlike
 *   Chromium, this makes no exception for domains such as .ru, and does not
 *   compare names to those of well-known sites: accents are left to the reader;
 * - encoded again, it is the same label.
 */
#pragma once

#include "base/text.h"

/*
 * The host in ASCII and in lower case, by IDNA 2008 and UTS #46 without the
 * transitional mappings, so that the German sharp s is not "ss". False when
 * libidn2 refuses it (symbols, hyphens at an end, a label of more than 63
 * bytes, a host of more than 253, invalid UTF-8), when a label before the last
 * dot is empty, and when the result begins with '-' or contains anything but
 * letters, digits, '-', '_' and '.'.
 */
bool idn_encode(struct arena *arena, struct text host, struct text *encoded);

/* Decodes the safe labels of a host in ASCII and lower case. */
struct text idn_display(struct arena *arena, struct text host);
