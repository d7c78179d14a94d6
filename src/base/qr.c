#include "base/qr.h"

#include <qrencode.h>

#include "base/arena.h"
#include "base/buffer.h"

enum { QUIET_ZONE = 4, DARK = 1 };

static bool
is_dark(const QRcode *code, int x, int y)
{
	return x < code->width &&
	    (code->data[(size_t)y * (size_t)code->width + (size_t)x] & DARK) !=
	    0;
}

/* A rectangle for each run of dark modules in a row. */
static void
add_row(struct buffer *path, struct arena *arena, const QRcode *code, int y)
{
	for (int x = 0; x < code->width; x++) {
		int start = x;

		while (is_dark(code, x, y))
			x++;
		if (x > start)
			buffer_add(path,
			    text_format(arena, "M%d %dh%dv1h-%dz",
				start + QUIET_ZONE, y + QUIET_ZONE, x - start,
				x - start));
	}
}

bool
qr_encode(struct arena *arena, struct text text, struct qr *qr)
{
	struct buffer path = buffer_in(arena, 4096);
	QRcode *code;

	if (text.size == 0 || text.size > INT16_MAX)
		return false;
	code = QRcode_encodeData(
	    (int)text.size, (const unsigned char *)text.data, 0, QR_ECLEVEL_M);
	if (code == NULL)
		return false;
	for (int y = 0; y < code->width; y++)
		add_row(&path, arena, code, y);
	qr->path = buffer_text(&path);
	qr->size = code->width + 2 * QUIET_ZONE;
	QRcode_free(code);
	return true;
}
