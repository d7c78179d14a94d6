/*
 * Requests that workers send to the readers of the index for search. A request that is whole is
 * read in the same way when more follows, and is not whole without its last byte.
 */
#include "fuzz.h"

#include "search/resp.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text bytes = fuzz_text(data, size);
	struct resp_request request, again;

	if (resp_read(bytes, &request) != RESP_WHOLE)
		return 0;
	must(request.count > 0 && request.count <= RESP_WORDS_MAX);
	must(request.size <= size && request.size <= RESP_BYTES_MAX);
	for (size_t i = 0; i < request.count; i++)
		must(request.words[i].data >= bytes.data &&
		    request.words[i].data + request.words[i].size <
			bytes.data + request.size);
	must(resp_read(text_slice(bytes, 0, request.size), &again) ==
	    RESP_WHOLE);
	must(again.size == request.size && again.count == request.count);
	must(resp_read(text_slice(bytes, 0, request.size - 1), &again) ==
	    RESP_PARTIAL);
	return 0;
}
