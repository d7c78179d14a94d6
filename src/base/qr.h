/*
 * QR codes (ISO/IEC 18004), from libqrencode, as a path of SVG.
 */
#pragma once

#include "base/text.h"

struct qr {
	/* The dark modules, each of a unit: "M4 4h7v1h-7z...". */
	struct text path;
	int64_t size; /* units a side, with the quiet zone around it */
};

/* False when the text is too long, or empty. */
bool qr_encode(struct arena *arena, struct text text, struct qr *qr);
