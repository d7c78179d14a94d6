/*
 * Warnings for operators: settings, of Tally or of Redis, that do not fit the site.
 */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

import { redis as redisCommand } from './redis.mjs';
import { Service, Site, runTests, tally, temporaryFolder, test, until }
	from './support.mjs';

test('a wrong TALLY_ORIGIN is logged once', async () => {
	const site = await Site.start({ settings:
		{ TALLY_ORIGIN: 'https://tally.example', TALLY_WORKERS: 1 } });
	const ann = await site.member('ann');
	const Origin = `http://localhost:${site.port}`;

	for (let i = 0; i < 5; i++)
		assert.equal((await ann.post('/submit',
			{ title: 'A', text: 'B' }, { headers: { Origin } })).status, 403);
	await ann.post('/submit', {}, { headers: { Origin: `http://${
		'x'.repeat(300)}` } });
	await site.stop();
	assert.deepEqual(site.err.match(/tally: Origin .*/g), [
		`tally: Origin ${Origin} is not TALLY_ORIGIN https://tally.example`]);
});

test('browsers that send Sec-Fetch-Site cause the same line', async () => {
	const site = await Site.start({ settings:
		{ TALLY_ORIGIN: 'https://tally.example', TALLY_WORKERS: 1 } });
	const ann = await site.member('ann');
	const post = (fetch, Origin) => ann.post('/submit',
		{ title: 'A', text: 'B' },
		{ headers: { Origin, 'Sec-Fetch-Site': fetch } });

	/* Requests from another site are no wrong setting. */
	assert.equal((await post('cross-site', 'http://evil.example')).status, 403);
	assert.equal((await post('same-origin', 'https://tally.example')).status,
		303);
	assert.doesNotMatch(site.err, /Origin/);
	assert.equal((await post('same-origin', `http://\x9b\xe4${
		'x'.repeat(300)}`)).status, 303);
	await site.stop();
	/* It is shortened, and has no control characters. */
	assert.match(site.err, new RegExp('^tally: Origin http://[?]{2,4}x{189,191}' +
		' is not TALLY_ORIGIN https://tally\\.example\n$'));
});

test('a proxy that does not announce https is logged once', async () => {
	const site = await Site.start({ settings:
		{ TALLY_ORIGIN: 'https://tally.example', TALLY_WORKERS: 1 } });
	const reader = site.client();

	assert.equal((await reader.get('/')).status, 200);
	assert.equal(site.err, '');
	reader.headers['X-Forwarded-Proto'] = 'http';
	for (let i = 0; i < 5; i++)
		assert.equal((await reader.get('/')).status, 301);
	await site.stop();
	assert.match(site.err, /^tally: redirected http to .*: https\n$/);
});

/* Starts a service with a Redis of these settings; returns its log. */
async function serveWith(words, settings = '') {
	class Odd extends Service {
		async startRedis() {
			this.spawn('redis-server', ['--port', '0', '--unixsocket',
				'redis.sock', ...words]);
			await this.untilRedisListens();
		}

		startSystemd() {
			super.startSystemd();
			fs.appendFileSync(path.join(this.folder, 'tally.conf'), settings);
		}
	}
	const service = await Odd.start();

	await service.stop();
	return service.err;
}

const GOOD = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always',
	'--maxmemory-policy', 'noeviction', '--lazyfree-lazy-expire', 'yes',
	'--lazyfree-lazy-user-del', 'yes'];

test('a durable Redis causes no warning', async () => {
	assert.doesNotMatch(await serveWith(GOOD), /warning/);
});

for (const [setting, value, advice] of [
	['appendonly', 'no', 'appendonly yes'],
	['appendfsync', 'no', 'appendfsync always'],
	['appendfsync', 'everysec', 'appendfsync always'],
	['maxmemory-policy', 'allkeys-lru', 'maxmemory-policy noeviction'],
	['lazyfree-lazy-expire', 'no', 'lazyfree-lazy-expire yes'],
	['lazyfree-lazy-user-del', 'no', 'lazyfree-lazy-user-del yes']])
	test(`serve warns of a Redis with ${setting} ${value}`, async () => {
		const err = await serveWith([...GOOD, `--${setting}`, value]);
		const lines = err.match(/tally: warning: .*/g) ?? [];

		assert.equal(lines.length, 1, err);
		assert.ok(lines[0].includes(`Redis has ${setting} ${value}`), err);
		assert.ok(lines[0].includes(`set ${advice} in its configuration`),
			err);
	});

test('appendfsync everysec can be allowed', async () =>
	assert.doesNotMatch(await serveWith(
		[...GOOD, '--appendfsync', 'everysec'], 'TALLY_FSYNC=everysec\n'),
	/warning/));

test('a Redis that hides its settings causes no warning', async () =>
	assert.doesNotMatch(await serveWith(
		['--rename-command', 'CONFIG', ''], ''), /warning|refused/));

