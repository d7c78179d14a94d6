/*
 * The power of an attacker inside a worker: the rights of its Redis user, and the
 * privileges that the process has dropped.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { Site, TALLY, isSanitized, memoryOf, redisSecret, runTests, setUp, tally, tearDown,
	temporaryFolder, test, until, untilHealthy } from './support.mjs';

let site, socket;

setUp(async () => {
	site = await Site.start();
	socket = path.join(site.folder, 'redis.sock');
});

tearDown(() => site.stop());

/* Redis's reply to "web", to "admin" or, without a name, to the default user. */
function ask(who, ...words) {
	const login = who === '' ? [] : ['--no-auth-warning',
		'--user', who === 'web' ? 'tally' : who,
		'--pass', redisSecret(site.folder, who)];
	const { stdout, stderr } = spawnSync('redis-cli',
		['-s', socket, ...login, ...words], { encoding: 'utf8', timeout: 5000 });

	return (stdout + stderr).trim();
}

const forbidden = [
	['EVAL', 'return 1', '0'],
	['EVALSHA', 'e0e1f9fabfc9d4800c877a703b823ac0578ff8db', '0'],
	['SCRIPT', 'LOAD', 'return 1'],
	['FUNCTION', 'LOAD', '#!lua name=x\nreturn 1'],
	['FUNCTION', 'LIST'],
	['FUNCTION', 'FLUSH'],
	['FUNCTION', 'DELETE', 'tally'],
	['KEYS', '*'],
	['SCAN', '0'],
	['RANDOMKEY'],
	['CONFIG', 'GET', '*'],
	['CONFIG', 'SET', 'dir', '/tmp'],
	['FLUSHALL'],
	['FLUSHDB'],
	['SWAPDB', '0', '1'],
	['SORT', 'articles'],
	['SAVE'],
	['BGREWRITEAOF'],
	['SHUTDOWN', 'NOSAVE'],
	['REPLICAOF', '127.0.0.1', '1'],
	['MIGRATE', '127.0.0.1', '1', 'site', '0', '1'],
	['MODULE', 'LIST'],
	['ACL', 'SETUSER', 'tally', '+@all'],
	['ACL', 'LIST'],
	['CLIENT', 'LIST'],
	['CLIENT', 'KILL', 'TYPE', 'normal'],
	['MONITOR'],
	['SLOWLOG', 'GET'],
	['PUBLISH', 'a', 'b'],
	['BLPOP', '{0.0}claims:x', '0'],
	['INFO'],
	['INFO', 'server'],
	['XGROUP', 'DESTROY', '{0.0}outbox', 'relay'],
];

test('the workers’ user may not do what workers never do', () => {
	for (const words of forbidden)
		assert.match(ask('web', ...words), /NOPERM/, words.join(' '));
});

test('the workers’ user may do what workers do', () => {
	assert.equal(ask('web', 'PING'), 'PONG');
	assert.match(ask('web', 'HGET', 'site', 'version'), /^\d+$/);
	assert.equal(ask('web', 'FCALL', 'raise_1', '1', 'limit:test:1', '9'), 'ok');
	assert.match(ask('web', 'TIME'), /^\d+\n\d+$/);
});

/* So workers fail at it for lack of rights, and nothing else. */
test('the admin may do all of it', () => {
	assert.match(ask('admin', 'CONFIG', 'GET', 'port'), /^port\n0$/);
	assert.match(ask('admin', 'FUNCTION', 'LIST'), /tally/);
	assert.equal(ask('admin', 'EVAL', 'return 1', '0'), '1');
});

test('without a password nobody may do anything', () => {
	for (const words of [['PING'], ['GET', 'site'], ['FCALL', 'raise_1', '0']])
		assert.match(ask('', ...words), /NOAUTH/);
	assert.match(ask('', 'AUTH', 'default', ''), /WRONGPASS|NOAUTH/);
});

test('Redis is reached only through its socket, and only by its owner', () => {
	const listening = fs.readFileSync('/proc/net/tcp', 'utf8') +
		fs.readFileSync('/proc/net/tcp6', 'utf8');
	const [{ pid }] = site.children('redis-server');
	const inodes = fs.readdirSync(`/proc/${pid}/fd`).map((name) => {
		try {
			return fs.readlinkSync(`/proc/${pid}/fd/${name}`);
		} catch {
			return '';
		}
	}).map((link) => link.match(/^socket:\[(\d+)\]$/)?.[1]).filter(Boolean);

	assert.ok(inodes.length > 0);
	for (const inode of inodes)
		assert.doesNotMatch(listening, new RegExp(` ${inode} `));
	assert.equal(fs.statSync(socket).mode & 0o777, 0o700);
	for (const name of ['redis.secret', 'redis.conf'])
		assert.equal(fs.statSync(path.join(site.folder, name)).mode & 0o777,
			0o600, name);
});

const statusOf = (pid, name) => fs.readFileSync(`/proc/${pid}/status`, 'utf8')
	.match(new RegExp(`^${name}:\\s*(\\d+)$`, 'm'))[1];

