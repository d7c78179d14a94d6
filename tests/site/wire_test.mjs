/*
 * Requests that no browser sends: too large, too slow, ambiguous; and the headers of
 * every kind of answer, over http and https.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';

import { assertErrorPage, assertHeaders, parse } from './answers.mjs';
import { Client, Site, csrfOf, freePort, loadDemo, runTests, setUp, sleep,
	tearDown, temporaryFolder, test, until } from './support.mjs';

/* Milliseconds: server.conf's timeout, and the delay of a busy machine. */
const TIMEOUT = 10000;
const SLACK = 60000;

let site, ann, article;
const host = 'Host: localhost\r\nConnection: close\r\n';
const type = 'Content-Type: application/x-www-form-urlencoded\r\n';

setUp(async () => {
	const folder = path.join(temporaryFolder(), 'site');

	loadDemo(folder);
	site = await Site.start({ folder });
	ann = await site.member('ann');
	article = (await ann.get('/?order=new')).body.match(/data-id="(\d+)"/)[1];
});

tearDown(() => site.stop());

const ask = async (bytes) => parse(await site.raw(bytes));
const cookies = () => [...ann.cookies].map((pair) => pair.join('=')).join('; ');

/* The bytes of a down vote; ownVote() has the vote that was counted. */
function vote({ lines = '', length, body } = {}) {
	const form = body ?? `csrf=${ann.token}&vote=down`;

	return `POST /articles/${article}/vote HTTP/1.1\r\n${host}${lines}` +
		`${type}Cookie: ${cookies()}\r\n` +
		`Content-Length: ${length ?? form.length}\r\n\r\n${form}`;
}

async function ownVote() {
	const { body } = await ann.get(`/articles/${article}`);

	return body.match(/data-vote="(\w+)"/)[1];
}

test('two lengths, or a length and chunks, are refused', async () => {
	const chunked = 'Transfer-Encoding: chunked\r\n';

	for (const lines of ['Content-Length: 5\r\n', 'Content-Length: 0\r\n',
		chunked, `${chunked}${chunked}`, 'Transfer-Encoding: identity\r\n',
		'Transfer-Encoding: gzip, chunked\r\n',
		'Transfer-Encoding: xchunked\r\n', 'Transfer-Encoding : chunked\r\n',
		'Transfer-Encoding:\tchunked\r\n',
		'Transfer-Encoding:\r\n chunked\r\n', 'Content-Length : 5\r\n',
		'X: y\r\n z\r\n', ' X: y\r\n']) {
		const answer = await ask(vote({ lines }));

		assert.ok(answer.status === 400 || answer.status === 501, lines);
		assertHeaders(answer, lines);
	}
	for (const length of ['-1', '+30', '0x1e', '30, 30', '', '1e1',
		'18446744073709551646', '9'.repeat(40)])
		assert.equal((await ask(vote({ length }))).status, 400, length);
	assert.equal(await ownVote(), 'none');
});

