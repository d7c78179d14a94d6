#include "store/outbox.h"

bool
outbox_read_id(struct text text, struct outbox_id *id)
{
	struct text moment;

	return text_cut(&text, '-', &moment) &&
	    text_to_u64(moment, &id->moment) && text_to_u64(text, &id->number);
}

bool
outbox_next_recipient(struct text *to, struct recipient *recipient)
{
	struct text word, id;

	return text_next_word(to, &word) && text_cut(&word, '=', &id) &&
	    text_to_u64(id, &recipient->user) && recipient->user > 0 &&
	    notice_parse(word, &recipient->reason);
}

/* True if every word is a recipient, for a reason that fits, and there is one. */
static bool
are_recipients(struct text to, bool is_action)
{
	struct recipient recipient;
	struct text word;
	size_t words = 0, recipients = 0;

	for (struct text rest = to; text_next_word(&rest, &word);)
		words++;
	while (outbox_next_recipient(&to, &recipient))
		recipients += (recipient.reason == NOTICE_ACTION) == is_action;
	return words > 0 && recipients == words;
}

/* Reads alternate names and values; ignores names of later versions. */
static bool
read_fields(const struct reply *fields, struct outbox_entry *entry)
{
	struct text post = TEXT(""), by = TEXT(""), act = TEXT("");

	for (size_t i = 0; i + 1 < fields->count; i += 2) {
		struct text name = reply_text(reply_item(fields, i));
		struct text value = reply_text(reply_item(fields, i + 1));

		if (text_equal(name, TEXT("post")))
			post = value;
		else if (text_equal(name, TEXT("by")))
			by = value;
		else if (text_equal(name, TEXT("act")))
			act = value;
		else if (text_equal(name, TEXT("to")))
			entry->to = value;
	}
	if (act.size > 0)
		return text_to_u64(act, &entry->action) && entry->action > 0 &&
		    are_recipients(entry->to, true);
	return key_read_post_name(post, &entry->comment) &&
	    entry->comment.comment > 0 && text_to_u64(by, &entry->author) &&
	    are_recipients(entry->to, false);
}

enum outbox_result
outbox_read(const struct reply *item, struct outbox_entry *entry)
{
	const struct reply *fields = reply_item(item, 1);
	struct outbox_id id;

	*entry = (struct outbox_entry){ .id = reply_text(reply_item(item, 0)) };
	if (!outbox_read_id(entry->id, &id))
		return OUTBOX_NO_ENTRY;
	if (fields->kind != REPLY_LIST || read_fields(fields, entry))
		return OUTBOX_OK;
	entry->to = TEXT("");
	return OUTBOX_MALFORMED;
}
