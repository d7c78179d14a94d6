/*
 * No member's data reaches another member or a visitor: thousands of simultaneous
 * requests, through nginx with its cache on and with every header that is known to
 * confuse caches, while members vote and log out and in.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { Client, Site, csrfOf, namesIn, runTests, setUp, tearDown, test, unmasked }
	from './support.mjs';

const REQUESTS = 10000;
const CONCURRENCY = 24;
const names = ['mona', 'nils', 'olga', 'pete', 'quin', 'rita', 'sven', 'tina'];

let site;
const members = [];
const secrets = new Map(); /* what only one member may see -> the name */
const seen = { requests: 0, memberPages: 0, statuses: new Map() };

function remember(client) {
	for (const secret of [unmasked(client.token), client.cookies.get('tally')])
		secrets.set(secret, client.name);
}

/* The name of the member who is logged in, from the head of a page. */
const nameIn = (body) => body.match(/class="me" href="\/u\/([^"]+)"/)?.[1];

/*
 * Lists the names, tokens and cookies of others in an answer to the member of that name,
 * or to a visitor without one.
 */
function leaks(name, { all, body }) {
	const found = [];
	const bytes = `${all('location')} ${all('set-cookie')} ${body}`;

	if (nameIn(body) !== undefined && nameIn(body) !== name)
		found.push(`the page of ${nameIn(body)}`);
	for (const [, token] of body.matchAll(/name="csrf" value="([^"]*)"/g))
		if (secrets.get(unmasked(token)) !== name)
			found.push(`the token ${token} of ${secrets.get(unmasked(token))}`);
	for (const [word] of bytes.matchAll(/\d+\.[0-9a-f]{32,}|[0-9a-f]{32,}/g))
		if (secrets.has(unmasked(word)) && secrets.get(unmasked(word)) !== name)
			found.push(`a secret of ${secrets.get(unmasked(word))}`);
	if (name === undefined && / data-vote="(up|down)"| formaction=/.test(body))
		found.push('a member’s vote');
	for (const cookie of all('set-cookie'))
		found.push(`Set-Cookie: ${cookie}`);
	return found;
}

/* Members, each with a group and two articles. */
setUp(async () => {
	site = await Site.start({ settings: { TALLY_CACHE: 1 } });
	for (const name of names) {
		const member = await site.member(name);

		await member.post('/groups', { name: `of-${name}`, title: name });
		for (const n of [1, 2])
			member.article = await member.submit({ title: `Article ${n}`,
				text: `By ${name}.`, groups: `of-${name}` });
		remember(member);
		members.push(member);
	}
});

tearDown(() => site.stop());

test('the check of an answer finds each kind of leak', () => {
	const [mona, nils] = members;
	const answer = (body, heads = {}) => ({ body,
		all: (name) => heads[name] ?? [] });
	const me = (name) => `<a class="me" href="/u/${name}"><bdi>${name}</bdi></a>`;
	const form = (token) => `<input name="csrf" value="${token}">`;
	const own = answer(me('mona') + form(mona.token));

	assert.deepEqual(leaks('mona', own), []);
	assert.deepEqual(leaks(undefined, answer('<a href="/login">')), []);
	for (const [name, wrong] of [
		['nils', own], [undefined, own],
		['mona', answer(me('mona') + form(nils.token))],
		['mona', answer(form('unknown'))],
		[undefined, answer(form(mona.token))],
		[undefined, answer('<li data-vote="up">')],
		[undefined, answer('<button formaction="/articles/1/vote">')],
		['mona', answer(`x ${nils.cookies.get('tally')} y`)],
		['mona', answer('', { location: [`/?x=${nils.token}`] })],
		[undefined, answer('', { 'set-cookie': ['tally=1.x; Path=/'] })],
		['mona', answer('', { 'set-cookie': ['tally-form=x'] })],
	])
		assert.notDeepEqual(leaks(name, wrong), [], wrong.body);
});

/* Pseudorandom numbers below a bound, the same in each run. */
function dice(seed) {
	let state = seed;

	return (bound) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return Math.floor(state / 2 ** 32 * bound);
	};
}

const pages = (id) => ['/', '/', '/?order=new', '/?order=bottom&page=1',
	'/interesting', '/groups', '/about', '/g/of-mona', '/g/of-nils+of-olga',
	'/u/mona', '/u/tina', `/articles/${id}`, '/articles/1', '/nowhere',
	'/submit', '//', '/./', '/?', '/?x=/style.css', '/index.css', '/u/mona.css',
	'/articles/1?.png', '/healthz', '/style.css', '/?page=0'];