/* nginx and the program have to agree on where a request ends. */
test('no second request hides in a body', async () => {
	const hidden = vote();

	for (const bytes of [
		`GET /about HTTP/1.1\r\n${host}Content-Length: ${hidden.length}` +
			`\r\n\r\n${hidden}`,
		vote({ body: `csrf=none&x=\r\n\r\n${hidden}` }),
		`GET /about HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n` +
			`${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
		`POST /login HTTP/1.1\r\n${host}${type}Transfer-Encoding: chunked` +
			`\r\n\r\n0\r\n\r\n${hidden}`,
		`GET /style.css HTTP/1.1\r\n${host}Content-Length: ${hidden.length}` +
			`\r\n\r\n${hidden}`,
	]) {
		const answer = await site.raw(bytes);

		assert.equal(answer.match(/^HTTP\/1\.1 \d+/gm).length, 1);
	}
	for (const bytes of ['1\r\nab\r\n0\r\n\r\n', '-1\r\nx',
		'fffffffffffffffff\r\nx', '1;x\r\nab\r\n0\r\n\r\n',
		'0x1\r\nx\r\n0\r\n\r\n'])
		assert.equal((await ask(`POST /login HTTP/1.1\r\n${host}${type}` +
			`Transfer-Encoding: chunked\r\n\r\n${bytes}`)).status, 400);
	assert.equal(await ownVote(), 'none');
});

test('repeated headers and cookies are refused, or one counts', async () => {
	const own = `tally=${ann.cookies.get('tally')}`;
	const get = (lines) => ask(`GET /about HTTP/1.1\r\n${lines}` +
		'Connection: close\r\n\r\n');
	const local = 'Host: localhost\r\n';

	for (const lines of [`${local}${local}`, `${local}Host: elsewhere\r\n`, '',
		'Host: a b\r\n', 'Host: a/b\r\n', 'Host: \0\r\n'])
		assert.equal((await get(lines)).status, 400, JSON.stringify(lines));
	for (const [lines, name] of [
		[`Cookie: ${own}\r\nCookie: tally=1.x\r\n`, '>ann<'],
		[`Cookie: tally=1.x\r\nCookie: ${own}\r\n`, 'Log in'],
		[`Cookie: tally=1.x; ${own}\r\n`, 'Log in'],
		[`Cookie: xtally=${own}\r\n`, 'Log in'],
		[`Cookie: x="; ${own}; "\r\n`, '>ann<'],
		[`Cookie: ${own.replace('tally=', 'TALLY=')}\r\n`, 'Log in'],
		[`Cookie: ${own.replace('tally=', '__Host-tally=')}\r\n`, 'Log in'],
		[`Cookie: ${own.replace('tally=', 'tally =')}\r\n`, 'Log in'],
		[`Cookie2: ${own}\r\n`, 'Log in'],
	])
		assert.ok((await get(`${local}${lines}`)).body.includes(name), lines);
	for (const [lines, status] of [
		['Content-Type: text/plain\r\n', 400],
		['Origin: http://elsewhere\r\nOrigin: http://localhost\r\n', 403],
		['Sec-Fetch-Site: cross-site\r\nSec-Fetch-Site: same-origin\r\n', 403],
		['Sec-Fetch-Site: same-origin, cross-site\r\n', 403],
	])
		assert.equal((await ask(vote({ lines }))).status, status, lines);
	assert.equal(await ownVote(), 'none');
});

test('other versions and line ends are answered or refused', async () => {
	const old = await site.raw('GET /about\r\n');

	assert.match(old, /^<!DOCTYPE html>/, 'HTTP/0.9 has no head');
	assert.doesNotMatch(old, /csrf/);
	for (const [bytes, status] of [
		['GET /about HTTP/1.0\r\n\r\n', 421],
		[`GET /about HTTP/1.0\r\n${host}\r\n`, 200],
		['GET /about HTTP/1.1\nHost: localhost\nConnection: close\n\n', 200],
		[`GET http://elsewhere.example/about HTTP/1.1\r\n${host}\r\n`, 200],
		[`GET /about HTTP/1.2\r\n${host}\r\n`, 200],
		[`GET /about HTTP/2.0\r\n${host}\r\n`, 505],
		[`GET /about HTTP/9.9\r\n${host}\r\n`, 505],
		[`GET /about HTTP/1.1x\r\n${host}\r\n`, 400],
		[`GET /about http/1.1\r\n${host}\r\n`, 400],
		['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
		[`OPTIONS * HTTP/1.1\r\n${host}\r\n`, 400],
		[`CONNECT localhost:80 HTTP/1.1\r\n${host}\r\n`, 400],
		[`CONNECT / HTTP/1.1\r\n${host}\r\n`, 405],
		[`TRACE /about HTTP/1.1\r\n${host}Cookie: ${cookies()}\r\n\r\n`, 405],
		[`get /about HTTP/1.1\r\n${host}\r\n`, 400],
		[`GET about HTTP/1.1\r\n${host}\r\n`, 400],
		[`GET /about\rHTTP/1.1\r\n${host}\r\n`, 400],
		[`\x16\x03\x01\x02\r\n\r\n`, 400],
	]) {
		const answer = await ask(bytes);

		assert.equal(answer.status, status, bytes);
		assertHeaders(answer, bytes);
		if (status !== 200)
			assert.doesNotMatch(answer.body, /tally=/);
	}
});

test('too large requests are refused at once', async () => {
	const line = (size) => `X-Long: ${'x'.repeat(size)}\r\n`;
	const get = (lines) => `GET /about HTTP/1.1\r\n${host}${lines}\r\n`;

	for (const [what, status, bytes] of [
		['an address', 414, `GET /${'a'.repeat(9000)} HTTP/1.1\r\n${host}\r\n`],
		['a query', 414, `GET /?${'a=b&'.repeat(3000)} HTTP/1.1\r\n${host}\r\n`],
		['a method', 414, `${'A'.repeat(70000)} / HTTP/1.1\r\n${host}\r\n`],
		['a header', 400, get(line(9000))],
		['the name of a header', 400, get(`${'x'.repeat(9000)}: 1\r\n`)],
		['a cookie', 400, get(`Cookie: ${'a=b; '.repeat(2000)}\r\n`)],
		['many cookies', 400, get(`Cookie: ${'a=b; '.repeat(1000)}\r\n`
			.repeat(20))],
		['many headers', 400, get(line(10).repeat(5000))],
		['several long headers', 400, get(line(7000).repeat(8))],
		['a body', 413, vote({ body: `text=${'x'.repeat(262144)}` })],
		['a body that is announced', 413, vote({ length: 1 << 30, body: 'a=' })],
		['many fields of a form', 400, vote({ body: 'a&'.repeat(100000) })],
		['different fields of a form', 400, vote({ body: [...Array(129).keys()]
			.map((n) => `f${n}=1`).join('&') })],
		['many fields of a query', 400, `GET /?${[...Array(129).keys()]
			.map((n) => `f${n}=1`).join('&')} HTTP/1.1\r\n${host}\r\n`],
	]) {
		const answer = await ask(bytes);

		assert.equal(answer.status, status, what);
		assertHeaders(answer, what);
	}
	for (const [lines, status] of [[line(7000).repeat(3), 200],
		['X: y\r\n'.repeat(400), 200]])
		assert.equal((await ask(get(lines))).status, status);
});

test('the largest allowed requests are answered', async () => {
	const text = 'x'.repeat(20000);
	const long = await ann.post('/submit', { title: 'y'.repeat(200), text });

	assert.equal(long.status, 303);
	assert.ok((await ann.get(long.headers.location)).body.includes(text));
	const wrong = '<'.repeat(250000);
	const answer = await ann.request('POST', '/submit', {
		headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
		body: `csrf=${ann.token}&text=${wrong}` });

	assert.equal(answer.status, 422);
	assert.ok(answer.body.includes('&lt;'.repeat(250000)));
});

/*
 * A slow client: sends the first bytes, then a piece every so many milliseconds. It is
 * { name, socket, ended }; ended resolves to the milliseconds until the connection was
 * closed.
 */
function slow(name, first, { piece, every, read = true } = {}) {
	const started = Date.now();
	const socket = net.connect(site.port, '127.0.0.1', () =>
		socket.write(first, 'latin1'));
	const timer = piece === undefined ? undefined :
		setInterval(() => socket.write(piece, 'latin1'), every);
	const ended = new Promise((resolve) => {
		socket.on('close', () => {
			clearInterval(timer);
			resolve(Date.now() - started);
		});
	});

	socket.on('error', () => {});
	if (read)
		socket.resume();
	return { name, socket, ended };
}

const head = `POST /submit HTTP/1.1\r\nHost: localhost\r\n${type}`;

function slowClients() {
	const found = [];
	const add = (...words) => found.push(slow(...words));

	for (let i = 0; i < 40; i++) {
		add('says nothing', '');
		add('stops in the first line', 'GET /ab');
		add('letter by letter of the first line', 'GET /', { piece: 'a',
			every: 900 });
		add('header by header', 'GET / HTTP/1.1\r\n', { piece: 'X: y\r\n',
			every: 900 });
		add('empty lines', '\r\n', { piece: '\r\n', every: 900 });
		add('stops before the body', `${head}Content-Length: 1000\r\n\r\n`);
		add('stops in the body', `${head}Content-Length: 1000\r\n\r\ncsrf=`);
		add('stops in a chunk',
			`${head}Transfer-Encoding: chunked\r\n\r\nff\r\na`);
		add('stops between chunks',
			`${head}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n`);
	}
	return found;
}

/* The longest wait of readers in milliseconds, until done(). */
async function longestWait(done) {
	let longest = 0;

	for (let asked = 0; !done(); asked++) {
		const started = Date.now();
		const who = asked % 2 === 0 ? ann : new Client(site.port);
		const { status } = await who.get(['/', '/submit', '/login',
			`/articles/${article}`][asked % 4]);

		assert.ok(status === 200 || status === 303);
		longest = Math.max(longest, Date.now() - started);
		/* Twenty readers a second: this is no test of overload. */
		await sleep(50);
	}
	return longest;
}

/* True while nginx has a client's connection open, also if the client reads nothing. */
function isConnected({ localPort }) {
	const hex = (port) => port.toString(16).toUpperCase().padStart(4, '0');
	const ESTABLISHED = '01';

	return fs.readFileSync('/proc/net/tcp', 'utf8').split('\n').some((line) => {
		const [, local, remote, state] = line.trim().split(/\s+/);

		return local?.endsWith(`:${hex(site.port)}`) &&
			remote.endsWith(`:${hex(localPort)}`) && state === ESTABLISHED;
	});
}

/* The number of answers that a client which has not read so far finds before the close,
 * which must come soon. */
async function answersOf({ socket, ended }) {
	let answers = 0;

	socket.on('data', (data) => {
		answers += data.toString('latin1').split('HTTP/1.1 200').length - 1;
	});
	await Promise.race([ended, sleep(SLACK)]);
	assert.equal(socket.destroyed, true, 'the connection is closed');
	return answers;
}

test('slow clients are cut off, and delay no others', async () => {
	const clients = slowClients();
	const endless = slow('a body without an end',
		`${head}Transfer-Encoding: chunked\r\n\r\n`,
		{ piece: `1000\r\n${'x'.repeat(4096)}\r\n`.repeat(20), every: 50 });
	/* A slow body is not cut off; it only occupies a connection. */
	const trickles = [...Array(100)].map(() => slow('a trickling body',
		`${head}Content-Length: 200000\r\n\r\n`, { piece: 'a', every: 900 }));
	const all = [...clients, endless];
	/* 900 answers of some 18 KB are more than the send buffer can grow to (4 MB,
	 * net.ipv4.tcp_wmem); the receive buffer grows only when it is read. */
	const asked = 900;
	const deaf = slow('does not read', ('GET /style.css HTTP/1.1\r\n' +
		'Host: localhost\r\n\r\n').repeat(asked), { read: false });
	let over = false;
	const deafIsCut = once(deaf.socket, 'connect').then(() =>
		until('who does not read is cut off', () => !isConnected(deaf.socket)));
	const watch = Promise.race([
		Promise.all([...all.map(({ ended }) => ended), deafIsCut]),
		sleep(TIMEOUT + SLACK)]).then(() => { over = true; });
	const longest = await longestWait(() => over);

	await watch;
	assert.ok(longest < TIMEOUT, `${longest} ms`);
	for (const { name, ended } of all) {
		const ms = await Promise.race([ended, sleep(10, 'still open')]);

		assert.ok(ms < TIMEOUT + SLACK, `${name}: ${ms}`);
	}
	console.log(`# readers waited ${longest} ms at most`);
	for (const { socket } of trickles)
		socket.destroy();
	assert.ok(await answersOf(deaf) < asked, 'not all answers were sent');
});

test('every kind of answer has every header exactly once', async () => {
	const get = (target, lines = '') =>
		`GET ${target} HTTP/1.1\r\n${host}${lines}\r\n`;

	for (const [status, bytes, page] of [
		[200, get('/')], [200, get('/healthz')], [200, get('/style.css')],
		[200, get('/robots.txt')], [200, get('/favicon.ico')],
		[200, get('/', 'Accept-Encoding: gzip\r\n')],
		[200, get('/style.css', 'Accept-Encoding: gzip\r\n')],
		[412, get('/', 'If-Match: "x"\r\n'), 400],
		[200, get('/style.css', 'Range: bytes=0-5\r\n')],
		[200, get('/style.css', 'Range: bytes=99999999-\r\n')],
		[200, get('/', 'Range: bytes=99999999-\r\n')],
		[200, get('/', 'Range: bytes=0-1,3-4,6-7\r\n')],
		[304, get('/style.css', 'If-None-Match: *\r\n')],
		[412, get('/style.css', 'If-Match: "x"\r\n'), 400],
		[412, get('/style.css',
			'If-Unmodified-Since: Thu, 01 Jan 1970 00:00:01 GMT\r\n'), 400],
		[303, get('/submit')], [400, get('/?page=0'), 400],
		[400, get('/%00'), 400], [403, vote({ body: 'csrf=' }), 403],
		[404, get('/nowhere'), 404], [404, get('/errors/404.html'), 404],
		[404, get('/errors/'), 404], [405, get('/logout'), 405],
		[405, `PUT /style.css HTTP/1.1\r\n${host}\r\n`, 405],
		[413, vote({ length: 300000 }), 413],
		[414, get(`/${'a'.repeat(9000)}`), 414],
		[501, `GET / HTTP/1.1\r\n${host}Transfer-Encoding: gzip\r\n\r\n`, 400],
		[505, `GET / HTTP/3.0\r\n${host}\r\n`, 400],
	])
		for (const method of bytes.startsWith('GET') ? ['GET', 'HEAD'] : ['']) {
			const sent = method === '' ? bytes : bytes.replace(/^GET/, method);
			const answer = await ask(sent);
			const what = `${status} ${sent.slice(0, 60)}`;

			assert.equal(answer.status, status, what);
			assertHeaders(answer, what);
			if (page !== undefined && method !== 'HEAD')
				assertErrorPage(answer.body, page, what);
			if (status >= 400)
				assert.deepEqual(answer.all('cache-control'),
					['private, no-store'], what);
		}
});

/*
 * A second nginx for the same workers, with a certificate and the same
 * server.conf, as nginx/tally-https.conf has it.
 */
async function startHttps() {
	const folder = temporaryFolder();
	const port = await freePort();
	const inside = (name) => path.join(folder, name);
	const made = spawnSync('openssl', ['req', '-x509', '-nodes', '-days', '2',
		'-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1',
		'-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost',
		'-keyout', inside('key.pem'), '-out', inside('cert.pem')]);

	assert.equal(made.status, 0, String(made.stderr));
	fs.writeFileSync(inside('nginx.conf'), (process.getuid() === 0 ?
		'user root;\n' : '') + fs.readFileSync(
		path.join(site.folder, 'nginx.conf'), 'utf8')
		.replace(/listen [^;]*;/, `listen 127.0.0.1:${port} ssl;
		ssl_certificate cert.pem;
		ssl_certificate_key key.pem;`)
		.replaceAll('unix:tally.sock', `unix:${site.folder}/tally.sock`));
	for (const name of ['nginx', 'static', 'errors'])
		fs.symlinkSync(fs.realpathSync(path.join(site.folder, name)),
			inside(name));
	fs.mkdirSync(inside('nginx-temp'));
	const child = spawn('nginx', ['-p', folder, '-c', inside('nginx.conf')],
		{ cwd: folder, stdio: 'ignore',
			env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` } });
	const ca = fs.readFileSync(inside('cert.pem'));

	await until('nginx listens', () => new Promise((resolve) => {
		const socket = net.connect(port, '127.0.0.1', () => {
			socket.destroy();
			resolve(true);
		}).on('error', () => resolve(false));
	}));
	return { child, ask: (method, target, headers = {}, body = '') =>
		new Promise((resolve, reject) => https.request({ host: '127.0.0.1',
			servername: 'localhost', port, ca, method, path: target, agent: false,
			headers: { Host: `localhost:${port}`,
				'Content-Length': body.length, ...headers } }, (answer) => {
			const parts = [];

			answer.on('data', (data) => parts.push(data));
			answer.on('end', () => resolve(site.client().keep(answer,
				Buffer.concat(parts))));
		}).on('error', reject).end(body)) };
}

test('under https cookies are for https, and browsers stay there', async () => {
	const { child, ask: askHttps } = await startHttps();

	for (const [target, status] of [['/', 200], ['/style.css', 200],
		['/submit', 303], ['/nowhere', 404], ['/%00', 400], ['/errors/', 404]]) {
		const answer = await askHttps('GET', target);

		assert.equal(answer.status, status, target);
		assertHeaders(answer, target, { https: true });
	}
	const form = await askHttps('GET', '/login');
	const [own] = form.all('set-cookie');

	assert.match(own, new RegExp('^__Host-tally-form=\\w{32}; Path=/; ' +
		'HttpOnly; SameSite=Lax; Secure$'));
	const answer = await askHttps('POST', '/login', { Cookie: own.split(';')[0],
		'Content-Type': 'application/x-www-form-urlencoded' },
	`csrf=${csrfOf(form.body)}&username=ann&password=correct+horse`);
	const [session] = answer.all('set-cookie');

	assert.match(session, new RegExp('^__Host-tally=[\\w.]+; Path=/; ' +
		'HttpOnly; SameSite=Lax; Max-Age=\\d+; Secure$'));
	const [cookie] = session.split(';');

	assert.match((await askHttps('GET', '/', { Cookie: cookie })).body,
		/class="me"/);
	for (const other of [cookie.replace('__Host-', ''), `x${cookie}`])
		assert.doesNotMatch((await askHttps('GET', '/', { Cookie: other })).body,
			/class="me"/);
	child.kill('SIGTERM');
	await new Promise((resolve) => child.on('exit', resolve));
});

/* Behind a proxy that terminates TLS and announces it. */
test('an https site serves no form over http', async () => {
	const secure = await Site.start({ settings:
		{ TALLY_ORIGIN: 'https://tally.example', TALLY_WORKERS: 1 } });
	const send = async (first, lines = '', body = '') => parse(await secure.raw(
		`${first} HTTP/1.1\r\n${lines}${type}Connection: close\r\n` +
		`Content-Length: ${body.length}\r\n\r\n${body}`));
	const there = 'Host: tally.example\r\n';
	const https = 'X-Forwarded-Proto: https\r\n';

	for (const [lines, target] of [[there, '/login'], [there, '/?order=new'],
		[`Host: localhost\r\n${https}`, '/login'],
		[`Host: tally.example.evil.example\r\n${https}`, '/nowhere']]) {
		const answer = await send(`GET ${target}`, lines);

		assert.equal(answer.status, 301, target);
		assertHeaders(answer, target, { https: lines.includes(https) });
		assert.equal(answer.headers.location,
			`https://tally.example${target}`);
		assert.equal(answer.body, '');
	}
	for (const lines of [there, `Host: localhost\r\n${https}`]) {
		const answer = await send('POST /login', lines, 'password=typed');

		assert.equal(answer.status, 421);
		assertErrorPage(answer.body, 421);
		assert.doesNotMatch(answer.body, /typed/);
	}
	assert.equal((await send('GET /login', there + https)).status, 200);
	assert.equal((await send('GET /healthz', 'Host: 192.0.2.1\r\n')).status,
		200);
	const ann = await secure.member('ann');

	assert.equal((await ann.get('/submit')).status, 200);
	await secure.stop();
});

/* Otherwise the owner of any domain could point it here, and read its visitors' pages. */
test('without TALLY_ORIGIN the site answers only on its own machine', async () => {
	const get = (name) => ask(`GET / HTTP/1.1\r\nHost: ${name}\r\n` +
		'Connection: close\r\n\r\n');

	for (const name of ['localhost', `localhost:${site.port}`, '127.0.0.1:80',
		'[::1]:8080', 'tally.localhost'])
		assert.equal((await get(name)).status, 200, name);
	for (const name of ['elsewhere.example', `192.0.2.1:${site.port}`,
		'localhost.elsewhere.example', '127.0.0.1.elsewhere.example']) {
		const answer = await get(name);

		assert.equal(answer.status, 421, name);
		assertHeaders(answer, name);
		assertErrorPage(answer.body, 421, name);
		assert.match(answer.body, /set TALLY_ORIGIN/);
	}
});

test('everything adds up in the end', () => {
	assert.match(site.command('check').out, /^0 breaks$/m);
});

await runTests();
