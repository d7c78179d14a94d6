#include "base/domain.h"

#include <libpsl.h>
#include <string.h>

/* An IPv6 address, or a name that browsers take for one of IPv4: its last label is a number. */
static bool
is_address(struct text host)
{
	struct text label = { NULL, 0 };
	uint64_t number;

	if (text_starts(host, TEXT("[")))
		return true;
	while (text_cut(&host, '.', &label))
		;
	return text_to_u64(label, &number) || text_starts(label, TEXT("0x"));
}

struct text
domain_registrable(struct arena *arena, struct text host)
{
	const char *name;
	size_t size;

	if (is_address(host))
		return host;
	name = psl_registrable_domain(psl_builtin(), text_string(arena, host));
	/* Such a label is in no name of DNS, and begins no host of a link (url_check). */
	if (name == NULL || name[0] == '.' || name[0] == '-')
		return host;
	size = strlen(name);
	return text_slice(host, host.size - size, size);
}

int64_t
domain_list_time(void)
{
	return psl_builtin_file_time();
}
