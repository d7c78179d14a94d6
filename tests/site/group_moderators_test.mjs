/*
 * A moderator of a group: appointed by an owner, takes an article out of the group, whose author is told
 * and cannot file it there again, and puts it back; in a browser without scripting, and in w3m and lynx.
 */
import assert from 'node:assert/strict';
import path from 'node:path';

import { clickThrough, contextFor, startBrowser } from './browser.mjs';
import { checkPage } from './page_checks.mjs';
import { redis } from './redis.mjs';
import { Site, runTests, setUp, tearDown, test, until } from './support.mjs';
import { Lynx, W3m } from './terminal.mjs';

let site, olga, gina, ann, bob, browser;

const base = () => `http://localhost:${site.port}`;

setUp(async () => {
	site = await Site.start();
	olga = await site.member('olga');
	gina = await site.member('gina');
	ann = await site.member('ann');
	bob = await site.member('bob');
	assert.equal(site.command('user', 'role', 'olga', 'owner').status, 0);
	/* Members flag from their second day on. */
	const socket = path.join(site.folder, 'redis.sock');

	redis(socket, 'HINCRBY', `{u${redis(socket, 'GET', 'name:bob')}}user`, 'created', -100000);
	assert.equal((await ann.post('/groups', { name: 'redis', title: 'Redis' })).status, 303);
	browser = await startBrowser();
});

tearDown(async () => {
	await browser?.close();
	await site.stop();
});

/* Pages for visitors are kept for a second. */
const isInGroup = (title, wanted) => until(`${title} is ${wanted ? 'in' : 'out of'} the group`,
	async () => assert.equal(
		(await site.client().get('/g/redis')).body.includes(title), wanted));

const isTold = (words) => until(`the author is told: ${words}`, async () =>
	assert.ok((await ann.get('/inbox')).body.includes(words)));

/* A page of a member's, and what is done on it. */
async function tabOf(client) {
	const page = await (await contextFor(browser, site, client,
		{ javaScriptEnabled: false })).newPage();
	const main = page.getByRole('main');

	page.setDefaultTimeout(60000);
	return {
		go: (target) => page.goto(base() + target),
		follow: (name) => clickThrough(main.getByRole('link', { name, exact: true }).first()),
		press: (name) => clickThrough(main.getByRole('button', { name }).first()),
		type: (label, value) => main.getByLabel(label, { exact: true }).first().fill(value),
		tick: (name) => main.getByRole('checkbox', { name, exact: true }).check(),
		open: (words) => main.getByText(words, { exact: true }).click(),
		text: () => main.innerText(),
		end: () => page.context().close(),
	};
}

test('a moderator of a group takes an article out of it, and puts it back', async () => {
	const owner = await tabOf(olga), moderator = await tabOf(gina), author = await tabOf(ann);
	const id = await ann.submit({ title: 'Memcached internals', text: 'Slabs.',
		groups: 'redis' });

	await owner.go('/g/redis');
	await owner.follow('Appoint moderators of this group');
	await owner.type('Member', 'gina');
	await owner.type('Reason', 'Knows it well');
	await owner.press('Appoint');
	assert.match(await owner.text(), /gina/);
	assert.equal((await bob.post(`/articles/${id}/flag`, { reason: 'off-topic' })).status, 303);
	await moderator.go('/g/redis');
	await moderator.follow('Queue');
	assert.match(await moderator.text(), /Memcached internals/);
	assert.match(await moderator.text(), /Off topic \(1\)/);
	assert.doesNotMatch(await moderator.text(), /bob/);
	await moderator.type('Reason', 'Another program');
	await moderator.press(/^Take out of redis/);
	assert.match(await moderator.text(), /The queue is empty/);
	await isInGroup('Memcached internals', false);
	await isTold('Your article was taken out of the group redis');
	await author.go('/inbox');
	assert.match(await author.text(), /Another program/);
	await author.follow('Memcached internals');
	assert.match(await author.text(), /took[^.]* out of/);
	await author.open('Change the groups');
	await author.tick('redis');
	await author.press('Update groups');
	assert.match(await author.text(), /Moderators took this article out of the group “redis”/);
	await isInGroup('Memcached internals', false);
	await moderator.go(`/articles/${id}`);
	await moderator.open('Take out of a group, or put back');
	await moderator.press('Put back into redis');
	await isInGroup('Memcached internals', true);
	await isTold('Your article was put back into the group redis');
	const log = (await site.client().get('/log')).body.replaceAll(/<[^>]*>/g, '')
		.replaceAll(/\s+/g, ' ');

	assert.match(log, /put Memcached internals by ann back into redis/);
	assert.match(log, /took Memcached internals by ann out of redis/);
	assert.match(log, /made gina a moderator of redis/);
	for (const tab of [owner, moderator, author])
		await tab.end();
	assert.match(site.command('check').out, /\n0 breaks\n$/);
});

/* With an article in the queue, and one that was taken out. */
test('the pages of moderators of groups are valid and accessible, dark and narrow too', async () => {
	const [flagged, out] = [await ann.submit({ title: 'Flagged', text: 'A.', groups: 'redis' }),
		await ann.submit({ title: 'Taken out', text: 'B.', groups: 'redis' })];

	assert.equal((await bob.post(`/articles/${flagged}/flag`, { reason: 'spam' })).status, 303);
	assert.equal((await gina.post(`/g/redis/articles/${out}`, { do: 'out' })).status, 303);
	for (const [client, target] of [[gina, '/g/redis/moderation'], [gina, '/g/redis/moderators'],
		[olga, '/g/redis/moderators'], [gina, `/articles/${flagged}`],
		[gina, `/articles/${out}`], [ann, `/articles/${out}`], [gina, '/groups/redis'],
		[gina, '/g/redis']]) {
		const tab = await (await contextFor(browser, site, client,
			{ bypassCSP: true })).newPage();
		const answer = await tab.goto(base() + target);

		assert.equal(answer.status(), 200, target);
		await checkPage(tab, target, await answer.text());
		await tab.context().close();
	}
});

for (const Browser of [W3m, Lynx]) {
	const name = Browser.name.toLowerCase();

	test(`${name}: a moderator of a group takes an article out of it, and puts it back`, async () => {
		const title = `Seen in ${name}`;
		const id = await ann.submit({ title, text: 'Here.', groups: 'redis' });
		const terminal = new Browser(`${base()}/login`);

		try {
			await terminal.logIn('gina');
			await terminal.go(`${base()}/articles/${id}`);
			await terminal.shows(new RegExp(title), /Take out of a group/);
			await terminal.press('Take out of redis');
			await isInGroup(title, false);
			await terminal.go(`${base()}/g/redis/moderation`);
			await terminal.shows(/Queue of redis/);
			await terminal.goAgain(`${base()}/articles/${id}`, new RegExp(title),
				/Put back into redis/);
			await terminal.press('Put back into redis');
			await isInGroup(title, true);
		} finally {
			terminal.end();
		}
	});
}

await runTests();
