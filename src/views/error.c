#include "base/text.h"
#include "views/models.h"

static const struct {
	int status;
	struct text title, happened, advice;
} errors[] = {
	{ 400, TEXT_INIT("That request made no sense"),
	    TEXT_INIT("Something in the address or in what was sent is not in "
		      "the form that this page takes."),
	    TEXT_INIT(
		"Check the address, or go back and try the form again.") },
	{ 401, TEXT_INIT("You are not logged in"),
	    TEXT_INIT("Your session has ended, so nothing was saved. What you "
		      "typed is below."),
	    TEXT_INIT("Log in in another tab, come back here, and send it "
		      "again.") },
	{ 403, TEXT_INIT("That is not allowed"),
	    TEXT_INIT("Either the form was no longer valid, or this is "
		      "something that you may not do. Nothing was changed."),
	    TEXT_INIT("If you came from a form of this site, go back, load "
		      "the page again and send it once more.") },
	{ 404, TEXT_INIT("There is no such page"),
	    TEXT_INIT("Nothing on this site has that address."),
	    TEXT_INIT("Check it for a typing mistake, or look for what you "
		      "want on the front page.") },
	{ 405, TEXT_INIT("That cannot be done here"),
	    TEXT_INIT("This address exists, but it does not take a request of "
		      "that kind."),
	    TEXT_INIT("Follow the links and forms of the site instead of the "
		      "address alone.") },
	{ 409, TEXT_INIT("Voting has ended"),
	    TEXT_INIT("The time in which this article takes votes is over. "
		      "Its score and its votes stay as they are."),
	    TEXT_INIT("Votes on newer articles still count.") },
	{ 410, TEXT_INIT("This article was removed"),
	    TEXT_INIT("A moderator has taken it off the site. It takes no "
		      "votes and is in no list."),
	    TEXT_INIT("There is more to read on the front page.") },
	{ 413, TEXT_INIT("That was too much at once"),
	    TEXT_INIT("What was sent is larger than this site takes."),
	    TEXT_INIT("Go back, shorten it, and send it again.") },
	{ 422, TEXT_INIT("Something in the form is not right"),
	    TEXT_INIT("What was sent cannot be taken as it is."),
	    TEXT_INIT("Go back, change it, and send it again.") },
	{ 429, TEXT_INIT("Too many at once"),
	    TEXT_INIT("There were more requests from you than this site "
		      "takes in a while. Nothing was changed by the last one."),
	    TEXT_INIT("Wait a little, then try again.") },
	{ 503, TEXT_INIT("The site is catching its breath"),
	    TEXT_INIT("What keeps the articles does not answer at the moment. "
		      "Whether your last change was saved is not certain; "
		      "sending it again does no harm."),
	    TEXT_INIT("Wait a few seconds, then load the page again.") },
};

struct error_model
error_model_of(int status)
{
	size_t count = sizeof(errors) / sizeof(errors[0]), i = 0;

	while (i < count - 1 && errors[i].status != status)
		i++;
	return (struct error_model){ .status = status,
		.title = errors[i].title,
		.happened = errors[i].happened,
		.advice = errors[i].advice };
}
