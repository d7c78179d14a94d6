/*
 * Common attacks, through the real nginx: injected headers and redirects, path
 * traversal, session fixation, CSRF tokens, methods, and guessing of usernames.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { assertErrorPage, assertHeaders, parse } from './answers.mjs';
import { redis } from './redis.mjs';
import { Site, csrfOf, runTests, setUp, sleep, tearDown, test, withoutMasks }
	from './support.mjs';

const password = 'correct horse';
let site, ann, bob, nobody, article;

setUp(async () => {
	site = await Site.start();
	[ann, bob] = [await site.member('ann'), await site.member('bob')];
	nobody = site.client();
	article = await (await site.member('author'))
		.submit({ title: 'An article', text: 'Its text.' });
	assert.equal((await ann.post('/groups',
		{ name: 'redis', title: 'Redis' })).status, 303);
});

tearDown(() => site.stop());

const votes = async (client) => (await client.get(`/articles/${article}`)).body
	.match(/data-vote="(\w+)".* data-up="(\d+)" data-down="(\d+)"/).slice(1);

/* Sends a request byte for byte; resolves to the answer. */
async function raw(first, lines = [], body = '') {
	return parse(await site.raw([first, 'Host: localhost',
		'Connection: close', ...lines, '', body].join('\r\n')));
}

const cookieOf = (client) => `Cookie: ${[...client.cookies]
	.map((pair) => pair.join('=')).join('; ')}`;

/* Sends a form byte for byte. */
function rawForm(client, target, body, lines = []) {
	return raw(`POST ${target} HTTP/1.1`, [cookieOf(client),
		'Content-Type: application/x-www-form-urlencoded',
		`Content-Length: ${Buffer.byteLength(body)}`, ...lines], body);
}

/* Every spelling of a line end that might split a header. */
const ends = ['\r\n', '\n', '\r', '\r\n ', '\u2028', '\u0085',
	'\u560d\u560a', '\0\r\n', '%0d%0a', '\\r\\n'];

function assertNothingAdded(answer, what) {
	assertHeaders(answer, what);
	assert.deepEqual(answer.all('x-added'), [], what);
	assert.ok(!answer.all('set-cookie').some((cookie) =>
		/added/.test(cookie)), what);
	assert.ok(answer.all('location').every((location) =>
		/^\/[!-~]*$/.test(location)), what);
}

test('no input adds a header to an answer', async () => {
	for (const end of ends) {
		const tail = `${end}X-Added: 1${end}Set-Cookie: added=1${end}${end}<p>`;
		const coded = encodeURIComponent(tail);
		const what = JSON.stringify(end);

		for (const target of [`/submit?title=${coded}`, `/${coded}`,
			`/login?return_to=/${coded}`, `/g/redis${coded}`,
			`/u/ann${coded}`, `/?order=${coded}`, `/submit?${coded}=1`,
			`/articles/${article}${coded}`])
			for (const who of [nobody, ann])
				assertNothingAdded(await who.get(target), `${what} ${target}`);
		for (const [who, target, fields] of [
			[ann, `/articles/${article}/vote`, { vote: 'up' }],
			[nobody, `/articles/${article}/vote`, { vote: 'up' }],
			[site.client(), '/login', { username: 'ann', password }],
			[nobody, '/login', { username: tail, password }],
			[nobody, '/register', { username: `x${tail}`, password }],
			[ann, '/submit', { title: tail, url: `https://e.org/${tail}` }],
			[ann, '/groups', { name: `x${tail}`, title: tail }],
		])
			assertNothingAdded(await who.post(target,
				{ ...fields, return_to: `/about${tail}` },
				{ from: who === ann ? '/submit' : '/login' }),
			`${what} POST ${target}`);
	}
});

test('no cookie adds a header to an answer', async () => {
	for (const value of ['1.x%0d%0aX-Added:1', '"1.x\\r\\nX-Added: 1"',
		`${'f'.repeat(20)}%0d%0aadded=1`, 'added', 'added=1,added=2'])
		for (const name of ['tally', 'tally-form', '__Host-tally'])
			for (const target of ['/login', '/submit', '/'])
				assertNothingAdded(await raw(`GET ${target} HTTP/1.1`,
					[`Cookie: ${name}=${value}`]), `${name}=${value}`);
});