/* Headers that have confused some cache. */
const odd = [{}, {}, {}, { Range: 'bytes=0-99' }, { Range: 'bytes=5-' },
	{ 'If-None-Match': '*' }, { 'If-None-Match': '"x"', 'If-Match': '"x"' },
	{ 'If-Modified-Since': 'Fri, 31 Dec 2100 23:59:59 GMT' },
	{ 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:01 GMT' },
	{ 'Accept-Encoding': 'identity;q=1, *;q=0' }, { Accept: 'text/css' },
	{ 'Cache-Control': 'no-cache' }, { 'Cache-Control': 'only-if-cached' },
	{ 'Cache-Control': 'max-age=0', Pragma: 'no-cache' },
	{ 'Cache-Control': 'max-stale=999999' }, { Vary: '*' },
	{ 'X-Forwarded-For': '127.0.0.1', 'X-Forwarded-Host': 'elsewhere' },
	{ 'X-Forwarded-Proto': 'https' }, { Forwarded: 'proto=https;host=x' },
	{ 'X-Original-URL': '/submit', 'X-Rewrite-URL': '/submit' },
	{ 'X-Accel-Expires': '60', 'X-Accel-Redirect': '/submit' },
	{ Authorization: 'Basic bW9uYTpjb3JyZWN0IGhvcnNl' },
	{ 'X-Remote-User': 'mona', 'Remote-User': 'mona' }, { Expect: '' },
	{ Host: 'elsewhere.example' }, { Host: 'LOCALHOST:1' }];

/* Cookies besides the session's, or in its place; none is a session. */
const junk = ['', 'tally=', 'tally=1.x', 'xtally=1.x', 'tally-form=x',
	'tally_=1.x', 'TALLY=1.x', '__Host-tally=1.x', 'a=b; c', '=; ;;', 'a="tally=',
	'tally', 'theme=dark; lang=de', '$Version=1', 'tally[]=1.x', 'tally.=1'];

/* The first of two cookies with one name counts, so the real one comes first. */
function cookiesOf(member, roll) {
	const other = junk[roll(junk.length)];

	if (member === undefined)
		return other;
	const both = [`tally=${member.cookies.get('tally')}`, other];

	if (!other.startsWith('tally=') && roll(2) === 0)
		both.reverse();
	return both.join(['; ', ';'][roll(2)]);
}

async function read(roll) {
	const member = roll(5) < 2 ? undefined : members[roll(members.length)];
	const client = new Client(site.port);
	const id = members[roll(members.length)].article;
	const target = pages(id)[roll(pages(id).length)];
	const method = roll(4) === 0 ? 'HEAD' : 'GET';
	const headers = { ...odd[roll(odd.length)],
		Cookie: cookiesOf(member, roll) };
	const what = `${member?.name}: ${method} ${target} ` +
		JSON.stringify(headers);
	const answer = await client.request(method, target, { headers });

	note(member, answer);
	assert.deepEqual(leaks(member?.name, answer), [], what);
	assert.ok(answer.status < 429, `${what}: ${answer.status}`);
	if (method === 'GET' && target === '/submit' && answer.status === 200)
		assert.equal(nameIn(answer.body), member.name, what);
}

function note(member, { status, body }) {
	seen.requests++;
	seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
	if (nameIn(body) !== undefined)
		seen.memberPages++;
}

/* A vote, so that pages change all the time; its answer is checked as well. */
async function vote(roll) {
	const number = roll(members.length);
	const member = members[number];
	const { article: id } =
		members[(number + 1 + roll(members.length - 1)) % members.length];
	const client = new Client(site.port);

	client.cookies.set('tally', member.cookies.get('tally'));
	const answer = await client.post(`/articles/${id}/vote`, {
		csrf: member.token, return_to: '/',
		vote: ['up', 'down', 'none'][roll(3)] });

	assert.equal(answer.status, 303);
	note(member, answer);
	assert.deepEqual(leaks(member.name, answer), []);
	assert.equal(nameIn((await client.get('/')).body), member.name);
}

test('thousands of mixed requests show nobody another’s page', async () => {
	let left = REQUESTS;
	const reader = async (_, seed) => {
		const roll = dice(seed + 1);

		while (left-- > 0)
			await (roll(10) === 0 ? vote : read)(roll);
	};

	await Promise.all([...Array(CONCURRENCY)].map(reader));
	console.log(`# ${seen.requests} requests, ${seen.memberPages} pages of ` +
		`members, by status ${JSON.stringify([...seen.statuses])}`);
	assert.ok(seen.memberPages > REQUESTS / 5);
	for (const status of [200, 303, 304, 404])
		assert.ok(seen.statuses.get(status) > 10, `${status}`);
});

/* Without a cache the other tests would prove nothing. */
test('nginx caches pages', async () => {
	const points = async () => (await site.client().get('/')).body
		.match(/id="article-1"[^>]* data-points="([^"]+)"/)[1];
	const [, member] = members;
	let kept = 0;

	for (let i = 0; i < 10; i++) {
		await member.post('/articles/1/vote', { vote: 'none' });
		const before = await points();

		await member.post('/articles/1/vote', { vote: 'up' });
		kept += await points() === before;
	}
	assert.ok(kept > 0);
});

