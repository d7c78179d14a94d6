/*
 * Shared by the tests of the whole site: TAP output, a private site with its own nginx,
 * workers and Redis, and a small HTTP client that shows answers unchanged.
 *
 * Tests run in the project's root, with BUILD naming the folder of the programs.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export { sleep };
export const TALLY = path.resolve(process.env.BUILD ?? 'build', 'tally');

/* TAP: node's own reporters indent and differ between versions. */

const tests = [];
const around = { setUp() {}, tearDown() {} };

export function test(name, run) {
	tests.push({ name, run });
}

/* Runs before the first test. If it fails, no test is run. */
export function setUp(run) {
	around.setUp = run;
}

/* Runs after the last test, even if some have failed. */
export function tearDown(run) {
	around.tearDown = run;
}

/* After this a test fails, and the next one runs. */
const LONGEST_MS = 600000;

async function passes(name, run) {
	const late = new AbortController();

	try {
		await Promise.race([run(), sleep(LONGEST_MS, undefined,
			{ signal: late.signal }).then(() => {
			throw new Error(`it has not ended after ${LONGEST_MS / 1000} s`);
		})]);
		return true;
	} catch (error) {
		console.log(`not ok ${name}`);
		console.log(String(error.stack).replace(/^/gm, '# '));
		return false;
	} finally {
		late.abort();
	}
}

/* Returns true if all passed. */
async function runAll() {
	let good = true;

	console.log(`1..${tests.length}`);
	if (!await passes('- set-up', around.setUp))
		return false;
	for (const [i, { name, run }] of tests.entries())
		if (await passes(`${i + 1} - ${name}`, run))
			console.log(`ok ${i + 1} - ${name}`);
		else
			good = false;
	return await passes('- tear-down', around.tearDown) && good;
}

/* Runs every test in order, and cleans up whatever happens. */
export async function runTests() {
	const good = await runAll();

	cleanUp();
	process.exit(good ? 0 : 1);
}

const folders = new Set();

/* A folder that is removed when the tests end, after its processes are killed. */
export function temporaryFolder() {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-test-'));

	folders.add(folder);
	return folder;
}

/* All names below a folder, as in "a/b", folders before their files. Node 18's recursive
 * fs.readdirSync fails at a socket. */
export function namesIn(folder) {
	return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
		[entry.name, ...entry.isDirectory() ?
			namesIn(path.join(folder, entry.name)).map((name) =>
				path.join(entry.name, name)) : []]);
}

/* The files below a folder that contain a text. */
export const filesWith = (folder, text) => namesIn(folder).filter((name) => {
	const file = path.join(folder, name);

	return fs.lstatSync(file).isFile() &&
		fs.readFileSync(file, 'latin1').includes(text);
});

/* True if root runs the tests, and can become other users. */
export const isRoot = process.getuid() === 0 && !/^\s*0\s+\d+\s+1\n$/.test(
	fs.readFileSync('/proc/self/uid_map', 'utf8'));

export const NOBODY = 65534;

/* If root runs the tests, gives a folder to another user: root starts no site in a folder
 * that has other files. */
export function giveAway(folder) {
	if (isRoot)
		fs.chownSync(folder, NOBODY, NOBODY);
}

/*
 * The words that run a command where other folders are in the place of the system's, as
 * in { '/etc': folder }. Its mounts are private: it is below a mount point that always
 * exists, since / is none in a chroot, and only mount points can be private.
 */
export function withFolders(folders, words) {
	const binds = Object.entries(folders).map(([place, folder]) =>
		`mount --bind ${folder} /proc/fs/root${place} &&`);

	return ['unshare', ...isRoot ? [] : ['-r'], '-m', '--propagation',
		'unchanged', 'sh', '-c', `
		mount --make-private /proc && mount -t tmpfs tmpfs /proc/fs &&
		mkdir /proc/fs/root && mount --rbind / /proc/fs/root &&
		mount --make-rprivate /proc/fs/root && ${binds.join(' ')}
		exec chroot /proc/fs/root "$@"`, 'sh', ...words];
}

/* Under a sanitizer a process maps terabytes, nearly all of them empty. */
export const isSanitized = fs.readFileSync(TALLY).includes('__asan_init');