/* As a Location, each might take a browser to another site. */
const elsewhere = ['https://elsewhere.example/', '//elsewhere.example',
	'///elsewhere.example', '/\\elsewhere.example', '\\\\elsewhere.example',
	'\\/elsewhere.example', '/\t/elsewhere.example', '/\n/elsewhere.example',
	'/\r/elsewhere.example', '\t//elsewhere.example', ' //elsewhere.example',
	'/ /elsewhere.example', '\u0000//elsewhere.example', 'javascript:hit()',
	'//user@elsewhere.example', '@elsewhere.example', '.elsewhere.example',
	':80', 'elsewhere.example', '//elsewhere.example\\@localhost',
	'https:elsewhere.example', 'https:/elsewhere.example',
	'hTTps://elsewhere.example', '//%65lsewhere.example',
	'//elsewhere\u3002example', '/\u2028/elsewhere.example',
	'\uff0f\uff0felsewhere.example', '/%5celsewhere.example',
	'/%2felsewhere.example', '/%09/elsewhere.example', '%2f%2felsewhere.example',
	'/.//elsewhere.example', '/..//elsewhere.example', '/about/..//elsewhere',
	'/;@elsewhere.example', '/?//elsewhere.example', '/#//elsewhere.example',
	`/${'/'.repeat(5000)}elsewhere.example`, `//${'e'.repeat(20000)}`,
	`/${'a'.repeat(60000)}`];

/* Parsed as browsers do, by the WHATWG URL standard. */
function assertLeadsHome({ status, headers }, what) {
	const home = `http://localhost:${site.port}`;

	assert.equal(status, 303, what);
	assert.equal(new URL(headers.location, `${home}/articles/1/vote`).origin,
		home, `${what}: ${headers.location}`);
}

test('redirects never leave the site', async () => {
	for (const to of elsewhere) {
		const what = JSON.stringify(to.slice(0, 60));

		assertLeadsHome(await ann.post(`/articles/${article}/vote`,
			{ vote: 'up', return_to: to }), `vote ${what}`);
		assertLeadsHome(await site.client().post(`/articles/${article}/vote`,
			{ vote: 'up', return_to: to, csrf: '' }), `signed out ${what}`);
		assertLeadsHome(await nobody.get(
			`/submit?${new URLSearchParams({ title: to.slice(0, 2000) })}`),
		`submit ${what}`);
		const form = await nobody.get(
			`/login?${new URLSearchParams({ return_to: to.slice(0, 2000) })}`);
		const [, kept] = form.body.match(/name="return_to" value="([^"]*)"/);

		assertLeadsHome({ status: 303, headers: { location: kept } }, what);
	}
	await site.member('carl');
	for (const to of elsewhere.slice(0, 30))
		assertLeadsHome(await site.client().post('/login', { username: 'carl',
			password, return_to: to }, { from: '/login' }), `login ${to}`);
	for (const to of ['//submit', '/%2fsubmit', '/.//submit', '///%2f/submit',
		'http://elsewhere.example/submit', 'http://elsewhere.example//submit']) {
		const { headers } = await raw(`GET ${to} HTTP/1.1`);

		assert.match(headers.location, /^\/login\?return_to=%2Fsubmit$/, to);
	}
});

/* Spellings of "..", and files worth reading with them. */
const ups = ['..', '%2e%2e', '%2E.', '.%2e', '%252e%252e', '..%00', '..;',
	'%c0%ae%c0%ae', '%e0%80%ae%e0%80%ae', '%uff0e%uff0e', '...', '..\\',
	'..%5c', '..%2f', '%2e%2e%2f', '..%c0%af', '..%ef%bc%8f', '.. ', '..%20'];
const files = ['etc/passwd', 'redis.conf', 'redis.secret', 'nginx.conf',
	'nginx/server.conf', 'templates/layout.mustache', 'errors/404.html',
	'redis.sock', 'tally.sock', 'proc/self/environ'];

