/*
 * Feeds as their readers have them, through nginx: valid by a schema of Atom (atom.rng), by the
 * members of JSON Feed 1.1 and by Python's feedparser; asked for again with a tag; and in
 * newsboat.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

import { Service, Site, filesWith, freePort, giveAway, runTests, setUp, tearDown, temporaryFolder, test,
	until } from './support.mjs';

/* What a form takes and a format could break on. */
const hostile = 'a ]]> <b>&amp;</b> "\u{1F600}" \u05D0 {{x}} --> \'';

let site, nobody, ann, bob, mod, link, text;

setUp(async () => {
	site = new Site(undefined, { TALLY_INTERESTING: '2', TALLY_WORKERS: 1 });
	site.port = await freePort();
	site.settings.TALLY_ORIGIN = `http://localhost:${site.port}`;
	await site.start();
	nobody = site.client();
	ann = await site.member('ann');
	bob = await site.member('bob');
	mod = await site.member('mod');
	assert.equal(site.command('user', 'role', 'mod', 'moderator').status, 0);
	for (const name of ['redis', 'web'])
		await ann.post('/groups', { name, title: name });
	link = await ann.submit({ title: hostile,
		url: 'https://Example.org/a?b=1&c=2', groups: 'redis web' });
	text = await ann.submit({ title: 'A text',
		text: `Words for @bob, /g/redis.\n\n    code ${hostile}\n\n> ${hostile}` });
	const gone = await ann.submit({ title: 'Removed', text: 'Removed.' });

	await bob.post('/vote', { up: link });
	await bob.post(`/articles/${link}/comments`, { text: hostile });
	await ann.post(`/articles/${link}/comments`, { text: 'An answer.', parent: 1 });
	await mod.post(`/articles/${gone}/remove`, { reason: hostile });
});

tearDown(() => site.stop());

/* Each list, and how many entries its feed has. */
const lists = () => [['/index', 1], ['/interesting', 1], ['/new', 2], ['/g/redis', 1],
	['/g/redis+web', 1], ['/g/redis+web', 1, '?match=all'], ['/u/ann', 2], ['/u/bob', 0],
	['/comments', 2], ['/u/bob/comments', 1], [`/articles/${link}`, 2],
	[`/articles/${text}`, 0], ['/log', 2], ['/new', 2, '?link=comments'],
	['/new', 1, '?least=2']];

/* Runs a program with bytes as its input. */
function run(program, words, input, options = {}) {
	const { status, stdout, stderr, error } =
		spawnSync(program, words, { input, encoding: 'utf8', ...options });

	assert.equal(error, undefined);
	assert.equal(status, 0, `${program}: ${stderr}${stdout}`);
	return stdout;
}

