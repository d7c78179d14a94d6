/*
 * The search page through nginx and workers: with the search process, and with one that answers as
 * the test says: late, silent, torn, gone. What is searched for is in no log and no file.
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
	await live?.stop();
});

/* A search that the process answers: on a busy machine it may be too late at first. */
async function searched(reader, target) {
	let answer;

	await until(`${target} is answered`, async () => {
		answer = await reader.get(target);
		return answer.status !== 503;
	});
	return answer;
}

/* Of the rows of a page. */
const rowsOf = (body) => [...body.matchAll(
	/<li class="article" id="article-(\d+)"|id="comment-(\d+-\d+)"/g)]
	.map(([, article, comment]) => article ?? comment);

test('a visitor and a member find the same, and a member may vote', async () => {
	const bob = await site.member('bob');
	const visitor = site.client();

	for (const reader of [visitor, bob]) {
		const { status, body, headers } = await searched(reader, '/search?q=tide');

		assert.equal(status, 200);
		assert.deepEqual(rowsOf(body), [`${link}`, `${text}`, `${link}-1`]);
		assert.match(body, /Where the <mark>tide<\/mark> is &lt;high&gt;\./);
		assert.match(body, /<meta name="robots" content="noindex">/);
		assert.equal(headers['referrer-policy'], 'strict-origin');
		assert.equal(headers['cache-control'], 'private, no-store');
	}
	const answer = await bob.post('/vote', { up: text, return_to: '/search?q=tide' },
		{ from: '/search?q=tide' });

	assert.equal(answer.status, 303);
	assert.equal(answer.headers.location, `/search?q=tide#article-${text}`);
	assert.match((await searched(bob, '/search?q=tide')).body,
		new RegExp(`data-id="${text}"[^>]*data-vote="up"`));
});

test('what is removed is not found from the answer to the removal on', async () => {
	const visitor = site.client();
	const gone = await ann.submit({ title: 'The tide that went', groups: 'maps',
		text: 'A tide.' });
	const before = stub.answer;

	stub.answer = () => found([`${gone}`]);
	assert.deepEqual(rowsOf((await searched(visitor, '/search?q=went')).body),
		[String(gone)]);
	await ann.post(`/articles/${gone}/withdraw`);
	assert.deepEqual(rowsOf((await searched(visitor, '/search?q=went')).body), []);
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
				await terminal.go(`http://localhost:${site.port}/search?q=tide`);
				await terminal.shows(/3 results|Search is away/);
				await terminal.repeat(terminal.again, /3 results/);
				await terminal.shows(/Where the tide is <high>/, /A map of the tides/);
				await terminal.press('example.org', 'Tides');
				await terminal.shows(/How this score is calculated/);
			} finally {
				terminal.end();
			}
		});

/* Searches as they are on a site, of what is posted and removed on it. */

let live, eve, mod;

const found_live = async (query, reader = eve) => {
	const { status, body } = await searched(reader,
		`/search?q=${encodeURIComponent(query).replaceAll('%20', '+')}`);

	assert.equal(status, 200);
	return rowsOf(body);
};

const untilFound = (query, rows) => until(`${query} finds ${rows}`, async () =>
	assert.deepEqual(await found_live(query), rows.map(String)));

test('what is posted is found, by what it is and by whom', async () => {
	live = await Site.start({ settings: { TALLY_BUCKETS: 4 } });
	eve = await live.member('eve');
	mod = await live.member('mod');
	assert.equal(live.command('user', 'role', 'mod', 'moderator').status, 0);
	await eve.post('/groups', { name: 'birds', title: 'Birds' });
	const heron = await eve.submit({ title: 'A heron at the pond',
		groups: 'birds', text: 'It stands *still* for hours.' });
	const egret = await mod.submit({ title: 'Egrets', groups: '',
		url: 'https://www.birds.example/egrets?page=1' });

	await eve.say(egret, 'Not a heron, but white.');
	await untilFound('heron', [`${heron}`, `${egret}-1`]);
	assert.deepEqual(await found_live('"stands still"'), [`${heron}`]);
	assert.deepEqual(await found_live('heron -white'), [`${heron}`]);
	assert.deepEqual(await found_live('author:mod'), [`${egret}`]);
	assert.deepEqual(await found_live('@EVE group:birds'), [`${heron}`]);
	assert.deepEqual(await found_live('domain:birds.example'), [`${egret}`]);
	assert.deepEqual(await found_live('is:comment white'), [`${egret}-1`]);
	assert.deepEqual(await found_live('heron before:2020'), []);
	const { status, headers } = await searched(eve,
		'/search?q=http%3A%2F%2Fbirds.example%2Fegrets%3Fpage%3D1%23top');

	assert.equal(status, 303);
	assert.equal(headers.location, `/articles/${egret}`);
});

test('a query of any length is answered', async () => {
	for (const query of ['heron '.repeat(1300), 'x'.repeat(7900),
		'group:birds '.repeat(500), '\u4e2d'.repeat(850)]) {
		const { status, body } = await searched(eve,
			`/search?q=${encodeURIComponent(query.trim()).replaceAll('%20', '+')}`);

		assert.equal(status, 200);
		assert.match(body, /the rest was left out/);
	}
});

test('what is removed is found nowhere from the answer on', async () => {
	const id = await eve.submit({ title: 'A bittern', text: 'Boom.' });

	await eve.say(id, 'The bittern hides.');
	await untilFound('bittern', [`${id}`, `${id}-1`]);
	await mod.post(`/articles/${id}/comments/1/remove`, { reason: 'no' });
	assert.deepEqual(await found_live('bittern'), [`${id}`]);
	await mod.post(`/articles/${id}/remove`, { reason: 'no' });
	for (const reader of [eve, mod, live.client()])
		assert.deepEqual(await found_live('bittern', reader), []);
	await mod.post(`/articles/${id}/restore`);
	await untilFound('bittern', [`${id}`]);
});

test('a renamed group is found by both names at once', async () => {
	await mod.post('/groups/birds', { do: 'name', name: 'ornithology' });
	for (const name of ['birds', 'ornithology'])
		assert.equal((await found_live(`group:${name} heron`)).length, 1);
});

test('who closes an account with all texts is found nowhere', async () => {
	const gone = await live.member('gone');
	const id = await gone.submit({ title: 'Of a spoonbill', text: 'Seen.' });

	await eve.say(id, 'A spoonbill!');
	await untilFound('spoonbill', [`${id}`, `${id}-1`]);
	const { status } = await gone.post('/settings/close', { name_goes: 'on',
		texts_go: 'on', password: 'correct horse' });

	assert.equal(status, 303);
	assert.ok(!(await found_live('spoonbill')).includes(`${id}`));
	assert.deepEqual(await found_live('author:gone'), []);
});

test('searches go on after the process is killed', async () => {
	for (const name of ['tally-finder', 'tally-search']) {
		for (const { pid } of live.children(name))
			process.kill(pid, 'SIGKILL');
		assert.equal((await eve.get('/')).status, 200);
		await until('it answers again', async () => assert.ok(
			(await found_live('heron')).length >= 1));
	}
	await live.stop();
	live = undefined;
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