/* Of /proc/PID/stat: the session's leader, and its terminal, 0 without one. */
function sessionOf(pid) {
	const [, , session, terminal] = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
		.replace(/.*\) \w \d+/s, '').split(' ');

	return { session: +session, terminal: +terminal };
}

test('no process of the site has its terminal', () => {
	const own = site.running.filter(({ parent }) => parent === site.process.pid);

	assert.deepEqual(own.map(({ name }) => name).sort(),
		['nginx', 'redis-server', 'tally', 'tally', 'tally-finder',
			'tally-loader', 'tally-metrics', 'tally-relay', 'tally-search']);
	for (const { pid } of own) {
		assert.deepEqual(sessionOf(pid), { session: pid, terminal: 0 });
		assert.equal(fs.readlinkSync(`/proc/${pid}/fd/0`), '/dev/null');
	}
});

/* The workers, and the processes beside them, which have no more rights than they. */
const confined = () => [...site.workers,
	...['tally-relay', 'tally-metrics', 'tally-loader', 'tally-search', 'tally-finder']
		.flatMap((name) => site.children(name).map(({ pid }) => pid))];

test('workers and the processes beside them are confined before their first request', () => {
	assert.equal(confined().length, 7);
	for (const pid of confined()) {
		assert.equal(statusOf(pid, 'Seccomp'), isSanitized ? '0' : '2');
		assert.equal(statusOf(pid, 'NoNewPrivs'), isSanitized ? '0' : '1');
	}
});

test('workers and the processes beside them do not hold the admin’s password', () => {
	for (const pid of isSanitized ? [] : confined()) {
		const memory = memoryOf(pid);

		assert.ok(memory.includes(redisSecret(site.folder, 'web')));
		assert.ok(!memory.includes(redisSecret(site.folder, 'admin')));
	}
});

/* Redis replays its file as the default user, which is disabled. */
test('writes of functions survive a restart of Redis', async () => {
	const read = () => ask('web', 'GET', 'limit:kept:1');

	ask('web', 'FCALL', 'raise_1', '1', 'limit:kept:1', '7');
	const before = read();

	assert.match(before, /^\d+$/);
	process.kill(site.children('redis-server')[0].pid, 'SIGKILL');
	await until('Redis has read its file', () =>
		assert.equal(ask('web', 'PING'), 'PONG'));
	assert.equal(read(), before);
	assert.doesNotMatch(fs.readFileSync(path.join(site.folder, 'redis.log'),
		'utf8'), /CRITICAL|NOPERM/);
});

test('confined workers reconnect to a Redis that has come back', async () => {
	process.kill(site.children('redis-server')[0].pid, 'SIGKILL');
	await untilHealthy(site.client());
});

/* The users of an earlier version, in a Redis that the site did not start. */
test('the start names missing rights, and works once they are granted', async () => {
	const folder = temporaryFolder();
	const users = path.join(folder, 'users.acl');
	const socket = path.join(folder, 'redis.sock');
	const newest = () => assert.equal(
		spawnSync('src/deploy/redis-users', [folder]).status, 0);

	newest();
	fs.writeFileSync(users, fs.readFileSync(users, 'utf8')
		.replace(/^(user tally .*) \+xadd(.*) \+bitfield(.*)/m, '$1$2$3')
		.replace(/^(user tally .*) \+bitfield(.*) \+xadd(.*)/m, '$1$2$3'));
	const login = Object.fromEntries(
		fs.readFileSync(path.join(folder, 'tally.env'), 'utf8').trim()
			.split('\n').map((line) => line.split('=')));
	const settings = { ...login, TALLY_REDIS: `unix:${socket}`,
		TALLY_SOCKET: path.join(folder, 'tally.sock'), TALLY_WORKERS: 1 };
	const redis = spawn('redis-server', ['--port', '0', '--unixsocket', socket,
		'--dir', folder, '--save', '', '--aclfile', users]);

	try {
		await until('Redis listens', () => fs.existsSync(socket));
		const refused = tally(['serve'], { settings });

		assert.equal(refused.status, 1);
		assert.match(refused.err,
			/run ACL SETUSER tally( \+(xadd|bitfield)){2}, .* ACL LOAD/);

		newest();
		assert.match(spawnSync('redis-cli', ['-s', socket, '--user', 'admin',
			'ACL', 'LOAD'], { encoding: 'utf8', env: { ...process.env,
			REDISCLI_AUTH: login.TALLY_REDIS_ADMIN_PASSWORD } }).stdout, /OK/);
		const serving = spawn(TALLY, ['serve'],
			{ env: { ...process.env, TALLY_SHARE: process.cwd(), ...settings } });
		let log = '';

		serving.stderr.on('data', (data) => { log += data; });
		const ended = new Promise((resolve) => serving.on('close', resolve));

		await until('it serves', () => assert.ok(
			/ started /.test(log) || serving.exitCode !== null));
		serving.kill('SIGTERM');
		assert.equal(await ended, 0, log);
	} finally {
		redis.kill('SIGKILL');
	}
});

await runTests();