/* Everything in the writable memory of a process. */
export function memoryOf(pid) {
	const memory = fs.openSync(`/proc/${pid}/mem`, 'r');
	const pieces = [];

	for (const line of fs.readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
		const [, from, to] = line.match(/^([0-9a-f]+)-([0-9a-f]+) rw/) ?? [];

		if (from === undefined)
			continue;
		const start = parseInt(from, 16);
		const piece = Buffer.alloc(parseInt(to, 16) - start);

		fs.readSync(memory, piece, 0, piece.length, start);
		pieces.push(piece);
	}
	fs.closeSync(memory);
	return Buffer.concat(pieces);
}

function removeFolder(folder) {
	for (let left; (left = processesIn(folder)).length > 0;)
		for (const { pid } of left)
			try {
				process.kill(pid, 'SIGKILL');
			} catch {
				/* It has ended by itself. */
			}
	fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	folders.delete(folder);
}

export function cleanUp() {
	for (const folder of folders)
		removeFolder(folder);
}

for (const signal of ['SIGINT', 'SIGTERM'])
	process.on(signal, () => {
		cleanUp();
		process.exit(1);
	});
/* As of work that a test has begun and no longer awaits. */
process.on('uncaughtException', (error) => {
	console.log(`not ok - ${String(error.stack).replace(/\n/g, '\n# ')}`);
	cleanUp();
	process.exit(1);
});

/*
 * The processes whose working directory is in a folder: exactly those of its site. Each
 * is { pid, parent, name }.
 */
export function processesIn(folder) {
	const found = [];

	for (const pid of fs.readdirSync('/proc').filter((n) => /^\d+$/.test(n))) {
		try {
			const where = fs.readlinkSync(`/proc/${pid}/cwd`);
			const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
			const [, name, parent] = stat.match(/\((.*)\) \w (\d+)/s);

			if (where === folder || where.startsWith(`${folder}/`))
				found.push({ pid: +pid, parent: +parent, name });
		} catch {
			/* It has ended meanwhile, or belongs to another user. */
		}
	}
	return found;
}

/* Listens, unless something does so already; resolves to the server, or null. */
export function listening(...where) {
	const server = net.createServer();

	return new Promise((resolve) => {
		server.on('error', () => resolve(null));
		server.listen(...where, () => resolve(server));
	});
}

/*
 * A port for a server of this process, from 10000 on, which no other test gets until the process has
 * ended: it listens on the port 8,000 below. A node of a cluster also listens 10,000 above its own,
 * and outgoing connections have ports from 32768 on.
 */
export async function freePort() {
	for (let tries = 0; tries < 1000; tries++) {
		const port = 10000 + Math.floor(Math.random() * 8000);
		const holder = await listening(port - 8000, '127.0.0.1');
		const server = holder && await listening(port, '127.0.0.1');

		if (server !== null) {
			holder.unref();
			await new Promise((resolve) => server.close(resolve));
			return port;
		}
		holder?.close();
	}
	throw new Error('no port is free');
}

/* Kills processes of a site with a name at random moments, so many times; pause is in
 * milliseconds, on average. */
export async function killOften(site, name, times, pause) {
	for (let kills = 0; kills < times;) {
		await sleep(pause * (0.5 + Math.random()));
		for (const { pid } of site.children(name)) {
			process.kill(pid, 'SIGKILL');
			kills++;
		}
	}
}

/*
 * Waits until check() does not return false and none of its assertions fails. After so
 * many seconds, more than any busy machine needs, it fails with the last assertion.
 * Other errors are thrown at once.
 */
export async function until(what, check, seconds = 90) {
	const deadline = Date.now() + seconds * 1000;
	let seen = '';

	for (;;) {
		try {
			if (await check() !== false)
				return;
		} catch (error) {
			if (!(error instanceof assert.AssertionError))
				throw error;
			seen = `; last seen: ${error.message}`;
		}
		if (Date.now() > deadline)
			throw new Error(`not within ${seconds} s: ${what}${seen}`);
		await sleep(20);
	}
}

/* Waits until the site is healthy. It asks several times at once, since each worker
 * notices by itself that Redis is back. */
export function untilHealthy(client, seconds) {
	return until('the site is healthy', async () => {
		const answers = await Promise.all([...Array(20)].map(() =>
			client.get('/healthz')));

		for (const { status } of answers)
			assert.equal(status, 200);
	}, seconds);
}

