/*
 * Readers who read every page once, from many addresses: what nginx keeps for them, and
 * what they may use of a worker. tests/bench/scrapers.mjs measures how members fare.
 */
import assert from 'node:assert/strict';
import path from 'node:path';

import { redisCalls } from './redis.mjs';
import { Site, runTests, setUp, tearDown, test, until } from './support.mjs';

const SECOND = { TALLY_VOTE_WINDOW: 1, TALLY_THREAD_WINDOW: 1 };
let site, ann, mod;

const socket = () => path.join(site.folder, 'redis.sock');

/* An article whose votes and comments are final, and which nginx has. */
async function finalArticle(title) {
	const id = await ann.submit({ title, text: `About ${title}.` });
	const page = `/articles/${id}`;

	await until('the article is final', async () =>
		(await site.client().get(page)).headers.etag !== undefined);
	return page;
}

setUp(async () => {
	site = await Site.start({ settings: SECOND });
	ann = await site.member('ann');
	mod = await site.member('mod');
	assert.equal(site.command('user', 'role', 'mod', 'owner').status, 0);
});

tearDown(() => site.stop());

/* GETRANGE for each article that is read, and HMGET for that and for versions. */
const commands = (name) => redisCalls(socket(), name);

test('nginx keeps a final article, and asks whether it has changed', async () => {
	const page = await finalArticle('Kept');
	const reader = site.client();
	const { body, headers } = await reader.get(page);

	assert.equal(headers['cache-control'], 'public, max-age=1');
	/* Once it was read twice, no article is read. */
	await until('nginx has the page', async () => {
		const before = commands('getrange');

		await reader.get(page);
		return commands('getrange') === before;
	});
	const articles = commands('getrange'), versions = commands('hmget');

	/* Once a second at most. */
	await until('nginx has asked three times', async () => {
		const answer = await reader.get(page);

		assert.equal(answer.status, 200);
		assert.equal(answer.body, body);
		assert.equal(answer.headers.etag, headers.etag);
		return commands('hmget') >= versions + 3;
	});
	assert.equal(commands('getrange'), articles);
	/* A browser that has it is told so. */
	assert.equal((await reader.get(page,
		{ headers: { 'If-None-Match': headers.etag } })).status, 304);
	assert.equal((await ann.get(page,
		{ headers: { 'If-None-Match': headers.etag } })).status, 200);
});

/* The text that a page stops or starts to show, within the second of nginx's cache. */
const untilShown = (page, check) => until('the page has changed', async () =>
	check(await site.client().get(page)));

test('a removal is seen, and a restored article', async () => {
	const page = await finalArticle('Removed');

	await mod.post(`${page}/remove`, { reason: 'Spam' });
	await untilShown(page, ({ status }) => status === 410);
	for (let i = 0; i < 20; i++)
		assert.equal((await site.client().get(page)).status, 410);
	await mod.post(`${page}/restore`, { reason: '' });
	await untilShown(page, ({ status }) => status === 200);
});

test('what moderators and owners change is seen', async () => {
	const page = await finalArticle('Changed');

	await mod.post('/groups', { name: 'moved', title: 'Moved' });
	await mod.post(`${page}/groups`, { add: 'moved' });
	await untilShown(page, ({ body }) => body.includes('/g/moved'));
	await mod.post('/settings/site', { name: 'Renamed', registration: 'open',
		group_creation: 'members', voting: 'at-once', log_names: 'named' });
	await untilShown(page, ({ body }) => body.includes('Renamed</title>'));
});

/* Nothing old is shown in place of an answer. */
test('while Redis is out, no final article is shown', async () => {
	const page = await finalArticle('Out');
	const [{ pid }] = site.children('redis-server');

	process.kill(pid, 'SIGSTOP');
	try {
		await until('it is not shown', async () =>
			(await site.client().get(page)).status === 503);
	} finally {
		process.kill(pid, 'SIGCONT');
	}
	await untilShown(page, ({ status }) => status === 200);
});

await runTests();
