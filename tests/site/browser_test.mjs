/*
 * The site in a real browser: first what readers, members and moderators do,
 * without scripting; then every page, checked by axe-core and html-validate.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import zlib from 'node:zlib';

import { clickThrough, contextFor, pagesOf, startBrowser, startDemoSite, testInChromium,
	unfold, visit } from './browser.mjs';
import { assertNoScrolling, checkPage } from './page_checks.mjs';
import { runTests, setUp, tearDown, test } from './support.mjs';

let demo, browser, page, own;
const base = () => `http://localhost:${demo.site.port}`;

const go = (target) => page.goto(base() + target);
const main = () => page.getByRole('main');
const press = (name) =>
	clickThrough(main().getByRole('button', { name, exact: true }));
const follow = (name) => clickThrough(page.getByRole('link', { name }));
const titles = () => page.locator('.articles .title').allTextContents();
const row = (title) => page.locator('[data-id]', {
	has: page.getByRole('link', { name: title, exact: true }) });
/* Labels have the beginning of a title. */
const arrow = (which, title, role = 'button') => page.getByRole(role,
	{ name: `${which}: ${title.slice(0, 16)}` });
const tick = (name) => page.getByRole('checkbox', { name }).check();
const here = () => page.url().slice(base().length);

setUp(async () => {
	demo = await startDemoSite();
	browser = await startBrowser();
	const context = await browser.newContext({ javaScriptEnabled: false,
		viewport: { width: 1024, height: 700 } });

	page = await context.newPage();
	page.setDefaultTimeout(60000);
});

tearDown(async () => {
	await browser.close();
	await demo.site.stop();
});

test('the front page shows 25 articles', async () => {
	await go('/');
	assert.equal((await titles()).length, 25);
});

test('a reader registers and is back on the same page', async () => {
	await go('/g/redis?order=new');
	await follow('Register');
	await page.getByLabel('Username').fill('x');
	await page.getByLabel('Password').fill('short');
	await press('Register');
	assert.equal(await page.getByLabel('Username').inputValue(), 'x');
	assert.equal(await page.getByLabel('Username')
		.getAttribute('aria-invalid'), 'true');
	assert.equal(await page.getByLabel('Password').inputValue(), '');
	await page.getByLabel('Username').fill('karl');
	await page.getByLabel('Password').fill('a long password');
	await press('Register');
	assert.equal(here(), '/g/redis?order=new');
	await clickThrough(page.getByRole('link', { name: 'karl', exact: true }));
	assert.equal(here(), '/u/karl');
});

test('a member creates a group', async () => {
	await go('/groups');
	await page.getByLabel('Name', { exact: true }).fill('Radio!');
	await page.getByLabel('Title').fill('Radio, sent and heard');
	await press('Create group');
	assert.match(await page.locator('#name-problem').textContent(), /\w/);
	assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(),
		'Radio!');
	assert.equal(await page.getByLabel('Title').inputValue(),
		'Radio, sent and heard');
	await page.getByLabel('Name', { exact: true }).fill('radio');
	await press('Create group');
	assert.equal(here(), '/g/radio');
	assert.match(await main().textContent(), /No articles here yet/);
});

test('a member posts a link, and all its lists show it', async () => {
	const title = 'Hearing <a> satellite & its "echo"';

	await clickThrough(page.getByRole('link',
		{ name: 'Submit', exact: true }));
	await page.getByLabel('Title').fill(title);
	await page.getByLabel('Link').fill('ftp://example.org/radio');
	await tick('radio');
	await press('Submit');
	assert.equal(await page.getByLabel('Title').inputValue(), title);
	assert.equal(await page.getByLabel('Link').inputValue(),
		'ftp://example.org/radio');
	assert.ok(await page.getByRole('checkbox', { name: 'radio' }).isChecked());
	await page.getByLabel('Link').fill('https://example.org/radio?a=1&b=2');
	await tick('science');
	await press('Submit');
	own = here();
	assert.match(own, /^\/articles\/\d+$/);
	assert.equal(await page.getByRole('heading', { level: 1 })
		.getByRole('link').first().getAttribute('href'),
	'https://example.org/radio?a=1&b=2');
	for (const list of ['/', '/?order=new', '/g/radio', '/g/science',
		'/g/radio+science?match=all', '/u/karl']) {
		await go(list);
		assert.ok((await titles()).includes(title), list);
	}
	await row(title).getByRole('link', { name: 'example.org', exact: true }).click();
	assert.equal(here(), '/from/example.org');
	assert.ok((await titles()).includes(title));
	await go('/g/radio');
	assert.equal(await row(title).getAttribute('data-vote'), 'up',
		'it comes with its author’s vote');
	await go('/submit');
	await page.getByLabel('Title').fill('The same link again');
	await page.getByLabel('Link').fill('www.Example.org/radio/?a=1&b=2#top');
	await press('Submit');
	assert.equal(here(), own, 'the same link leads to it');
	assert.equal(await page.getByRole('status').textContent(),
		'You already posted this just now.');
});