/* The environment of the programs under test: without the settings of the caller and of a
 * service on this machine, with the templates of this tree. */
function environment(settings) {
	const kept = Object.entries(process.env).filter(
		([name]) => !name.startsWith('TALLY_'));

	return { ...Object.fromEntries(kept), TALLY_CONFIG: '/dev/null',
		TALLY_SHARE: process.cwd(),
		...settings };
}

/* Runs `tally` to its end: { status, out, err }. */
export function tally(words, { input = '', settings = {}, program = TALLY } = {}) {
	const { status, stdout, stderr } = spawnSync(program, words, {
		input, env: environment(settings), encoding: 'utf8', maxBuffer: 1 << 28,
		timeout: 300000, killSignal: 'SIGINT',
	});

	return { status, out: stdout, err: stderr };
}

/* The password of "web" or "admin" for the Redis of the site in a folder; empty without
 * one. */
export function redisSecret(folder, who) {
	const file = path.join(folder, 'redis.secret');

	if (!fs.existsSync(file))
		return '';
	return fs.readFileSync(file, 'utf8')
		.match(new RegExp(`^${who} (.*)$`, 'm'))[1];
}

/* No rate limits, since tests do in a minute what members do in a month. */
const unlimited = Object.fromEntries(
	[...spawnSync(TALLY, ['--help'], { encoding: 'utf8' }).stdout
		.matchAll(/TALLY_LIMIT_\w+/g)].map(([name]) => [name, 1000000000]));

const EVENT = /^tally: event /;
/* What a first start says, as soon as it comes to it. */
const BUILT = /^tally: search: the index is built, /;

export class Site {
	under = []; /* the words of a command that runs the program */
	program = TALLY;
	words = []; /* of `tally up`, besides its folder */

	constructor(folder, settings) {
		this.folder = folder ?? path.join(temporaryFolder(), 'site');
		this.settings = { TALLY_WORKERS: 2, ...unlimited, ...settings };
		this.log = '';
		this.out = ''; /* since the start */
	}

	static async start({ folder, settings } = {}) {
		const site = new Site(folder, settings);

		site.port = await freePort();
		await site.start();
		return site;
	}

	/* Returns when the site has printed its address. */
	async start() {
		const [command, ...words] =
			[...this.under, this.program, 'up', '--dir', this.folder, ...this.words];

		this.out = '';
		this.process = spawn(command, words, {
			stdio: ['ignore', 'pipe', 'pipe'],
			env: environment({ ...this.settings, TALLY_PORT: this.port }),
		});
		this.ended = new Promise((resolve) =>
			this.process.on('close', (status) => resolve({ status })));
		this.process.stdout.on('data', (data) => { this.out += data; });
		this.process.stderr.on('data', (data) => { this.log += data; });
		await until('the site has printed its address', () =>
			this.out.includes('\n') || this.process.exitCode !== null);
		if (!this.out.includes(`http://localhost:${this.port}/`))
			throw new Error(`no address: ${this.out}${this.err}`);
	}

	/* The path of the link to become the owner, as the start has printed it. */
	get ownerLink() {
		return this.out.match(/\/link\/\S+/)?.[0];
	}

	get running() {
		return processesIn(this.folder);
	}

	/* The lines of the log that are events; err has those that are neither these nor of the
	 * index for search. */
	get events() {
		return this.log.split('\n').filter((line) => EVENT.test(line));
	}

	get err() {
		return this.log.split('\n').filter((line) =>
			!EVENT.test(line) && !BUILT.test(line)).join('\n');
	}

	/* The supervisor's children of that name. */
	children(name) {
		return this.running.filter((child) => child.name === name &&
			child.parent === this.process.pid);
	}

	/* Their process ids. */
	get workers() {
		return this.children('tally').map(({ pid }) => pid);
	}

	/* Ctrl-C. Fails unless the site exits with 0 and leaves nothing running. */
	async stop(signal = 'SIGINT') {
		this.process.kill(signal);
		const { status } = await this.ended;
		const left = this.running;

		if (status !== 0)
			throw new Error(`ended with status ${status}: ${this.err}`);
		if (left.length > 0)
			throw new Error(`left running: ${JSON.stringify(left)}`);
	}

