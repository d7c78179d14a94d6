#include "archive/noun.h"
#include "archive/record.h"

#define DECLARE(kind, row) extern const struct noun row;
RECORD_NOUNS(DECLARE)

#define ROW(kind, row) [kind] = &(row),
const struct noun *const nouns[RECORD_KINDS] = { RECORD_NOUNS(ROW) };
