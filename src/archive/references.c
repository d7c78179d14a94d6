#include "archive/references.h"

#include "archive/noun.h"

struct text
references_member_key(struct arena *arena, struct text name)
{
	return text_join(arena, TEXT("@"), text_lower(arena, name));
}

struct text
references_group_key(struct arena *arena, struct text name)
{
	return text_join(arena, TEXT("/g/"), name);
}

static void
visit_reference(struct references *references, struct reference reference)
{
	if (references->result == STORE_OK)
		references->result =
		    references->visit(references->data, &reference);
}

void
references_member(struct references *references, struct member *member)
{
	visit_reference(references,
	    (struct reference){ .kind = REFERENCE_MEMBER,
		.name = member->name,
		.member = member });
}

void
references_member_or_nobody(
    struct references *references, struct member *member)
{
	visit_reference(references,
	    (struct reference){ .kind = REFERENCE_MEMBER,
		.name = member->name,
		.member = member,
		.may_be_nobody = true });
}

void
references_member_name(struct references *references, struct text name)
{
	visit_reference(references,
	    (struct reference){
		REFERENCE_MEMBER, REFERENCE_ANYWHERE, .name = name });
}

void
references_group(
    struct references *references, struct text name, enum reference_order order)
{
	visit_reference(references,
	    (struct reference){ REFERENCE_GROUP, order, .name = name });
}

void
references_post(struct references *references, struct post_id id)
{
	visit_reference(references,
	    (struct reference){ .kind = REFERENCE_POST, .post = id });
}

void
references_links(struct references *references, struct text links)
{
	struct text link;

	while (text_next_word(&links, &link))
		if (text_starts(link, TEXT("@")))
			references_member_name(
			    references, text_slice(link, 1, link.size));
		else
			references_group(references,
			    text_slice(link, 3, link.size), REFERENCE_ANYWHERE);
}

enum store_result
references_visit(struct record *record, reference_visit *visit, void *data)
{
	struct references references = { visit, data, STORE_OK };

	if (nouns[record->kind]->references != NULL)
		nouns[record->kind]->references(&references, record);
	return references.result;
}
