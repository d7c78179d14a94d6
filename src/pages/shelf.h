/*
 * Pieces of HTML, kept under all that they were made from: a line of a list, or a
 * whole page for readers who are not signed in. Who makes the same from the same
 * again takes it from here; nothing is ever out of date.
 */
#ifndef PAGES_SHELF_H
#define PAGES_SHELF_H

#include "base/text.h"

struct shelf;

/* With places for so many pieces; a new one may take the place of another. */
struct shelf *shelf_new(size_t places);

/* Forgets all of them. */
void shelf_clear(struct shelf *shelf);

/* made_from is compared byte by byte. The piece found is copied to the arena. A
 * NULL shelf is empty, and stays so. */
bool shelf_find(const struct shelf *shelf, struct arena *arena,
    struct text made_from, struct text *html);
void shelf_keep(struct shelf *shelf, struct text made_from, struct text html);

#endif