test('a member posts a text with paragraphs', async () => {
	await go('/submit');
	await page.getByLabel('Title').fill('Which antenna for a balcony?');
	await page.getByLabel('Text').fill('North side.\nThird floor.\n\nNo ' +
		'<b>bold</b> ideas, please.');
	await press('Submit');
	assert.deepEqual(await page.locator('.text p').allInnerTexts(),
		['North side. Third floor.', 'No <b>bold</b> ideas, please.']);
	assert.match(await main().textContent(), /Ranked \d+(st|nd|rd|th) on the front page/);
	assert.match(await main().textContent(), /Voting is open for another/);
});

test('the order of tabs is title, votes and the rest', async () => {
	for (const target of ['/', '/articles/9', '/g/redis']) {
		await go(target);
		const order = await page.locator('.article:has(a.host):has(.up)').first()
			.locator('a, button').evaluateAll((all) => all.map((one) => one.className));

		assert.deepEqual(order.slice(0, 4), ['title', 'up', 'down', 'host'], target);
	}
});

test('a vote is cast, changed and cancelled in place', async () => {
	const title = 'A boot in 300 milliseconds';

	await go('/?order=oldest&page=2');
	const id = await row(title).getAttribute('id');
	const points = +(await row(title).getAttribute('data-points'));
	const is = async (vote, change) => {
		assert.equal(here(), `/?order=oldest&page=2#${id}`);
		assert.equal(await row(title).getAttribute('data-vote'), vote);
		assert.equal(+(await row(title).getAttribute('data-points')),
			points + change);
		for (const [which, name] of [['up', 'upvote'], ['down', 'downvote']])
			assert.equal(await arrow(`Undo ${name}`, title).count(),
				vote === which ? 1 : 0);
		const { y } = await row(title).boundingBox();

		assert.ok(y >= 0 && y < 700, `in sight: ${y}`);
	};

	await clickThrough(arrow('Upvote', title));
	await is('up', 1);
	await clickThrough(arrow('Downvote', title));
	await is('down', -1);
	await clickThrough(arrow('Undo downvote', title));
	await is('none', 0);
	await go(`/articles/${id.slice('article-'.length)}`);
	await clickThrough(arrow('Upvote', title));
	assert.match(here(), /^\/articles\/(\d+)#article-\1$/);
	assert.equal(await row(title).getAttribute('data-vote'), 'up');
});

test('a vote on the second page returns to the second page', async () => {
	await go('/');
	await follow('Next');
	const title = (await titles())[3];

	await clickThrough(arrow('Downvote', title));
	assert.match(here(), /^\/\?page=2#article-\d+$/);
	assert.equal(await row(title).getAttribute('data-vote'), 'down');
	await clickThrough(arrow('Undo downvote', title));
	assert.equal(await row(title).getAttribute('data-vote'), 'none');
});

test('the author files an article in groups', async () => {
	await go(own);
	await unfold(page, 'Change the groups');
	assert.ok(await page.getByRole('checkbox', { name: 'radio' }).isChecked());
	await tick('systems');
	await page.getByRole('checkbox', { name: 'science' }).uncheck();
	await press('Update groups');
	assert.equal(here(), own);
	assert.deepEqual(await page.locator('.meta .group').allTextContents(),
		['radio', 'systems']);
	await go('/g/science');
	assert.ok(!(await titles()).some((title) => title.includes('satellite')));
});

/* What each order sorts by; ties go to the newer article. */
const keys = { top: 'data-score', bottom: 'data-score', new: 'data-posted',
	oldest: 'data-posted' };

async function sortedBy(key) {
	const found = [];

	for (const article of await page.locator('.articles .article').all())
		found.push([+(await article.getAttribute(key)),
			+(await article.getAttribute('data-id'))]);
	return found;
}

test('each list has four orders, and its pages do not overlap', async () => {
	for (const [label, order] of [['Top', 'top'], ['New', 'new'],
		['Oldest', 'oldest'], ['Bottom', 'bottom']]) {
		const rising = order === 'oldest' || order === 'bottom';

		await go('/');
		if (rising)
			await page.getByText('More', { exact: true }).click();
		await clickThrough(page.getByRole('navigation', { name: 'Order' })
			.getByRole('link', { name: label, exact: true }));
		assert.equal(await page.locator('nav [aria-current]').textContent(),
			label);
		const first = await sortedBy(keys[order]), all = [...first];
		let number = 1;

		while (await page.getByRole('link', { name: 'Next' }).count() > 0) {
			await follow('Next');
			number++;
			assert.match(here(), new RegExp({ top: `^/\\?page=${number}$`,
				new: `^/new\\?page=${number}$` }[order] ??
				`order=${order}.*page=${number}`));
			all.push(...await sortedBy(keys[order]));
		}
		assert.equal(number, 3);
		assert.equal(first.length, 25);
		assert.equal(new Set(all.map(([, id]) => id)).size, all.length);
		all.reduce((before, next) => {
			const sign = before[0] - next[0] || before[1] - next[1];

			assert.ok(rising ? sign < 0 : sign > 0, `${order}: ${next}`);
			return next;
		});
		for (; number > 1; number--)
			await follow('Previous');
		assert.deepEqual(await sortedBy(keys[order]), first);
	}
	for (const list of ['/g/web', '/g/web+design', '/u/mira'])
		for (const order of Object.keys(keys)) {
			await go(`${list}?order=${order}`);
			const found = await sortedBy(keys[order]);
			const wanted = [...found].sort((a, b) =>
				b[0] - a[0] || b[1] - a[1]);

			if (order === 'oldest' || order === 'bottom')
				wanted.reverse();
			assert.ok(found.length > 1);
			assert.deepEqual(found, wanted, `${list} ${order}`);
		}
});

test('combined groups list what is in any of them, or in all', async () => {
	const ids = async () => new Set((await sortedBy('data-id'))
		.map(([, id]) => id));

	await go('/g/redis');
	const redis = await ids();

	await go('/g/databases');
	const databases = await ids();

	await go('/g/redis+databases');
	assert.deepEqual(await ids(), new Set([...(await ids())]
		.filter((id) => redis.has(id) || databases.has(id))));
	assert.equal((await ids()).size, new Set([...redis, ...databases]).size);
	await follow('In all of them');
	assert.deepEqual([...(await ids())].sort(),
		[...redis].filter((id) => databases.has(id)).sort());
});

test('a page past the end says so', async () => {
	await go('/?page=50');
	assert.match(await main().textContent(), /This list has only 3 pages/);
	await go('/?page=0');
	assert.match(await main().textContent(), /isn’t valid/);
});

test('a member logs out and in again', async () => {
	await go('/');
	await clickThrough(page.getByRole('button', { name: 'Log out' }));
	assert.equal(await page.getByRole('link', { name: 'Log in' }).count(), 1);
	assert.equal(await page.locator('main form').count(), 0);
	const title = (await titles())[2];

	await clickThrough(arrow('Upvote', title, 'link'));
	assert.match(here(), /^\/login\?return_to=/);
	await page.getByLabel('Username').fill('Karl');
	await page.getByLabel('Password').fill('the wrong one');
	await press('Log in');
	assert.match(await main().textContent(), /Wrong username or password/);
	assert.equal(await page.getByLabel('Username').inputValue(), 'Karl');
	await page.getByLabel('Password').fill('a long password');
	await press('Log in');
	assert.match(here(), /^\/vote\?return_to=%2F&up=\d+$/);
	await press('Upvote');
	assert.match(here(), /^\/#article-\d+$/);
	assert.equal(await arrow('Undo upvote', title).count(), 1);
});

/* A second browser with a session of the same member. */
async function elsewhere(password) {
	const context = await browser.newContext({ javaScriptEnabled: false,
		userAgent: 'Elsewhere 1.0' });
	const other = await context.newPage();

	await other.goto(`${base()}/login`);
	await other.getByLabel('Username').fill('karl');
	await other.getByLabel('Password').fill(password);
	await clickThrough(other.getByRole('main')
		.getByRole('button', { name: 'Log in' }));
	return other;
}

const isLoggedIn = async (who) => {
	await who.goto(`${base()}/submit`);
	return !who.url().includes('/login');
};

test('tabs lead through one\'s own pages, and are on nobody else\'s', async () => {
	const tabs = main().getByRole('navigation', { name: 'Your pages' });

	await clickThrough(page.getByRole('banner').getByRole('link', { name: 'karl' }));
	for (const [name, target] of [['Comments', '/u/karl/comments'], ['Saved', '/saved'],
		['Votes', '/u/karl/votes'], ['Settings', '/settings'], ['Articles', '/u/karl']]) {
		await clickThrough(tabs.getByRole('link', { name }));
		assert.equal(here(), target);
		assert.equal(await tabs.locator('[aria-current="page"]').innerText(), name);
	}
	for (const target of ['/u/mira', '/u/mira/comments', '/comments']) {
		await go(target);
		assert.equal(await tabs.count(), 0, target);
	}
});

test('a member logs another browser out, and changes the password', async () => {
	const other = await elsewhere('a long password');

	assert.ok(await isLoggedIn(other));
	await clickThrough(page.getByRole('banner')
		.getByRole('link', { name: 'karl' }));
	await clickThrough(main().getByRole('link', { name: 'Settings' }));
	assert.equal(here(), '/settings');
	await clickThrough(main().getByRole('listitem')
		.filter({ hasText: 'Elsewhere 1.0' }).getByRole('button'));
	assert.equal(await main().getByText('Elsewhere 1.0').count(), 0);
	assert.ok(!await isLoggedIn(other));

	const another = await elsewhere('a long password');

	await go('/settings');
	await page.getByLabel('Current password').fill('a wrong password');
	await page.getByLabel('New password').fill('the next password');
	await press('Change password');
	assert.match(await main().textContent(), /That isn’t your current password/);
	await page.getByLabel('Current password').fill('a long password');
	await page.getByLabel('New password').fill('the next password');
	await press('Change password');
	assert.match(await main().textContent(), /Your password has been changed/);
	assert.ok(await isLoggedIn(page));
	assert.ok(!await isLoggedIn(another));
	assert.ok(await isLoggedIn(await elsewhere('the next password')));
});

test('when the session has ended, nothing that was typed is lost', async () => {
	await go('/submit');
	await page.getByLabel('Title').fill('Typed before the session ended');
	await page.getByLabel('Text').fill('All of it.');
	const cookies = await page.context().cookies();

	await page.context().clearCookies();
	await press('Submit');
	assert.match(await main().textContent(), /You’re logged out/);
	assert.equal(await page.getByLabel('Title').inputValue(),
		'Typed before the session ended');
	assert.match(await page.getByLabel('Text').inputValue(), /All of it\./);
	await page.context().addCookies(cookies);
});

test('a moderator removes an article and restores it', async () => {
	const moderators = await contextFor(browser, demo.site, demo.mod,
		{ javaScriptEnabled: false });
	const readers = page;

	page = await moderators.newPage();
	await go(own);
	await unfold(page, 'Moderate');
	await press('Remove this article');
	assert.match(await main().textContent(), /A moderator removed this article/);
	page = readers;
	await go('/g/radio');
	assert.equal((await titles()).length, 0);
	assert.equal((await go(own)).status(), 410);
	assert.match(await main().textContent(), /A moderator removed this article/,
		'its author is told');
	page = moderators.pages()[0];
	await press('Restore this article');
	page = readers;
	await go('/g/radio');
	assert.equal((await titles()).length, 1);
	assert.equal((await go(own)).status(), 200);
	await moderators.close();
});

/* Runs check(tab, name, html) on each page that pagesOf() has for `who`, with scripting on, which
 * axe-core needs. */
async function onEachPage(who, check) {
	const context = await contextFor(browser, demo.site, demo[who],
		{ bypassCSP: true, viewport: { width: 1280, height: 800 } });
	const tab = await context.newPage();

	for (const kind of pagesOf(demo).filter((k) => k.who === who)) {
		await tab.setViewportSize({ width: 1280, height: 800 });
		await tab.emulateMedia({ colorScheme: 'light' });
		const response = await visit(tab, demo.site, kind);

		assert.equal(response.status(), kind.status, kind.name);
		await check(tab, kind.name, await response.text());
	}
	await context.close();
}

for (const [who, whose] of [['nobody', 'readers'], ['ann', 'members'],
	['mod', 'moderators'], ['owner', 'owners']])
	test(`the pages of ${whose} are valid and accessible, dark and narrow too`,
		() => onEachPage(who, checkPage));

/* Those with fields: at most a third of the page is empty at their side, or as much at both. */
test('forms are as wide as the text, or centred', async () => {
	const faults = [];

	for (const who of ['nobody', 'ann', 'mod', 'owner']) {
		const context = await contextFor(browser, demo.site, demo[who],
			{ viewport: { width: 1280, height: 800 } });
		const tab = await context.newPage();

		for (const { name, target } of pagesOf(demo).filter((kind) => kind.who === who)) {
			await tab.goto(base() + target);
			faults.push(...await tab.evaluate((where) => {
				for (const details of document.querySelectorAll('details'))
					details.open = true;
				const main = document.querySelector('main').getBoundingClientRect();

				return [...document.querySelectorAll('main form:has(.field)')]
					.map((form) => [form, form.getBoundingClientRect()])
					.map(([form, { left, right, width }]) => [form.action, width,
						left - main.left, main.right - right])
					.filter(([, width, before, after]) => width > 0 &&
						after > main.width / 3 && Math.abs(before - after) > 1)
					.map((form) => `${where}: ${form}`);
			}, name));
		}
		await context.close();
	}
	assert.deepEqual(faults, []);
});

/* The first such element is visible. */
const isSeen = (tab, selector) => tab.locator(selector).first().isVisible();

testInChromium('printed pages have the content, and no forms', async () => {
	const context = await contextFor(browser, demo.site, demo.ann, {});
	const tab = await context.newPage();

	await tab.emulateMedia({ media: 'print' });
	for (const target of ['/', '/articles/9', `/articles/${demo.own}`,
		'/groups', '/u/mira', '/u/ann', '/log', '/members', '/settings', '/hidden']) {
		await tab.goto(base() + target);
		assert.ok(await isSeen(tab, 'main'), target);
		for (const hidden of ['button', 'input', 'nav', '.who', '.foot'])
			for (const each of await tab.locator(hidden).all())
				assert.ok(!await each.isVisible(),
					`${target}: ${await each.innerHTML()}`);
	}
	/* Nor what is above a form. */
	for (const [target, ...headings] of [['/settings', 'Change password', 'Language', 'Hot'],
		['/hidden', 'Hide titles with a word', 'All of them as text'],
		['/groups', 'Create a group']]) {
		await tab.goto(base() + target);
		for (const name of headings)
			assert.ok(!await tab.locator('h2', { hasText: name }).isVisible(), name);
	}
	await tab.goto(`${base()}/articles/9`);
	assert.ok(await isSeen(tab, '#comments'));
	assert.ok(await isSeen(tab, '.title'));
	assert.ok(await isSeen(tab, '.points'));
	assert.ok(await isSeen(tab, '.explain'));
	await context.close();
});

testInChromium('printed texts have the addresses of their links', async () => {
	const context = await contextFor(browser, demo.site, demo.ann, {});
	const tab = await context.newPage();
	/* Browsers differ in whether they join the strings. */
	const after = (selector) => tab.locator(selector).first().evaluate(
		(link) => getComputedStyle(link, '::after').content.replaceAll('" "', ''));

	await demo.ann.post('/settings/about', { text: 'See [a list]' +
		'(https://example.org/forms) and <https://example.org/>' });
	await tab.goto(`${base()}/u/ann`);
	assert.equal(await after('.text [href$=forms]'), 'none');
	await tab.emulateMedia({ media: 'print' });
	assert.equal(await after('.text [href$=forms]'),
		'" <https://example.org/forms>"');
	assert.equal(await after('.text .url'), 'none');
	await tab.goto(`${base()}/articles/9`);
	assert.match(await after('h1 .title'), /^" <https?:/);
	/* The score without its arithmetic, also where a reader has unfolded it; and no row ends with
	 * what stands before a button. */
	await tab.locator('.explain details').evaluateAll((all) => {
		for (const each of all)
			each.open = true;
	});
	assert.ok(!await isSeen(tab, '.explain table'));
	assert.ok(await isSeen(tab, '.explain summary'));
	await tab.goto(base());
	for (const line of await tab.locator('.article .meta').all())
		assert.doesNotMatch(await line.innerText(), /·\s*$/);
	await context.close();
});

/* A sentence is hidden with its link, or shown with it. */
testInChromium('printed pages offer no actions', async () => {
	const strangers = await browser.newContext();
	const tab = await strangers.newPage();
	const printed = async (target) => {
		await tab.goto(base() + target);
		return tab.locator('main').innerText();
	};

	await demo.ann.post('/groups', { name: 'unused', title: 'Nothing yet' });
	assert.match(await printed(`/articles/${demo.own}`), /Log in to comment\./);
	assert.match(await printed('/g/unused'), /Submit the first one\./);
	await tab.emulateMedia({ media: 'print' });
	assert.doesNotMatch(await printed(`/articles/${demo.own}`), /to comment/);
	assert.doesNotMatch(await printed(
		`/articles/${demo.own}/comments/${demo.first}`), /to comment/);
	assert.match(await printed('/g/unused'), /No articles here yet\.\s*$/);
	await strangers.close();
});

test('a comment is a heading, its text and what can be done', async () => {
	const context = await contextFor(browser, demo.site, demo.ann,
		{ viewport: { width: 360, height: 800 } });
	const tab = await context.newPage();
	const saying = (words) => tab.locator('.comment', { hasText: words }).last();
	const ground = (element) => getComputedStyle(element).backgroundColor;

	await tab.goto(`${base()}/articles/${demo.own}`);
	assert.ok((await saying('What was here?').boundingBox()).height <= 72);
	const head = tab.getByRole('heading', { level: 5, name: /^mira · 1 point · 9 replies · / });

	assert.ok(await head.isVisible());
	/* What folds it comes before its author's name, and its score stays then. */
	const comment = head.locator('..'), fold = comment.locator('summary').first();

	assert.ok((await fold.boundingBox()).x <
		(await head.locator('.by').boundingBox()).x);
	await fold.click();
	assert.ok(await head.isVisible());
	assert.ok(!await comment.locator('.said').first().isVisible());
	await fold.click();
	/* Votes have names of their own, and what was voted is in words. */
	assert.equal(await tab.getByRole('button', { name: /^Upvote: comment 3 by / }).count(), 1);
	assert.match(await tab.locator('.comment[data-vote="up"] > details > .acts')
		.first().innerText(), /^You upvoted\./);
	/* A link to a comment marks all of it, without its replies. */
	const answered = saying('I did once, in 2009.');
	const target = `${base()}/articles/${demo.own}#${await answered.getAttribute('id')}`;

	/* In Firefox no event follows a move within a page. */
	await tab.goto('about:blank');
	await tab.goto(target);
	const own = answered.locator(':scope > .meta, :scope > details > :is(.said, .acts)');
	const marked = new Set();

	assert.equal(await own.count(), 3);
	for (const part of await own.all())
		marked.add(await part.evaluate(ground));
	assert.equal(marked.size, 1);
	assert.ok(!marked.has('rgba(0, 0, 0, 0)'));
	for (const part of await answered.locator('.comment').first()
		.locator('.meta, .said, .acts').all())
		assert.equal(await part.evaluate(ground), 'rgba(0, 0, 0, 0)');
	await context.close();
});

testInChromium('in forced colours the current vote and order have a frame', async () => {
	const context = await contextFor(browser, demo.site, demo.ann,
		{ forcedColors: 'active' });
	const tab = await context.newPage();
	const border = (selector) => tab.locator(selector).first().evaluate(
		/* global getComputedStyle */
		(element) => getComputedStyle(element).borderBottomWidth);

	await tab.goto(`${base()}/`);
	assert.equal(await border('[data-vote="up"] .up'), '2px');
	assert.equal(await border('[data-vote="none"] .up'), '0px');
	assert.equal(await border('.tabs [aria-current]'), '2px');
	assert.equal(await border('.tabs a:not([aria-current])'), '0px');
	await context.close();
});

testInChromium('in forced colours flags and the tab of moderation have a frame', async () => {
	const context = await contextFor(browser, demo.site, demo.mod,
		{ forcedColors: 'active' });
	const tab = await context.newPage();
	const framed = (selector) => tab.locator(selector).first().evaluate(
		(element) => {
			const { borderBottomWidth, borderBottomColor, backgroundColor } =
				getComputedStyle(element);

			return borderBottomWidth === '2px' &&
				borderBottomColor !== backgroundColor;
		});

	await tab.goto(`${base()}/moderation`);
	assert.ok(await framed('.flags li'));
	assert.ok(await framed('.tabs [aria-current]'));
	await context.close();
});

test('without the style sheet arrows and orders have words', async () => {
	const context = await contextFor(browser, demo.site, demo.ann,
		{ javaScriptEnabled: false });
	const tab = await context.newPage();

	await tab.route('**/*.css*', (route) => route.abort());
	await tab.goto(`${base()}/?order=new`);
	const text = await tab.locator('[data-vote="up"] .votes:has(button)').first()
		.innerText();

	assert.match(text, /Undo upvote\s+\d+ points?\s+Downvote/);
	assert.equal(await tab.locator('.tabs b').innerText(), 'New');
	await context.close();
});

test('without the style sheet moderators can work', async () => {
	const context = await contextFor(browser, demo.site, demo.mod,
		{ javaScriptEnabled: false });
	const tab = await context.newPage();
	const shows = async (target, ...patterns) => {
		await tab.goto(base() + target);
		const text = (await tab.locator('main').innerText())
			.replace(/\s+/g, ' ');

		for (const pattern of patterns)
			assert.match(text, pattern, target);
	};

	await tab.route('**/*.css*', (route) => route.abort());
	await shows('/moderation', /Spam mira jonas Already posted priya Moderate \S+ · waiting for/,
		/Select Keep Remove/, /By a newcomer/,
		/I have a handful of forms and no framework\./);
	await shows('/moderation/rings', /Member Upvotes Shared All votes/,
		/both upvoted \d+ of the \d+ articles/, /Void/);
	await shows('/moderation/hosts', /watches\.example Unblock/);
	await shows('/log', /moderator-jo reviewed and kept .+ by priya/,
		/moderator-jo suspended loud until \d+/, /Shouting at others\./);
	await shows('/members', /moderator-jo Moderator/);
	await shows('/u/loud/suspend', /Suspended until \d+/, /Lift the suspension/);
	await shows('/groups/c-lang', /Reopen Delete/);
	await shows('/articles/14', /Spam mira jonas/, /Void a vote/);
	await context.close();
});

test('an error at the end of a long page gets the focus', async () => {
	await go('/groups');
	await page.getByLabel('Name', { exact: true }).fill('Not a name!');
	await page.getByLabel('Title').fill('A title');
	await press('Create group');
	const { y } = await page.getByLabel('Name', { exact: true })
		.boundingBox();

	assert.ok(y >= 0 && y < 700, `in sight: ${y}`);
	assert.match(await page.title(), /^Error: Groups/);
});

test('error pages of nginx name no member', async () => {
	await go('/%00');
	assert.match(await main().textContent(), /Bad request/);
	assert.equal(await page.getByRole('link', { name: 'Log in' }).count(), 0);
	assert.equal(await page.getByRole('link', { name: 'karl' }).count(), 0);
});

test('25 articles take little more than a screen', async () => {
	const context = await contextFor(browser, demo.site, demo.ann,
		{ viewport: { width: 1280, height: 800 } });
	const tab = await context.newPage();

	await tab.goto(`${base()}/?page=1`);
	/* The overlooked article is between two parts of the list. */
	const parts = await Promise.all((await tab.locator('.articles').all())
		.map((part) => part.boundingBox()));
	const height = parts.reduce((sum, part) => sum + part.height, 0);

	assert.equal(await tab.locator('.articles .article').count(), 25);
	assert.ok(height <= 1560, `25 articles take ${height} px`);
	await context.close();
});

/* The bytes of what a client gets, and the text. */
async function readCompressed(client, target) {
	const { bytes, headers } = await client.get(target,
		{ headers: { 'Accept-Encoding': 'gzip' } });
	const text = zlib.gunzipSync(bytes);

	assert.equal(headers['content-encoding'], 'gzip');
	assert.ok(text.length > bytes.length);
	return { text: text.toString(), size: bytes.length };
}

test('a first visit takes less than 12 KB: the front page and the style sheet', async () => {
	for (const [client, most] of [[demo.site.client(), 12], [demo.ann, 13.5]]) {
		const page = await readCompressed(client, '/');
		const [, sheet] = page.text.match(/<link rel="stylesheet" href="([^"]+)"/);
		const sizes = [page.size, (await readCompressed(client, sheet)).size];

		console.log(`# ${sizes.join(' + ')} bytes`);
		assert.ok(sizes[0] + sizes[1] < most * 1024, sizes.join(' + '));
	}
});

test('a browser finds the same rules in the style sheet as in its source', async () => {
	const { text } = await readCompressed(demo.ann, '/base.css');
	const tab = await (await browser.newContext()).newPage();
	const rulesOf = (sheet) => tab.evaluate((css) => {
		const parsed = new CSSStyleSheet();

		parsed.replaceSync(css);
		/* What has a variable is kept as it was written. */
		return [...parsed.cssRules].map(({ cssText }) => cssText.replace(/,\s*/g, ', '));
	}, sheet);
	const rules = await rulesOf(text);

	assert.ok(rules.length > 100, `${rules.length}`);
	assert.deepEqual(rules, await rulesOf(fs.readFileSync('static/style.css', 'utf8')));
	await tab.context().close();
});

test('a title that is one long word breaks at 320 px', async () => {
	const id = await demo.ann.submit({ title: 'W'.repeat(200),
		url: `https://${'a'.repeat(60)}.example.org/`,
		groups: 'ask web design systems security' });
	const context = await contextFor(browser, demo.site, demo.ann,
		{ viewport: { width: 320, height: 640 } });
	const tab = await context.newPage();

	for (const target of [`/articles/${id}`, '/?order=new', '/u/ann']) {
		await tab.goto(base() + target);
		await assertNoScrolling(tab, target);
	}
	await context.close();
});

test('long lines of code scroll by themselves at 320 px', async () => {
	const text = `\`\`\`\n${'a long line '.repeat(20)}\n\`\`\`\n\n> Quoted`;
	const id = await demo.ann.submit({ title: 'Code', text, groups: 'web' });
	const context = await contextFor(browser, demo.site, demo.ann,
		{ viewport: { width: 320, height: 640 } });
	const tab = await context.newPage();

	await demo.ann.post('/settings/about', { text });
	await demo.owner.post('/settings/site', { name: 'Tally', registration: 'open',
		group_creation: 'members', log_names: 'named', voting: 'at-once',
		rules: text, about: text });
	for (const target of [`/articles/${id}`, '/u/ann', '/rules', '/about']) {
		await tab.goto(base() + target);
		await assertNoScrolling(tab, target);
		assert.notEqual(await tab.locator('blockquote').first().evaluate((quote) =>
			getComputedStyle(quote).borderInlineStartWidth), '0px', target);
	}
	await context.close();
});

/* The last test, since it makes new members wait. */
test('the arrows of a new member who cannot vote yet are valid and accessible', async () => {
	await demo.owner.post('/settings/site', { name: 'Tally', voting: 'vouched',
		registration: 'open', group_creation: 'members', log_names: 'named' });
	demo.nina = await demo.site.member('nina');
	const context = await contextFor(browser, demo.site, demo.nina,
		{ bypassCSP: true });
	const tab = await context.newPage();

	for (const [target, status] of [['/', 200], ['/articles/9', 200],
		['/vote?up=9', 403]]) {
		const response = await tab.goto(base() + target);

		assert.equal(response.status(), status);
		assert.match(await response.text(), /once a moderator has vouched/);
		await checkPage(tab, `${target} of nina`, await response.text());
	}
	await context.close();
});

await runTests();
