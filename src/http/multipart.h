/*
 * multipart/form-data (RFC 7578), as browsers send forms with files.
 *
 * Strict: the body begins with the boundary and ends with the last one, each part has one
 * Content-Disposition with a name, and a name is there once. Other fields of a part's head
 * are ignored: what a file is follows from its bytes.
 */
#pragma once

#include "http/pairs.h"

/* True for the Content-Type of such a form, with any boundary. */
bool multipart_is(struct text content_type);

/*
 * Parses a body. A part with a file name is one of files, any other of fields, whose names
 * and values are UTF-8. Both point into the body.
 */
enum pairs_result multipart_parse(struct arena *arena, struct text content_type,
    struct text body, struct pairs *fields, struct pairs *files);