test('no path reaches a file that is not served', async () => {
	const paths = files.flatMap((file) => [`/${file}`, `//${file}`,
		`/static/${file}`, `/style.css/${file}`, `/errors/${file}`,
		`/.${file}`, `/${file}%00.css`, `/${file}~`,
		...ups.flatMap((up) => [`/${up}/${file}`, `/style.css/${up}/${file}`,
			`/${up}/${up}/${up}/${up}/${up}/${up}/${file}`,
			`/static/${up}/${up}/${file}`, `/g/${up}${file}`])]);

	for (let i = 0; i < paths.length; i += 16)
		for (const [n, { status, body }] of (await Promise.all(
			paths.slice(i, i + 16).map((path) =>
				raw(`GET ${path} HTTP/1.1`)))).entries()) {
			const what = paths[i + n];

			assert.ok(status === 404 || status === 400, `${what}: ${status}`);
			assertErrorPage(body, status, what);
		}
});

test('no spelling of a path reaches another page', async () => {
	for (const [path, ...allowed] of [
		['/SUBMIT', 301], ['/Login', 301], ['/submit/', 301], ['/submit.', 404],
		['/submit%20', 404], ['/submit%09', 404], ['/submit;a=b', 404],
		['/submit%3fa=b', 404], ['/submit%23', 404], ['/submit%00', 400],
		['/submit%2f', 301], ['/submit%5c', 404], ['\\submit', 400],
		['/\\submit', 404], ['/%5csubmit', 404], ['/sub%6dit', 303],
		['/sub%256dit', 404], ['//submit', 303], ['/%2fsubmit', 303],
		['/./submit', 303], ['/%2e/submit', 303], ['/x/%2e%2e/submit', 303],
		['/x/%252e%252e/submit', 404], ['/x/..;/submit', 404],
		['/x/..%5csubmit', 404], ['/%c0%afsubmit', 400], ['/%ff', 400],
		['/%ed%a0%80', 400], ['/%f4%90%80%80', 400], ['/%e0%80%af', 400],
		['/u/ANN', 301], ['/u/ann%00', 400], ['/u/ann%20', 404],
		['/u/ann/', 301], ['/u/%2e', 404], ['/u/..%2fsubmit', 303],
		['/g/REDIS', 301], ['/g/redis+', 301],
		[`/articles/0${article}`, 404], [`/articles/+${article}`, 404],
		[`/articles/${article}.0`, 404], [`/articles/${article}%00`, 400],
		[`/articles/${article}e0`, 404], [`/articles/%31`, 200],
		['/articles/1%0a', 404], ['/articles/18446744073709551617', 404],
		['/articles/\u0661', 400, 404],
		['/healthz/..', 200], ['/style.css/', 404], ['/STYLE.CSS', 404],
	]) {
		const { status } = await raw(`GET ${path} HTTP/1.1`);

		assert.ok(allowed.includes(status), `${path}: ${status}`);
	}
});

test('a session planted before a log-in is not adopted', async () => {
	const thief = await site.member('thief');
	const planted = thief.cookies.get('tally');

	for (const cookie of [planted, '1.0123456789abcdef', 'planted', '']) {
		const victim = site.client();
		const form = '0123456789abcdef0123456789abcdef';

		/* Members see no log-in form; this one was loaded before. */
		victim.cookies.set('tally-form', form);
		const csrf = csrfOf((await victim.get('/login')).body);

		victim.cookies.set('tally', cookie);
		const answer = await victim.post('/login',
			{ username: 'bob', password, csrf });

		assert.equal(answer.status, 303);
		assert.notEqual(victim.cookies.get('tally'), cookie);
		assert.match((await victim.get('/')).body, />bob</);
		for (const left of [cookie, form]) {
			const again = site.client();

			again.cookies.set('tally', left);
			assert.doesNotMatch((await again.get('/')).body, />bob</);
		}
	}
	assert.equal((await thief.get('/submit')).status, 303,
		'the planted session has ended');
});