	command(...words) {
		return tally([words[0], '--dir', this.folder, ...words.slice(1)]);
	}

	/* A reader who uses the site's own address. */
	client() {
		const client = new Client(this.port);
		const origin = this.settings?.TALLY_ORIGIN;

		if (origin !== undefined)
			client.headers = { Host: new URL(origin).host,
				'X-Forwarded-Proto': new URL(origin).protocol.slice(0, -1) };
		return client;
	}

	/* A client that is logged in as a new member. */
	async member(name) {
		const client = this.client();

		await client.register(name);
		return client;
	}

	/* Sends raw bytes; resolves to everything received until the close. */
	raw(bytes) {
		return new Promise((resolve, reject) => {
			const parts = [];
			const socket = net.connect(this.port, '127.0.0.1', () =>
				socket.write(bytes, 'latin1'));

			socket.setTimeout(90000, () =>
				socket.destroy(new Error('no close in 90 s')));
			socket.on('data', (data) => parts.push(data));
			socket.on('close', () =>
				resolve(Buffer.concat(parts).toString('utf8')));
			/* nginx may close before it has read everything. */
			socket.on('error', (error) => parts.length > 0 ?
				undefined : reject(error));
		});
	}
}

/*
 * `tally serve` as deployed: tests/server/systemd.c plays systemd, and Redis and an
 * nginx with the site's file run already. `told` has the notifications of the service
 * since it was started or reloaded.
 */
export class Service extends Site {
	constructor({ watchdog = 30000 } = {}) {
		super(temporaryFolder());
		Object.assign(this, { watchdog, program: TALLY, told: [] });
		this.share = path.join(this.folder, 'shipped');
		this.own = path.join(this.folder, 'share');
		this.socket = path.join(this.folder, 'tally.sock');
	}

	static async start(options) {
		const service = new this(options);

		service.install();
		fs.mkdirSync(service.own);
		service.port = await freePort();
		await service.startRedis();
		service.startSystemd();
		await service.start();
		await service.startNginx();
		await untilHealthy(service.client());
		return service;
	}

	/* Copies the program's files, so that a test may change them. */
	install() {
		for (const name of ['templates', 'static', 'nginx'])
			fs.cpSync(name, path.join(this.share, name), { recursive: true });
		tally(['error-pages', path.join(this.share, 'errors')]);
	}

	spawn(program, words, settings = {}) {
		const child = spawn(program, words, { cwd: this.folder,
			stdio: ['pipe', 'pipe', 'pipe'], env: environment(settings) });

		child.stderr.on('data', (data) => { this.log += data; });
		return child;
	}

	async startRedis() {
		this.spawn('redis-server', ['--port', '0', '--unixsocket',
			'redis.sock', '--save', '', '--appendonly', 'yes',
			'--maxmemory-policy', 'noeviction',
			'--lazyfree-lazy-expire', 'yes',
			'--lazyfree-lazy-user-del', 'yes']);
		await this.untilRedisListens();
	}

	untilRedisListens() {
		return until('Redis listens', () =>
			fs.existsSync(path.join(this.folder, 'redis.sock')));
	}

	/* Settings besides those in tally.conf. */
	get moreSettings() {
		return {};
	}

	startSystemd() {
		fs.writeFileSync(path.join(this.folder, 'tally.conf'),
			`TALLY_WORKERS=2\nTALLY_REDIS=unix:${this.folder}/redis.sock\n` +
			`TALLY_SEARCH=${this.folder}/search\n`);
		this.systemd = this.spawn(path.resolve(process.env.BUILD ?? 'build',
			'tests/systemd'), [this.socket, this.watchdog, this.program,
			'serve'], { TALLY_SHARE: this.share, TALLY_OVERRIDES: this.own,
			...unlimited,
			...this.moreSettings,
			TALLY_CONFIG: path.join(this.folder, 'tally.conf') });
		readline.createInterface({ input: this.systemd.stdout }).on('line',
			(line) => this.note(line));
	}

	/* A line of tests/server/systemd.c, or of the service itself. */
	note(line) {
		const [, kind, words] = line.match(/^(started|said|ended) (.*)/) ?? [];

		if (kind === 'started')
			this.pid = +words;
		else if (kind === 'said')
			this.told.push(words);
		else if (kind === 'ended')
			this.status = +words;
		else
			this.out += `${line}\n`;
	}

