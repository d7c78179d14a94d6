/*
 * The search page through nginx and workers, with a process that answers as the test says: found,
 * late, silent, torn, gone. What is searched for is in no log and no file.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { SearchStub, found } from './search_stub.mjs';
import { Service, Site, filesWith, runTests, setUp, tearDown, test, until }
	from './support.mjs';
import { Lynx, W3m } from './terminal.mjs';

let site, stub, ann, link, text;

async function startStub(folder) {
	const started = new SearchStub();

	await started.start(path.join(folder, 'search.sock'));
	return started;
}

setUp(async () => {
	site = await Site.start({ settings: { TALLY_WORKERS: 1, TALLY_CACHE: 1 } });
	stub = await startStub(site.folder);
	ann = await site.member('ann');
	await ann.post('/groups', { name: 'maps', title: 'Maps' });
	link = await ann.submit({ title: 'A map of the tides', groups: 'maps',
		url: 'https://example.org/tides' });
	text = await ann.submit({ title: 'Tides', groups: 'maps',
		text: 'Where the tide is <high>.' });
	await ann.say(link, 'The tide turns *twice* a day.');
	stub.answer = () => found([`${link}`, `${text}`, `${link}:1`]);
});

tearDown(async () => {
	await stub?.stop();
	await site?.stop();
});

/* Of the rows of a page. */
const rowsOf = (body) => [...body.matchAll(
	/<li class="article" id="article-(\d+)"|id="comment-(\d+-\d+)"/g)]
	.map(([, article, comment]) => article ?? comment);

test('a visitor and a member find the same, and a member may vote', async () => {
	const bob = await site.member('bob');
	const visitor = site.client();

	for (const reader of [visitor, bob]) {
		const { status, body, headers } = await reader.get('/search?q=tide');

		assert.equal(status, 200);
		assert.deepEqual(rowsOf(body), [String(text), `${link}-1`]);
		assert.match(body, /Where the <mark>tide<\/mark> is &lt;high&gt;\./);
		assert.match(body, /<meta name="robots" content="noindex">/);
		assert.equal(headers['referrer-policy'], 'strict-origin');
		assert.equal(headers['cache-control'], 'private, no-store');
	}
	const answer = await bob.post('/vote', { up: text, return_to: '/search?q=tide' },
		{ from: '/search?q=tide' });

	assert.equal(answer.status, 303);
	assert.equal(answer.headers.location, `/search?q=tide#article-${text}`);
	assert.match((await bob.get('/search?q=tide')).body,
		new RegExp(`data-id="${text}"[^>]*data-vote="up"`));
});

test('what is removed is not found from the answer to the removal on', async () => {
	const visitor = site.client();
	const gone = await ann.submit({ title: 'The tide that went', groups: 'maps',
		text: 'A tide.' });
	const before = stub.answer;

	stub.answer = () => found([`${gone}`]);
	assert.deepEqual(rowsOf((await visitor.get('/search?q=went')).body),
		[String(gone)]);
	await ann.post(`/articles/${gone}/withdraw`);
	assert.deepEqual(rowsOf((await visitor.get('/search?q=went')).body), []);
	stub.answer = before;
});

test('robots are told to stay away', async () => {
	assert.match((await site.client().get('/robots.txt')).body,
		/^Disallow: \/search$/m);
	assert.doesNotMatch((await site.client().get('/sitemap.xml?page=1')).body,
		/search/);
});

/* One worker: while its search waits, it answers others. */
test('a silent process holds up its search alone', async () => {
	const reader = site.client();
	let answered = 0;

	stub.answer = () => undefined;
	const asked = stub.asked.length;
	const search = reader.get('/search?q=tide+silent').then((answer) => {
		assert.ok(answered >= 10);
		return answer;
	});

	await until('it is asked', () => stub.asked.length > asked);
	for (; answered < 10; answered++)
		assert.equal((await ann.get('/g/maps')).status, 200);
	const { status, body } = await search;

	assert.equal(status, 503);
	assert.match(body, /Search is away; everything else works\./);
	assert.match(body, /name="q" value="tide silent"/);
});

