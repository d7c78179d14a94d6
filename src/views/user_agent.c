#include "views/user_agent.h"

#include "views/messages.h"

struct sign {
	struct text mark, name;
};

#define SIGN(mark, name) { TEXT_INIT(mark), TEXT_INIT(name) }

/* Each names those below it as well, so the first that is there is the right one. */
static const struct sign browsers[] = {
	SIGN("Edg", "Edge"),
	SIGN("OPR/", "Opera"),
	SIGN("SamsungBrowser/", "Samsung Internet"),
	SIGN("Vivaldi/", "Vivaldi"),
	SIGN("FxiOS/", "Firefox"),
	SIGN("Firefox/", "Firefox"),
	SIGN("CriOS/", "Chrome"),
	SIGN("Chromium/", "Chromium"),
	SIGN("Chrome/", "Chrome"),
	SIGN("Safari/", "Safari"),
	SIGN("Lynx/", "Lynx"),
	SIGN("w3m/", "w3m"),
	SIGN("ELinks/", "ELinks"),
	SIGN("curl/", "curl"),
};

static const struct sign systems[] = {
	SIGN("iPhone", "iPhone"),
	SIGN("iPad", "iPad"),
	SIGN("Android", "Android"),
	SIGN("Windows", "Windows"),
	SIGN("CrOS", "ChromeOS"),
	SIGN("Mac OS X", "macOS"),
	SIGN("Linux", "Linux"),
	SIGN("BSD", "BSD"),
};

static struct text
find_sign(struct text agent, const struct sign *signs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_find(agent, 0, signs[i].mark) != SIZE_MAX)
			return signs[i].name;
	return (struct text){ NULL, 0 };
}

struct text
user_agent_name(struct arena *arena, struct text agent)
{
	struct text browser =
	    find_sign(agent, browsers, sizeof(browsers) / sizeof(browsers[0]));
	struct text system =
	    find_sign(agent, systems, sizeof(systems) / sizeof(systems[0]));

	if (browser.size == 0)
		browser = message_text(MESSAGE_UNKNOWN_BROWSER);
	return system.size == 0 ? browser
				: message_browser_on(arena, browser, system);
}
