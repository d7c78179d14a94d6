/*
 * What somebody could do who has come into a worker: which rights its Redis
 * user has, and what the process has given up.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { Client, redisSecret, runTests, Site, TALLY, test, until }
	from './support.mjs';

const site = await Site.start();
const socket = path.join(site.folder, 'redis.sock');

/* What Redis answers, in a line; who is "web", "admin" or nobody. */
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
	['BLPOP', 'link:x', '0'],
	['INFO'],
	/* Keys that are not the site's. */
	['GET', 'other'],
	['SET', 'other', '1'],
	['COPY', 'site', 'other'],
	['RENAME', 'site', 'other'],
	['FCALL', 'limit_1', '1', 'other', '1'],
];

test('the workers\' user cannot do what workers do not', () => {
	for (const words of forbidden)
		assert.match(ask('web', ...words), /NOPERM/, words.join(' '));
});

test('and can do what they do', () => {
	assert.equal(ask('web', 'PING'), 'PONG');
	assert.equal(ask('web', 'HGET', 'site', 'version'), '1');
	assert.equal(ask('web', 'FCALL', 'limit_1', '1', 'limit:test:1', '9'), 'ok');
	assert.match(ask('web', 'TIME'), /^\d+\n\d+$/);
});

test('the admin can do all of it, so it was the rights that refused', () => {
	assert.match(ask('admin', 'CONFIG', 'GET', 'port'), /^port\n0$/);
	assert.match(ask('admin', 'FUNCTION', 'LIST'), /tally/);
	assert.equal(ask('admin', 'EVAL', 'return 1', '0'), '1');
});

test('without a password nobody does anything', () => {
	for (const words of [['PING'], ['GET', 'site'], ['FCALL', 'limit_1', '0']])
		assert.match(ask('', ...words), /NOAUTH/);
	assert.match(ask('', 'AUTH', 'default', ''), /WRONGPASS|NOAUTH/);
});

test('Redis is reached through its socket alone, by its owner', () => {
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

/* Whatever a process holds in memory of its own. */
function memoryOf(pid) {
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

const workers = () => site.children('tally').map(({ pid }) => pid);
const sanitized = fs.readFileSync(TALLY)
	.includes('__asan_init');

test('workers are confined, from their first request on', () => {
	assert.equal(workers().length, 2);
	for (const pid of workers()) {
		assert.equal(statusOf(pid, 'Seccomp'), sanitized ? '0' : '2');
		assert.equal(statusOf(pid, 'NoNewPrivs'), sanitized ? '0' : '1');
	}
});

/* With a sanitizer a process has terabytes, nearly all of them empty. */
test('workers do not hold the admin\'s password', () => {
	for (const pid of sanitized ? [] : workers()) {
		const memory = memoryOf(pid);

		assert.ok(memory.includes(redisSecret(site.folder, 'web')));
		assert.ok(!memory.includes(redisSecret(site.folder, 'admin')));
	}
});

/* Redis reads its file as the default user, who is off. */
test('what functions wrote is there after Redis was ended', async () => {
	const waits = () => ask('web', 'GET', 'limit:kept:1');
	let before;

	ask('web', 'FCALL', 'limit_1', '1', 'limit:kept:1', '1');
	before = waits();
	assert.match(before, /^\d+$/);
	process.kill(site.children('redis-server')[0].pid, 'SIGKILL');
	await until('Redis has read its file', () => ask('web', 'PING') === 'PONG',
		10);
	assert.equal(waits(), before);
	assert.doesNotMatch(fs.readFileSync(path.join(site.folder, 'redis.log'),
		'utf8'), /CRITICAL|NOPERM/);
});

test('confined workers find a Redis that was ended and came back', async () => {
	const client = new Client(site.port);

	process.kill(site.children('redis-server')[0].pid, 'SIGKILL');
	await until('the site answers again', async () =>
		(await client.get('/healthz')).status === 200, 10);
});

test('and the site stops in order', () => site.stop());

await runTests();