test('each log-in gets its own session', async () => {
	const seen = new Set();

	for (let i = 0; i < 5; i++) {
		const client = site.client();

		await client.post('/login', { username: 'bob', password },
			{ from: '/login' });
		const cookie = client.cookies.get('tally');
		const [id, secret] = cookie.split('.');

		assert.ok(secret.length >= 22, '128 bits or more');
		seen.add(secret);
		seen.add(csrfOf((await client.get('/submit')).body));
		for (const wrong of [`${+id + 1}.${secret}`, `${id}.${secret}0`,
			`${id}.${secret.slice(1)}`, secret, `${id}.`,
			cookie.toUpperCase(), `${id}.${secret.slice(0, -1)}!`]) {
			const other = site.client();

			other.cookies.set('tally', wrong);
			assert.equal((await other.get('/submit')).status,
				wrong === cookie ? 200 : 303, wrong);
		}
	}
	assert.equal(seen.size, 10);
});

/* A new browser, which tries to log in. */
async function tryLogIn(username, secret) {
	const client = site.client();
	const { status } = await client.post('/login',
		{ username, password: secret }, { from: '/login' });

	return { client, status };
}

/* Prepares a change of password, with the form's current token. */
async function passwordChange(client) {
	client.token = csrfOf((await client.get('/about')).body);
	return (current, password) => client.post('/settings/password',
		{ current, password });
}

test('of two simultaneous changes of a password, one is made', async () => {
	await site.member('twice');
	let current = 'correct horse';

	for (let round = 0; round < 5; round++) {
		const chosen = [`first choice ${round}`, `second choice ${round}`];
		const browsers = [(await tryLogIn('twice', current)).client,
			(await tryLogIn('twice', current)).client];
		const change = [await passwordChange(browsers[0]),
			await passwordChange(browsers[1])];
		const answers = await Promise.all([0, 1].map(
			(i) => change[i](current, chosen[i])));
		const made = answers.findIndex(({ headers }) =>
			headers.location === '/settings');

		assert.notEqual(answers[1 - made].headers.location, '/settings',
			'only one is acknowledged');
		assert.equal((await tryLogIn('twice', chosen[1 - made])).status, 422);
		assert.equal((await browsers[1 - made].get('/submit')).status,
			303);
		current = chosen[made];
		assert.equal((await tryLogIn('twice', current)).status, 303);
	}
});

/* The log-ins are spread over the duration of a change, so that some of them run
 * during each of its steps. */
test('no session of the old password survives its change', async () => {
	const owner = await site.member('owner');
	let current = 'correct horse';

	for (let round = 0; round < 20; round++) {
		const next = `the password ${round}`;
		const change = await passwordChange(owner);
		const thieves = [0, 12, 24, 36, 48].map(async (delay) => {
			await sleep(delay);
			return tryLogIn('owner', current);
		});
		const { headers } = await change(current, next);

		assert.equal(headers.location, '/settings');
		for (const { client } of await Promise.all(thieves))
			assert.equal((await client.get('/settings')).status, 303,
				`round ${round}`);
		current = next;
	}
});

test('simultaneous log-ins do not exceed the limit of sessions', async () => {
	const first = await site.member('crowd');
	const others = await Promise.all(Array.from({ length: 60 },
		() => tryLogIn('crowd', 'correct horse')));
	const made = others.filter(({ status }) => status === 303).length;
	const statuses = await Promise.all([first, ...others.map(({ client }) => client)]
		.map(async (client) => (await client.get('/settings')).status));
	const socket = path.join(site.folder, 'redis.sock');
	const sessions = redis(socket, 'HLEN',
		`{u${redis(socket, 'GET', 'name:crowd')}}sessions`);

	/* On a busy machine some are refused, or made without an answer in time. */
	assert.ok(made >= 20, `${made} log-ins`);
	assert.equal(sessions, 20);
	assert.ok(statuses.filter((status) => status === 200).length <= 20);
});