	/* systemctl start */
	async start() {
		this.told = [];
		this.out = '';
		this.status = undefined;
		this.systemd.stdin.write('start\n');
		await until('the service is ready', () => this.status !== undefined ||
			this.told.some((words) => words.includes('READY=1')));
		if (this.status !== undefined)
			throw new Error(`the service ended: ${this.err}`);
	}

	/* systemctl reload */
	async reload() {
		this.told = [];
		process.kill(this.pid, 'SIGHUP');
		await until('the service has reloaded', () =>
			this.told.some((words) => words.includes('READY=1')));
		if (!/RELOADING=1 MONOTONIC_USEC=\d+/.test(this.told.find(
			(words) => words !== 'WATCHDOG=1')))
			throw new Error(`systemd was told ${this.told}`);
	}

	/* systemctl stop */
	async stop() {
		process.kill(this.pid, 'SIGTERM');
		await until('the service has ended', () => this.status !== undefined);
		if (this.status !== 0)
			throw new Error(`it ended with status ${this.status}`);
	}

	get workers() {
		return this.running.filter(({ parent, name }) =>
			parent === this.pid && name === 'tally').map(({ pid }) => pid);
	}

	/* Changes one of the program's files; returns its previous text. */
	edit(name, change) {
		const file = path.join(this.share, name);
		const text = fs.readFileSync(file, 'utf8');

		fs.writeFileSync(file, change(text));
		return text;
	}

	/* The file for /etc/nginx/sites-available. */
	get siteFile() {
		return fs.readFileSync('nginx/tally.conf', 'utf8');
	}

	/* With the files that only the service includes, whose paths a test changes. */
	withIncluded(text) {
		return text.replace(/include \S*\/((?:service|acme)\S*\.conf);/g, (_, name) =>
			this.withIncluded(fs.readFileSync(
				path.join(this.share, 'nginx', name), 'utf8')));
	}

	/* Starts an nginx with a site's file, and all of its own files under a name. */
	startNginx(file = this.siteFile, name = 'nginx') {
		const at = (end) => path.join(this.folder, `${name}${end}`);
		const site = this.withIncluded(file)
			.replaceAll(/\/usr(\/local)?\/share\/tally/g, this.share)
			.replace(/#(map \$host \$tally_own \{\n)#.*\n#/,
				`$1\tdefault ${this.own};\n`)
			.replaceAll(/listen \[::\].*/g, '')
			.replaceAll('/var/lib/nginx/tally', at('-cache'))
			.replaceAll('/var/www/html', path.join(this.folder, 'webroot'))
			.replace('/run/tally/tally.sock', this.socket)
			.replaceAll('/var/log/nginx', this.folder)
			.replace('listen 80;', `listen 127.0.0.1:${this.port};`);
		const temporary = ['client_body', 'fastcgi', 'proxy', 'uwsgi', 'scgi']
			.map((kind) => `${kind}_temp_path ${at(`-${kind}`)};`);

		fs.writeFileSync(at('.conf'), `${process.getuid() === 0 ? 'user root;' : ''}
			daemon off; pid ${name}.pid; error_log ${name}-error.log;
			events {} http { access_log access.log;
			${temporary.join('\n')}\n${site} }`);
		this.spawn('nginx', ['-p', this.folder, '-c', at('.conf'),
			'-e', `${name}-error.log`],
		{ PATH: `${process.env.PATH}:/usr/sbin` });
		return until(`${name} has started`, () => fs.existsSync(at('.pid')));
	}
}

/* The token of a session, whose forms have it under a mask: digits of a pad, and of the pad's exclusive
 * or with the token. */
export const unmasked = (token) => token.length !== 128 ? token :
	[...token.slice(0, 64)].map((digit, i) =>
		(parseInt(digit, 16) ^ parseInt(token[64 + i], 16)).toString(16)).join('');

/* A page with its tokens out of their masks, to be compared with others. */
export const withoutMasks = (html) => html.replaceAll(/(name="csrf" value=")([^"]*)/g,
	(_, field, token) => field + unmasked(token));