test('Atom is valid by the schema, and what feedparser reads', async () => {
	const parser = 'import feedparser,json,sys;f=feedparser.parse(sys.stdin.buffer.read());' +
		'print(json.dumps([bool(f.bozo),f.version,[[e.id,e.title,e.link,e.updated,' +
		'e.author,e.content[0].value] for e in f.entries]]))';

	for (const [list, count, query = ''] of lists()) {
		const { status, headers, body } = await nobody.get(`${list}.atom${query}`);

		assert.equal(status, 200, list);
		assert.equal(headers['content-type'], 'application/atom+xml; charset=utf-8');
		run('xmllint', ['--noout', '--nonet', '--relaxng',
			path.resolve('tests/site/atom.rng'), '-'], body);
		const [bozo, version, entries] = JSON.parse(run('/usr/bin/python3', ['-c', parser], body));

		assert.equal(bozo, false, list);
		assert.equal(version, 'atom10');
		assert.equal(entries.length, count, list + query);
		assert.equal(new Set(entries.map(([id]) => id)).size, count);
		for (const [, title, href] of entries) {
			assert.ok(title.length > 0);
			assert.match(href, /^https?:\/\//);
		}
	}
});

/* Members by jsonfeed.org/version/1.1, of which others have to begin with "_". */
const members = {
	feed: { version: 'string', title: 'string', home_page_url: 'string', feed_url: 'string',
		description: 'string', language: 'string', items: 'object' },
	item: { id: 'string', url: 'string', external_url: 'string', title: 'string',
		content_html: 'string', date_published: 'string', date_modified: 'string',
		authors: 'object', tags: 'object', _tally: 'object' },
};

function assertMembers(object, known, needed) {
	for (const [name, value] of Object.entries(object))
		assert.equal(typeof value, known[name], name);
	for (const name of needed)
		assert.ok(name in object, name);
}

test('JSON Feed has what Atom has', async () => {
	for (const [list, count, query = ''] of lists()) {
		const { status, headers, body } = await nobody.get(`${list}.json${query}`);
		const feed = JSON.parse(body);
		const atom = (await nobody.get(`${list}.atom${query}`)).body;
		const ids = [...atom.matchAll(/<entry>\n<id>(.*?)<\/id>/g)].map(([, id]) => id);

		assert.equal(status, 200, list);
		assert.equal(headers['content-type'], 'application/feed+json; charset=utf-8');
		assertMembers(feed, members.feed, ['version', 'title', 'items']);
		assert.equal(feed.version, 'https://jsonfeed.org/version/1.1');
		assert.equal(feed.items.length, count, list + query);
		assert.deepEqual(feed.items.map(({ id }) => id), ids);
		for (const item of feed.items) {
			assertMembers(item, members.item,
				['id', 'content_html', 'date_published', 'date_modified']);
			assert.match(item.date_modified, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
			assert.ok(Array.isArray(item.authors) && item.authors[0].name);
		}
	}
});

test('the link leads to the article, and the conversation has one of its own', async () => {
	const item = async (target) => JSON.parse((await nobody.get(target)).body).items
		.find(({ id }) => id.endsWith(`/articles/${link}`));
	const first = await item('/new.json'), second = await item('/new.json?link=comments');

	assert.equal(first.title, hostile);
	assert.equal(first.url, 'https://example.org/a?b=1&c=2');
	assert.deepEqual(first._tally, { points: 2, comments: 2,
		comments_url: `http://localhost:${site.port}/articles/${link}#comments` });
	assert.equal(second.url, `http://localhost:${site.port}/articles/${link}`);
	assert.equal(second.external_url, first.url);
	assert.equal(second.id, first.id);
	assert.deepEqual(first.tags, ['redis', 'web']);
});

test('a reader with the present feed gets 304, also after votes, and another one after an edit',
	async () => {
		const first = await nobody.get('/new.atom');
		const again = (tag, headers = {}) => nobody.get('/new.atom',
			{ headers: { 'If-None-Match': tag, ...headers } });

		assert.match(first.headers.etag, /^W\/"/);
		assert.match(first.headers['last-modified'], /GMT$/);
		assert.equal((await again(first.headers.etag)).status, 304);
		await bob.post('/vote', { up: text });
		const after = await again(first.headers.etag);

		assert.equal(after.status, 304);
		assert.equal(after.bytes.length, 0);
		assert.notEqual(after.headers.etag, first.headers.etag);
		await ann.post(`/articles/${text}/edit`,
			{ title: 'A text, edited', text: 'Other words.' });
		let edited;

		await until('the edit is in the feed', async () => {
			edited = await again(after.headers.etag);
			return edited.status === 200;
		});

		assert.match(edited.body, /A text, edited/);
		await until('the edit is in the cache', async () =>
			(await nobody.get('/new.atom', { headers: { 'If-Modified-Since':
				edited.headers['last-modified'] } })).status === 304);
		assert.equal((await again('W/"x"', { 'If-Modified-Since':
			edited.headers['last-modified'] })).status, 200);
	});

/* nginx has the feed for a second; what it is answered for a tag is for who sent that. */
test('an answer for a tag is not cached', async () => {
	const { headers } = await nobody.get('/comments.atom');

	assert.equal(headers['cache-control'], 'public, max-age=1');
	for (const tag of [headers.etag, 'W/"1.2"', '*', headers.etag]) {
		const mine = await nobody.get('/comments.atom',
			{ headers: { 'If-None-Match': tag } });
		const others = await nobody.get('/comments.atom');

		assert.equal(mine.status, tag === 'W/"1.2"' ? 200 : 304, tag);
		assert.equal(others.status, 200);
		assert.match(others.body, /<\/feed>\n$/);
	}
});

test('a tag of a feed is passed on for feeds alone', async () => {
	const answer = await nobody.get('/new', { headers: { 'If-None-Match': 'W/"1.2"' } });

	assert.equal(answer.status, 200);
});

test('feeds are compressed', async () => {
	for (const ending of ['.atom', '.json']) {
		const { headers } = await nobody.get(`/new${ending}`,
			{ headers: { 'Accept-Encoding': 'gzip' } });

		assert.equal(headers['content-encoding'], 'gzip');
	}
});

/* newsboat through a proxy that notes what it is answered. */
test('newsboat shows the entries, and asks again with the tag', async () => {
	const folder = temporaryFolder(), statuses = [];
	const proxy = http.createServer((request, answer) => {
		http.get({ port: site.port, path: request.url, headers:
			{ ...request.headers, host: `localhost:${site.port}` } },
			(from) => {
				statuses.push(from.statusCode);
				answer.writeHead(from.statusCode, from.headers);
				from.pipe(answer);
			});
	});

	await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	const files = ['urls', 'cache', 'config'].map((name) => path.join(folder, name));
	const newsboat = (...words) => new Promise((resolve, reject) => {
		const child = spawn('newsboat', ['-u', files[0], '-c', files[1], '-C', files[2],
			...words], { env: { ...process.env, HOME: folder, LC_ALL: 'C.UTF-8' } });
		let out = '';

		child.stdout.on('data', (data) => { out += data; });
		child.stderr.on('data', (data) => { out += data; });
		child.on('close', (status) => status === 0 ? resolve(out) : reject(new Error(out)));
	});

	fs.writeFileSync(files[0], `http://127.0.0.1:${proxy.address().port}/u/ann.atom\n`);
	fs.writeFileSync(files[2], 'reload-threads 1\n');
	giveAway(folder);
	await newsboat('-x', 'reload');
	assert.match(await newsboat('-x', 'print-unread'), /^2 unread/);
	/* It stores the tag of a feed that it knows already. */
	await until('newsboat is answered 304', async () => {
		await newsboat('-x', 'reload');
		return statuses.at(-1) === 304;
	});
	assert.match(await newsboat('-x', 'print-unread'), /^2 unread/);
	proxy.close();
});

/* Creates the addresses of private feeds, and returns the key in them. */
async function keyOf(client) {
	const { status, body, headers } =
		await client.post('/settings/feeds', { do: 'renew' });

	assert.equal(status, 200);
	assert.equal(headers['cache-control'], 'private, no-store');
	return body.match(/\/inbox\.atom\?key=([0-9a-f.]+)"/)[1];
}

test('a private feed is read by its secret, unchanged with 304, and not from the cache',
	async () => {
		const key = await keyOf(ann), modKey = await keyOf(mod);
		const inbox = await nobody.get(`/inbox.atom?key=${key}`);

		assert.equal(inbox.status, 200);
		assert.equal(inbox.headers['cache-control'], 'private, no-store');
		assert.match(inbox.body, /<entry>/);
		run('xmllint', ['--noout', '--nonet', '--relaxng',
			path.resolve('tests/site/atom.rng'), '-'], inbox.body);
		assert.equal((await nobody.get(`/inbox.atom?key=${key}`,
			{ headers: { 'If-None-Match': inbox.headers.etag } })).status, 304);
		assert.equal((await nobody.get(`/moderation.json?key=${key}`)).status, 403);
		assert.equal((await nobody.get(`/moderation.json?key=${modKey}`)).status, 200);
		assert.equal((await nobody.get(`/Inbox.atom?key=${key}`)).headers.location,
			`/inbox.atom?key=${key}`);
		let search;

		await until('a search is a private feed', async () => {
			search = await nobody.get(`/search.atom?q=author%3Aann+text&key=${key}`);
			return search.status === 200 && search.body.includes('<entry>');
		});
		run('xmllint', ['--noout', '--nonet', '--relaxng',
			path.resolve('tests/site/atom.rng'), '-'], search.body);
		assert.equal((await nobody.get(`/search.atom?q=author%3Aann+text&key=${key}`,
			{ headers: { 'If-None-Match': search.headers.etag } })).status, 304);
		const second = await keyOf(ann);

		assert.equal((await nobody.get(`/inbox.atom?key=${key}`)).status, 403);
		assert.equal((await nobody.get(`/inbox.atom?key=${second}`)).status, 200);
	});

/* Also when the program is away, which nginx logs with the address. */
test('no log and no file has the secret of a private feed', async () => {
	const service = await Service.start();
	const key = await keyOf(await service.member('ann')), secret = key.split('.')[1];
	const reader = service.client();
	const target = `/inbox.atom?key=${key}`;
	const searched = `/search.atom?q=words&key=${key}`;

	assert.equal((await reader.get(target)).status, 200);
	assert.ok([200, 503].includes((await reader.get(searched)).status));
	assert.equal((await reader.get(target, { headers:
		{ Referer: `http://localhost${target}` } })).status, 200);
	await service.stop();
	fs.rmSync(service.socket);
	for (const at of [target, searched])
		assert.equal((await reader.get(at)).status, 503);
	assert.equal((await reader.get('/about')).status, 503);
	await until('the log has the last request', () => fs.readFileSync(path.join(
		service.folder, 'access.log'), 'utf8').includes('GET /about'));
	assert.deepEqual(filesWith(service.folder, secret), []);
	assert.doesNotMatch(service.log, new RegExp(secret));
	service.systemd.stdin.end();
});

await runTests();