test('a token is valid for one session, as long as that lasts', async () => {
	const client = site.client();
	const vote = (who, csrf) => who.post(`/articles/${article}/vote`,
		{ vote: 'down', csrf });
	const form = csrfOf((await client.get('/login')).body);

	await client.post('/login', { username: 'bob', password, csrf: form });
	const own = csrfOf((await client.get('/submit')).body);

	for (const csrf of [ann.token, bob.token, form, '', own.toUpperCase(),
		own.slice(1), `${own}0`,
		own.replace(/.$/, (c) => c === '0' ? '1' : '0'),
		client.cookies.get('tally'), client.cookies.get('tally-form')])
		assert.equal((await vote(client, csrf)).status,
			csrf === own ? 303 : 403, csrf);
	assert.equal((await vote(client, own)).status, 303);
	assert.equal((await vote(client, own)).status, 303, 'and again');
	for (const csrf of [own, ann.token])
		assert.equal((await client.post('/login',
			{ username: 'bob', password, csrf })).status, 403);
	const cookies = new Map(client.cookies);

	assert.equal((await client.post('/logout', { csrf: own })).status, 303);
	client.cookies = cookies;
	assert.match((await vote(client, own)).headers.location, /^\/login\?/);
	await client.post('/login', { username: 'bob', password },
		{ from: '/login' });
	assert.equal((await vote(client, own)).status, 403,
		'the token of the ended session');
});

test('the token of one log-in form is not valid for another', async () => {
	const [one, other] = [site.client(), site.client()];
	const token = csrfOf((await one.get('/login')).body);
	const send = (client, csrf) => client.post('/login',
		{ username: 'bob', password, csrf });

	assert.equal((await send(other, token)).status, 403, 'without its cookie');
	await other.get('/login');
	assert.equal((await send(other, token)).status, 403,
		'with another browser’s cookie');
	assert.equal(other.cookies.has('tally'), false);
	assert.equal((await send(one, token)).status, 303);
});

test('a token in the query does not count', async () => {
	const { status } = await rawForm(ann,
		`/articles/${article}/vote?csrf=${ann.token}`, 'vote=down');

	assert.equal(status, 403);
});

/* Everything that some server, proxy or framework takes for another method. */
const overrides = ['X-HTTP-Method-Override', 'X-HTTP-Method',
	'X-Method-Override', '_method'];

test('only a POST votes', async () => {
	const target = `/articles/${article}/vote`;
	const query = `csrf=${ann.token}&vote=down`;
	const before = await votes(ann);

	for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS',
		'BREW', 'POSTS', 'SEARCH', 'PROPFIND', 'TRACE', 'post', 'Post',
		'CONNECT'])
		for (const override of [[], ...overrides.map((o) => [`${o}: POST`])]) {
			const answer = await raw(
				`${method} ${target}?${query}&_method=POST HTTP/1.1`,
				[cookieOf(ann), ...override,
					'Content-Type: application/x-www-form-urlencoded',
					`Content-Length: ${query.length}`], query);

			assert.ok(answer.status === 405 || answer.status === 400,
				`${method}: ${answer.status}`);
			assertHeaders(answer, method);
		}
	assert.deepEqual(await votes(ann), before);
	assert.equal((await rawForm(ann, target, query)).status, 303);
	assert.notDeepEqual(await votes(ann), before);
});

test('nothing turns a POST into another method', async () => {
	for (const method of ['GET', 'HEAD', 'DELETE', 'PUT'])
		for (const override of overrides) {
			const answer = await rawForm(ann, `/articles/${article}/vote`,
				`csrf=${ann.token}&vote=up&_method=${method}`,
				[`${override}: ${method}`]);

			assert.equal(answer.status, 303);
		}
	assert.equal((await votes(ann))[0], 'up');
});

test('reading changes nothing, whatever the query says', async () => {
	const count = async () => (await ann.get('/?order=new')).body
		.match(/data-id=/g).length;
	const before = await count();
	const query = `csrf=${ann.token}&title=By+GET&text=x&vote=down&name=xx`;

	for (const path of ['/submit', '/groups', '/logout', '/register', '/login',
		`/articles/${article}`, `/articles/${article}/vote`,
		`/articles/${article}/groups`, `/articles/${article}/remove`])
		for (const method of ['GET', 'HEAD'])
			await ann.request(method, `${path}?${query}`);
	assert.equal(await count(), before);
	assert.equal((await votes(ann))[0], 'up');
	assert.equal((await ann.get('/submit')).status, 200, 'still logged in');
});

