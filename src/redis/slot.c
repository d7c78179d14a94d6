#include "redis/slot.h"

#include <string.h>

/* CRC-16/XMODEM: polynomial 0x1021, from 0, the highest bit first. */
static unsigned
crc16(struct text text)
{
	unsigned crc = 0;

	for (size_t i = 0; i < text.size; i++) {
		crc ^= (unsigned)(unsigned char)text.data[i] << 8;
		for (int bit = 0; bit < 8; bit++)
			crc = (crc << 1 ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
	}
	return crc;
}

static struct text
tag_of(struct text key)
{
	struct text tag;

	if (text_cut(&key, '{', &tag) && text_cut(&key, '}', &tag) &&
	    key.data != NULL && tag.size > 0)
		return tag;
	return (struct text){ NULL, 0 };
}

unsigned
cluster_slot(struct text key)
{
	struct text tag = tag_of(key);

	return crc16(tag.size > 0 ? tag : key) % CLUSTER_SLOTS;
}
