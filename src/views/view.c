#include "views/view.h"

static const struct mustache_field frame_fields[] = {
	MUSTACHE_PLAIN(struct frame, csrf),
	MUSTACHE_PLAIN(struct frame, here),
	MUSTACHE_PLAIN(struct frame, here_encoded),
	MUSTACHE_PLAIN(struct frame, viewer),
	MUSTACHE_PLAIN(struct frame, signed_in),
};
const struct mustache_type frame_type =
    MUSTACHE_TYPE(struct frame, frame_fields);