/* Else a client could fill the cache and keep the workers busy. */
test('a page is cached once, whatever the request looks like', async () => {
	const cache = path.join(site.folder, 'nginx-temp/cache');
	const kept = () => namesIn(cache);
	const ask = (line) => site.raw(
		`GET ${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);

	for (const file of kept())
		fs.rmSync(path.join(cache, file), { recursive: true, force: true });
	for (const line of ['/', '//', '/./', '/x/../', '/%2e/', '/?', '/?x=1',
		'/?x=2', `/?${'&'.repeat(7000)}`, `/?x=${'%22'.repeat(2500)}`,
		'/?%6frder=new', '/?order=%6eew', '/?order=new&x', '/?order=%00',
		`/?order=${'x'.repeat(7000)}`, 'http://elsewhere.example/',
		'/g/of-nils+of-mona', '/g/of-mona+of-mona', '/site.css?v=1'])
		assert.doesNotMatch(await ask(line), /^HTTP\/1\.1 5/);
	assert.equal(kept().length, 1);
	for (const line of ['/?order=new', '/g/of-mona+of-nils', '/u/mona'])
		assert.match(await ask(line), /^HTTP\/1\.1 200/);
	assert.equal(kept().length, 4);
});

test('nginx finds the session where the program does', async () => {
	const [mona] = members;
	const own = `tally=${mona.cookies.get('tally')}`;

	for (const cookie of [own, `a=b;${own}`, `a=b; \t ${own}`, `\t${own}`,
		`a=b;\x0b${own}`, `a=b;\f${own}`, `;${own}`]) {
		await site.client().get('/');
		const answer = await site.raw('GET / HTTP/1.1\r\nHost: localhost\r\n' +
			`Connection: close\r\nCookie: ${cookie}\r\n\r\n`);

		assert.equal(nameIn(answer), 'mona', JSON.stringify(cookie));
	}
});

/* A proxy with the certificate announces https. A client that announces it without one
 * changes no page of others. */
test('pages of https and of http are cached separately', async () => {
	const style = async (headers) => (await site.client().get('/robots.txt',
		{ headers })).headers['strict-transport-security'];

	for (let i = 0; i < 2; i++) {
		assert.equal(await style({ 'X-Forwarded-Proto': 'https' }),
			'max-age=63072000');
		assert.equal(await style({}), undefined);
		assert.equal(await style({ 'X-Forwarded-Proto': 'http' }), undefined);
		assert.equal(await style({ 'X-Forwarded-Proto': 'xhttps' }), undefined);
	}
	const own = (headers) => site.client().get('/login', { headers });

	assert.match((await own({ 'X-Forwarded-Proto': 'https' }))
		.headers['set-cookie'][0], /^__Host-tally-form=.*; Secure$/);
	assert.match((await own({})).headers['set-cookie'][0], /^tally-form=/);
});

test('a member who logs out is a visitor at once', async () => {
	const [mona, nils] = members;

	for (let i = 0; i < 20; i++) {
		const path = ['/', '/u/mona', '/groups'][i % 3];
		const before = new Map(mona.cookies);

		assert.equal(nameIn((await mona.get(path)).body), 'mona');
		await mona.post('/logout');
		assert.equal(nameIn((await mona.get(path)).body), undefined);
		mona.cookies = before;
		assert.equal(nameIn((await mona.get(path)).body), undefined);
		assert.equal(nameIn((await nils.get(path)).body), 'nils');
		assert.equal(nameIn((await site.client().get(path)).body), undefined);
		assert.equal((await mona.post('/login', { username: 'mona',
			password: 'correct horse' }, { from: '/login' })).status, 303);
		mona.token = csrfOf((await mona.get('/submit')).body);
		remember(mona);
	}
});

/* A proxy's connection carries requests of several readers. */
test('people who share a connection are not mixed up', async () => {
	const order = [...Array(200).keys()].map((i) => members[i * 7 % 9]);
	const bytes = order.map((member, i) =>
		`GET ${i % 3 === 0 ? '/submit' : '/'} HTTP/1.1\r\nHost: localhost\r\n` +
		`${member === undefined ? '' :
			`Cookie: theme=${i}\r\nCookie: tally=${member.cookies.get('tally')}` +
			'\r\n'}` +
		`${i === order.length - 1 ? 'Connection: close\r\n' : ''}\r\n`).join('');
	const answers = (await site.raw(bytes)).split(/^HTTP\/1\.1 /m).slice(1);

	assert.equal(answers.length, order.length);
	for (const [i, answer] of answers.entries())
		assert.equal(nameIn(answer), order[i]?.name, `${i}`);
});

test('everything adds up in the end', () => {
	assert.match(site.command('check').out, /^0 breaks$/m);
});

await runTests();