/* The token of a page's forms. */
export function csrfOf(html) {
	const found = [...html.matchAll(/name="csrf" value="([0-9a-f]+)"/g)];

	if (found.length === 0)
		throw new Error('the page has no form with a token');
	return found.at(-1)[1];
}

/* A reader with cookies. Redirects are not followed. */
export class Client {
	constructor(port) {
		this.port = port;
		this.cookies = new Map();
		this.headers = {}; /* sent with each request */
		this.address = undefined; /* of this machine, from which it asks */
	}

	/* An answer: { status, headers, all(name), body }. */
	request(method, target,
		{ headers = {}, body, agent = false, signal } = {}) {
		const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
		const options = { host: '127.0.0.1', port: this.port, method, agent,
			path: target, signal, localAddress: this.address,
			headers: { Host: `localhost:${this.port}`,
				...(cookie && { Cookie: cookie }), ...this.headers, ...headers } };

		return new Promise((resolve, reject) => {
			const request = http.request(options, (response) => {
				const parts = [];

				response.on('data', (data) => parts.push(data));
				response.on('error', reject);
				response.on('end', () =>
					resolve(this.keep(response, Buffer.concat(parts))));
			});

			request.on('error', reject);
			request.end(body);
		});
	}

	keep(response, bytes) {
		const { rawHeaders, headers, statusCode: status } = response;
		const all = (name) => rawHeaders.filter((_, i) => i % 2 === 1 &&
			rawHeaders[i - 1].toLowerCase() === name);

		for (const cookie of all('set-cookie')) {
			const [, name, value] = cookie.match(/^([^=]+)=([^;]*)/);

			if (/max-age=0/i.test(cookie))
				this.cookies.delete(name);
			else
				this.cookies.set(name, value);
		}
		return { status, headers, all, bytes, body: bytes.toString('utf8') };
	}

	get(target, options) {
		return this.request('GET', target, options);
	}

	/* The same, following permanent redirects. */
	async go(target) {
		let answer = await this.get(target);

		for (let moves = 0; moves < 3 && answer.status === 301; moves++)
			answer = await this.get(answer.headers.location);
		return answer;
	}

	/* Sends a form with the session's token, or that of the page at `from`. */
	async post(target, fields = {}, { from, ...options } = {}) {
		if (from !== undefined)
			this.token = csrfOf((await this.get(from)).body);
		const body = new URLSearchParams(
			{ csrf: this.token, ...fields }).toString();

		return this.request('POST', target, { ...options, body, headers: {
			'Content-Type': 'application/x-www-form-urlencoded',
			'Content-Length': Buffer.byteLength(body),
			...options.headers } });
	}

	async register(username, password = 'correct horse') {
		const answer = await this.post('/register',
			{ username, password }, { from: '/register' });

		if (answer.status !== 303)
			throw new Error(
				`${username} was not registered: ${answer.status} ${answer.body}`);
		this.name = username;
		this.token = csrfOf((await this.get('/')).body);
	}

	async logIn(username, password) {
		const answer = await this.post('/login',
			{ username, password }, { from: '/login' });

		if (answer.status !== 303)
			throw new Error(
				`${username} was not let in: ${answer.status} ${answer.body}`);
		this.name = username;
		this.token = csrfOf((await this.get('/')).body);
	}

	/* Posts a comment on an article; returns its number. */
	async say(article, text, parent = 0) {
		const answer = await this.post(`/articles/${article}/comments`,
			{ text, parent });

		if (answer.status !== 303)
			throw new Error(`not said: ${answer.status} ${answer.body}`);
		return +answer.headers.location.match(/#comment-(\d+)$/)[1];
	}

	/* Posts an article; returns its id. */
	async submit(fields) {
		const answer = await this.post('/submit', fields);

		if (answer.status !== 303)
			throw new Error(`not posted: ${answer.status} ${answer.body}`);
		return +answer.headers.location.match(/^\/articles\/(\d+)$/)[1];
	}
}

/* Loads the demo, so that pages have content; returns the messages of `make demo`. */
export function loadDemo(folder, settings = {}) {
	const { status, stderr } = spawnSync('src/tools/demo', [folder, TALLY],
		{ encoding: 'utf8', env: { ...environment(), ...settings } });

	if (status !== 0)
		throw new Error(`the demo cannot be loaded: ${stderr}`);
	return stderr;
}