test('`tally up` names the Redis of TALLY_REDIS, and starts none', async () => {
	const redis = await Site.start();

	/* If root starts both sites, they run as one user, which needs the socket. */
	fs.chmodSync(path.dirname(redis.folder), 0o711);
	const secret = (who) => fs.readFileSync(
		path.join(redis.folder, 'redis.secret'), 'utf8')
		.match(new RegExp(`^${who} (.*)$`, 'm'))[1];
	const settings = { TALLY_REDIS: `unix:${redis.folder}/redis.sock`,
		TALLY_REDIS_USER: 'tally', TALLY_REDIS_PASSWORD: secret('web'),
		TALLY_REDIS_ADMIN_PASSWORD: secret('admin') };
	const site = await Site.start({ settings });

	assert.ok(site.err.includes('tally: TALLY_REDIS is set: using the Redis ' +
		`at unix:${redis.folder}/redis.sock instead of starting one`),
	site.err);
	assert.deepEqual(site.children('redis-server'), []);
	assert.equal(tally(['check'], { settings }).status, 0);
	/* The command line takes precedence over the environment. */
	assert.equal(tally(['check', '--dir', 'x'], { settings }).err,
		'tally: there is no site in x\n');
	const repair = tally(['up', '--repair', '--dir', temporaryFolder()],
		{ settings });

	assert.equal(repair.status, 1);
	assert.match(repair.err, /--repair cannot be used with TALLY_REDIS/);
	await site.stop();
	/* As on a disk that is busy: longer than a page would wait. */
	redisCommand(path.join(redis.folder, 'redis.sock'), 'CLIENT', 'PAUSE', 2500);
	await site.start();
	await site.stop();
	await redis.stop();
});

/* In the format of Have I Been Pwned's downloader. */
const hashes = (passwords) => passwords.map((password) =>
	`${crypto.createHash('sha1').update(password).digest('hex')
		.toUpperCase()}:${password.length}\r\n`).sort().join('');

test('passwords in the file of TALLY_PASSWORDS are refused', async () => {
	const file = path.join(temporaryFolder(), 'passwords');
	const settings = { TALLY_PASSWORDS: file, TALLY_WORKERS: 1 };

	fs.writeFileSync(file, hashes(['a stolen horse',
		...Array.from({ length: 5000 }, (_, i) => `made up ${i}`)]));
	const site = await Site.start({ settings });
	const register = async (password) => (await site.client().post('/register',
		{ username: 'ann', password }, { from: '/register' }));
	const isRefused = async (password) => {
		const { status, body } = await register(password);

		return status === 422 && body.includes('appeared in a data breach');
	};
	const byCommand = (input) => tally(
		['user', 'password', '--dir', site.folder, 'ann'], { input, settings });
	const opened = () => fs.readdirSync(`/proc/${site.process.pid}/fd`)
		.filter((fd) => fs.readlinkSync(
			`/proc/${site.process.pid}/fd/${fd}`).startsWith(file)).length;

	assert.ok(await isRefused('a stolen horse'));
	assert.ok(await isRefused('made up 4999'));
	assert.equal((await register('a horse of my own')).status, 303);
	assert.match(byCommand('a stolen horse\n').err, /appeared in a data breach/);
	assert.match(byCommand('tally2026\n').err, /too easy to guess/);
	assert.equal(byCommand('another horse\n').status, 0);

	/* A replaced file is read at the next reload, if it is valid. */
	fs.writeFileSync(`${file}.new`, hashes(['a horse that got lost']));
	fs.renameSync(`${file}.new`, file);
	assert.ok(!await isRefused('a horse that got lost'));
	const before = site.workers;

	site.process.kill('SIGHUP');
	await until('it has reloaded', () =>
		assert.ok(site.log.includes(' reloaded ')));
	assert.notDeepEqual(site.workers, before);
	assert.equal(opened(), 1);
	assert.ok(await isRefused('a horse that got lost'));
	fs.writeFileSync(file, 'a stolen horse\n');
	site.process.kill('SIGHUP');
	await until('the reload fails', () =>
		assert.match(site.err, /its line 1 is not the 40 hex[^]*reload failed/));
	assert.equal((await site.client().get('/')).status, 200);
	assert.equal(byCommand('a fourth horse\n').status, 1);
	await site.stop();
	const up = tally(['up', '--dir', site.folder], { settings });

	assert.equal(up.status, 1);
	assert.match(up.err, /TALLY_PASSWORDS: cannot use .*: its line 1 is/);
});

test('an empty Redis of TALLY_REDIS has no site', async () => {
	const folder = temporaryFolder();
	const service = new Service();

	await service.startRedis();
	const TALLY_REDIS = `unix:${service.folder}/redis.sock`;

	for (const words of [['check'], ['dump'],
		['user', 'role', 'ann', 'member']])
		assert.deepEqual(tally(words, { settings: { TALLY_REDIS } }), {
			status: 1, out: '', err: 'tally: there is no site in the Redis ' +
				`at ${TALLY_REDIS}\n` });
	assert.deepEqual(fs.readdirSync(folder), []);
	await until('the file is there', () => fs.existsSync(
		path.join(service.folder, 'appendonlydir')));
	assert.equal(fs.statSync(path.join(service.folder, 'appendonlydir',
		'appendonly.aof.1.incr.aof')).size, 0, 'nothing was written');
});

await runTests();