test('a form is accepted in one content type only', async () => {
	const body = `csrf=${ann.token}&vote=down`;
	const fields = { csrf: ann.token, vote: 'down' };
	const multipart = Object.entries(fields).map(([name, value]) => '--x\r\n' +
		`Content-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);

	for (const [type, sent] of [['text/plain', body], ['', body],
		['application/json', JSON.stringify(fields)],
		['multipart/form-data; boundary=x', `${multipart.join('')}--x--`],
		['application/x-www-form-urlencodedx', body],
		['text/plain; application/x-www-form-urlencoded', body]]) {
		const answer = await raw(`POST /articles/${article}/vote HTTP/1.1`,
			[cookieOf(ann), ...type ? [`Content-Type: ${type}`] : [],
				`Content-Length: ${sent.length}`], sent);

		assert.equal(answer.status, 400, type);
	}
	assert.equal((await votes(ann))[0], 'up');
});

test('only moderators may moderate', async () => {
	for (const action of ['remove', 'restore'])
		for (const [who, status] of [[ann, 403], [bob, 403], [nobody, 303]])
			assert.equal((await who.post(`/articles/${article}/${action}`,
				{ csrf: who.token ?? '', role: 'moderator', moderator: '1' }))
				.status, status);
	assert.equal((await bob.post(`/articles/${article}/groups`,
		{ add: 'redis' })).status, 403, 'another member’s article');
	assert.equal((await nobody.get(`/articles/${article}`)).status, 200);
});

/* Guessing usernames by the answer and by its time, which is measured as CPU time of the
 * workers in milliseconds, since other programs use the machine. */

function processorTime() {
	let nanoseconds = 0;

	for (const pid of site.workers)
		for (const thread of fs.readdirSync(`/proc/${pid}/task`))
			nanoseconds += parseInt(fs.readFileSync(
				`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
	return nanoseconds / 1e6;
}

async function loginForm() {
	const client = site.client();
	const token = csrfOf((await client.get('/login')).body);

	return { client, try: async (username, tried) => {
		const before = processorTime();
		const answer = await client.post('/login',
			{ username, password: tried, csrf: token });

		return { answer, ms: processorTime() - before };
	} };
}

/* A member, no member, a member in other letters, and no valid names. */
const guesses = ['bob', 'eve', 'BOB', 'a b', 'x'.repeat(300), '*', '\u0431ob'];

test('a failed log-in does not tell whether the member exists', async () => {
	const form = await loginForm();
	const seen = new Set();

	for (const name of guesses) {
		const { answer } = await form.try(name, 'not the password');
		const heads = Object.entries(answer.headers).filter(([header]) =>
			!['date', 'content-length'].includes(header));

		seen.add(JSON.stringify([answer.status, heads, withoutMasks(answer.body)
			.replaceAll(`value="${name}"`, 'value=""')]));
	}
	assert.equal(seen.size, 1);
});

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

/* Names alternate, so that other load on the machine affects all of them. */
async function timesOf(form, names, rounds) {
	const times = names.map(() => []);

	for (let round = 0; round < rounds; round++)
		for (const [i, name] of names.entries())
			times[i].push((await form.try(name, `wrong ${round}`)).ms);
	return times;
}

/* A difference that the program makes shows in every attempt. */
test('the time of a failed log-in does not tell whether the member exists', async () => {
	const form = await loginForm();
	let summary;

	for (let attempt = 0; attempt < 10; attempt++) {
		const times = await timesOf(form, ['bob', 'eve', 'a b'], 21);
		const middles = times.map(median);

		summary = `medians ${middles.map((ms) => ms.toFixed(1))} ms`;
		if (Math.max(...middles) < Math.min(...middles) * 1.2 &&
			Math.min(...times[0]) < median(times[1]) &&
			Math.min(...times[1]) < median(times[0])) {
			console.log(`# ${summary}`);
			return;
		}
	}
	assert.fail(summary);
});

test('everything adds up in the end', () => {
	assert.match(site.command('check').out, /^0 breaks$/m);
});

await runTests();
