/*
 * Readers who read every page once, from many addresses: what nginx keeps for them, and
 * what they may use of a worker. tests/bench/scrapers.mjs measures how members fare.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

import { redisCalls } from './redis.mjs';
import { Site, csrfOf, runTests, setUp, tally, tearDown, temporaryFolder, test, until }
	from './support.mjs';

const SECOND = { TALLY_VOTE_WINDOW: 1, TALLY_THREAD_WINDOW: 1 };
const ARTICLES = 200;
let site, ann, mod;
let old; /* a site of old articles, whose one worker has little time for visitors */

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
	old = await oldSite();
});

tearDown(async () => {
	await site.stop();
	await old.stop();
});

/* nginx caches nothing there, so that the worker has to answer each time. */
async function oldSite() {
	const folder = path.join(temporaryFolder(), 'site');
	const file = path.join(temporaryFolder(), 'dump');
	const lines = [{ kind: 'user', name: 'otto', created: 1600000000,
		role: 'member', password: '' }];

	for (let id = 1; id <= ARTICLES; id++)
		lines.push({ kind: 'article', id, title: `Number ${id}`, url: null,
			text: 'Old.', author: 'otto', posted: 1600000000 + id,
			closes: 1600604800 + id, groups: [], up: 1, down: 0,
			interesting: null, removed: null });
	fs.writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
	const { status, err } = tally(['load', '--dir', folder, file]);

	assert.equal(status, 0, err);
	return Site.start({ folder, settings: { TALLY_WORKERS: 1, TALLY_CACHE: 0,
		TALLY_VISITORS_SHARE: 1 } });
}

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

/* A page from an address; resolves to the status as soon as that is known. */
function ask(target, address, headers = {}) {
	return new Promise((resolve, reject) => {
		http.get({ port: old.port, host: '127.0.0.1', path: target, agent: false,
			localAddress: address, headers }, (answer) => {
			resolve(answer.statusCode);
			answer.destroy();
		}).on('error', reject);
	});
}

/*
 * Reads old articles from many addresses at a time until enough(shown, asked) of the numbers
 * of articles and of buttons that were shown. Returns the first, and the seconds that it
 * took.
 */
async function scrape(enough, headers = {}) {
	const addresses = [...Array(40).keys()].map((i) => `127.0.7.${i + 1}`);
	const began = performance.now();
	let i = 0, shown = 0, asked = 0;

	await Promise.all(addresses.map(async (address) => {
		while (!enough(shown, asked)) {
			const status = await ask(`/articles/${1 + i++ % ARTICLES}`,
				address, headers);

			assert.ok(status === 200 || status === 429, `${status}`);
			shown += status === 200;
			asked += status === 429;
		}
	}));
	return { shown, seconds: (performance.now() - began) / 1000 };
}

/* What run() does while others use up the budget. */
async function whileScraped(run) {
	let done = false, scraped = 0;
	const scraping = scrape((shown, asked) => {
		scraped = asked;
		return done;
	});

	try {
		await until('the budget is spent', () => scraped > 0);
		await run();
	} finally {
		done = true;
		await scraping;
	}
}

/* The button, pressed: the answer to that. */
async function press(client, page) {
	let asked;

	await until('the button is shown', async () => {
		asked = await client.get(page);
		return asked.status === 429;
	});
	assert.equal(asked.headers['cache-control'], 'private, no-store');
	assert.match(asked.headers['retry-after'], /^\d+$/);
	assert.equal(asked.headers['x-accel-limit-rate'], undefined);
	client.token = csrfOf(asked.body);
	return client.post('/visit', { return_to: page });
}

/* An article that nginx would keep costs 200 microseconds at least, of one percent of ten
 * seconds, and of those that pass. */
const affordable = (seconds) => (10 + seconds) * 0.01 / 200e-6;

test('many addresses together have one budget, and members are never asked', async () => {
	const reader = await old.member('reader');

	for (let page = 1; page < 4; page++)
		assert.equal((await old.client().get(`/?page=${page}`)).status, 200);
	const { shown, seconds } = await scrape((_, asked) => asked >= 100);

	console.log(`# ${shown} articles in ${seconds.toFixed(1)} s, then the button`);
	assert.ok(shown > 0);
	assert.ok(shown <= affordable(seconds) + 40, `${shown}`);
	await whileScraped(async () => {
		for (let id = 1; id <= ARTICLES; id++)
			assert.equal((await reader.get(`/articles/${id}`)).status, 200);
		for (const open of ['/', '/?page=3', '/u/otto', '/about', '/log',
			'/robots.txt', '/sitemap.xml', '/sitemap.xml?page=1', '/login'])
			assert.equal((await old.client().get(open)).status, 200, open);
	});
});

test('the button leads back, and is good for a day', async () => {
	const client = old.client();

	await whileScraped(async () => {
		const pressed = await press(client, '/articles/7');

		assert.equal(pressed.status, 303);
		assert.equal(pressed.headers.location, '/articles/7');
		assert.match(pressed.all('set-cookie').join(), new RegExp(
			'tally-visit=[0-9a-f]{32}\\.\\d+\\.[0-9a-f]+; Path=/; ' +
			'HttpOnly; SameSite=Lax; Max-Age=86400'));
		assert.equal((await client.get('/articles/7')).status, 200);
		assert.equal((await client.get('/?page=4')).status, 200);
	});
});

test('one cookie at many addresses has one budget', async () => {
	const client = old.client();

	await whileScraped(async () => {
		await press(client, '/articles/8');
		const cookie = `tally-visit=${client.cookies.get('tally-visit')}`;
		const { shown, seconds } = await scrape((_, asked) => asked >= 40,
			{ Cookie: cookie });

		/* A hundred pages and one a second; and what the common one may have by now. */
		assert.ok(shown <= 101 + seconds + affordable(seconds) + 40,
			`${shown} in ${seconds} s`);
		assert.equal((await press(client, '/articles/8')).status, 303);
		assert.equal((await client.get('/articles/8')).status, 200);
	});
});

await runTests();