/* Answers that are none, or are cut off. */
test('no answer of the process does harm', async () => {
	const whole = found([`${text}`]);
	const answers = ['\r\n', '*', '$5\r\nab', ':', '*-1\r\n', '*9999999\r\n',
		'*3\r\n$5\r\nexact\r\n:1\r\n*1\r\n$-1\r\n', '+OK\r\n+OK\r\n', '\0\0\0',
		found(['0', '-1', '99999999999999999999', '1:0', ':', 'x', '1:x']),
		found(Array(30).fill(String(text))), 'x'.repeat(100000),
		...[1, 5, 20, whole.length - 1].map((size) => whole.slice(0, size))];

	for (const [i, answer] of answers.entries()) {
		stub.answer = () => answer;
		const { status, body } = await ann.get(`/search?q=tide+harm${i}`);

		assert.ok([200, 503].includes(status), `${status} after ${answer}`);
		assert.match(body, new RegExp(`value="tide harm${i}"`));
		assert.equal((await ann.get('/')).status, 200);
	}
	stub.answer = () => found([`${text}`]);
	await until('it is asked again', async () =>
		assert.equal((await ann.get('/search?q=tide')).status, 200));
	assert.deepEqual(site.workers.length, 1);
});

test('a process that ends in the middle is away, and found again', async () => {
	stub.answer = () => {
		for (const socket of stub.sockets)
			socket.destroy();
		return undefined;
	};
	assert.equal((await ann.get('/search?q=tide')).status, 503);
	await stub.stop();
	assert.equal((await ann.get('/search?q=tide')).status, 503);
	assert.equal((await ann.get('/')).status, 200);
	stub = await startStub(site.folder);
	stub.answer = () => found([`${link}`, `${text}`, `${link}:1`]);
	await until('it is found again', async () =>
		assert.equal((await ann.get('/search?q=tide')).status, 200));
});

for (const Browser of [W3m, Lynx])
	test(`${Browser.name.toLowerCase()}: a reader searches, and opens what is found`,
		async () => {
			const terminal = new Browser(`http://localhost:${site.port}/search`);

			try {
				await terminal.shows(/How to search/);
				terminal.fill({ 'Search for': 'tide' });
				await terminal.press('How to search', 'How to search');
				await terminal.shows(/redis -cluster/);
				terminal.go(`http://localhost:${site.port}/search?q=tide`);
				await terminal.shows(/2 results/,
					/Where the tide is <high>/, /A map of the tides/);
				await terminal.press('Tides');
				await terminal.shows(/How this score is calculated/);
			} finally {
				terminal.end();
			}
		});

/* The words of a search are in no file of the site, nor in what its processes log: also when
 * nginx or the search process fails, and when a visitor logs in to come back. */
test('no log and no file has what was searched for', async () => {
	const secret = 'zwiebelturm';
	const address = `/search?q=tide+${secret}`;
	const service = await Service.start();
	const asked = async (at) => {
		const visitor = at.client();

		await visitor.get(address);
		await visitor.get(address, { headers: { Referer: `http://localhost${address}` } });
		await visitor.get('/about', { headers: { Referer: `http://localhost${address}` } });
		const { body } = await visitor.get(address);
		const [, login] = body.match(/href="(\/login\?return_to=[^"]*)"/);

		await visitor.get(login);
		await visitor.get('/', { headers: { Referer: `http://localhost${login}` } });
		await visitor.get(`/search?in=author%3Aann&q=${secret}`);
	};

	await asked(site);
	await asked(service);
	await service.stop();
	fs.rmSync(service.socket);
	assert.equal((await service.client().get(address)).status, 503);
	assert.equal((await service.client().get('/groups')).status, 503);
	await until('the log has the last request', () => fs.readFileSync(path.join(
		service.folder, 'access.log'), 'utf8').includes('GET /groups HTTP/1.1'));
	const log = fs.readFileSync(path.join(service.folder, 'access.log'), 'utf8');

	assert.match(log, /"GET \/search HTTP\/1\.1" 503 /);
	assert.match(log, /"GET \/about HTTP\/1\.1" 200 \d+ "http:\/\/localhost\/search" /);
	for (const at of [site, service]) {
		assert.deepEqual(filesWith(at.folder, secret), []);
		assert.doesNotMatch(at.log, new RegExp(secret));
	}
	service.systemd.stdin.end();
});

await runTests();
