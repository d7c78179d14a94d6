/*
 * Commands to a Redis on a unix socket, through redis-cli.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { redisSecret } from './support.mjs';

/* As the admin, if that Redis has one. */
function login(socket) {
	const secret = redisSecret(path.dirname(socket), 'admin');

	return secret === '' ? [] : ['--no-auth-warning', '--user', 'admin',
		'--pass', secret];
}

function cli(socket, words) {
	const { status, stdout, stderr } = spawnSync('redis-cli',
		['-s', socket, ...login(socket), ...words.map(String)],
		{ encoding: 'utf8', maxBuffer: 1 << 28 });

	if (status !== 0)
		throw new Error(`redis-cli ${words.join(' ')}: ${stderr}${stdout}`);
	return stdout;
}

export function redis(socket, ...words) {
	return JSON.parse(cli(socket, ['--json', ...words]));
}

/* Dates a member's log-ins back by half an hour, so that important changes ask for the
 * password again. */
export function ageSessions(site, name) {
	const socket = path.join(site.folder, 'redis.sock');
	const id = redis(socket, 'GET', `name:${name}`);
	const key = `{u${id}}sessions`;

	for (const digest of redis(socket, 'HKEYS', key)) {
		const [created, ...rest] = redis(socket, 'HGET', key, digest).split(' ');

		redis(socket, 'HSET', key, digest,
			[created - 1800, ...rest].join(' '));
	}
}

/* Encodes a command; its words are numbers, strings or bytes. */
function encode(words) {
	const parts = words.map((word) =>
		Buffer.isBuffer(word) ? word : Buffer.from(String(word)));

	return Buffer.concat([Buffer.from(`*${parts.length}\r\n`),
		...parts.flatMap((part) => [Buffer.from(`$${part.length}\r\n`), part,
			Buffer.from('\r\n')])]);
}

const AT_ONCE = 5000;

/* Sends many commands without waiting for each reply. None may fail. */
export function redisPipe(socket, commands) {
	for (let i = 0; i < commands.length; i += AT_ONCE) {
		const { status, stdout, stderr } = spawnSync('redis-cli',
			['-s', socket, ...login(socket), '--pipe'],
			{ input: Buffer.concat(commands.slice(i, i + AT_ONCE).map(encode)),
				encoding: 'utf8' });

		if (status !== 0)
			throw new Error(`redis-cli --pipe: ${stderr}${stdout}`);
	}
}

/* Figures from one INFO. */
export function redisInfos(socket, section, names) {
	const info = cli(socket, ['INFO', section]);

	return names.map((name) =>
		Number(info.match(new RegExp(`^${name}:([0-9.]+)`, 'm'))[1]));
}

/* One of them. */
export function redisInfo(socket, section, name) {
	return redisInfos(socket, section, [name])[0];
}

/* How often a command was called, also in functions. */
export function redisCalls(socket, command) {
	const found = cli(socket, ['INFO', 'commandstats'])
		.match(new RegExp(`^cmdstat_${command}:calls=(\\d+)`, 'm'));

	return Number(found?.[1] ?? 0);
}

/* Makes Redis log each command that takes so many microseconds. */
export function watchSlow(socket, microseconds) {
	redis(socket, 'CONFIG', 'SET', 'slowlog-max-len', 100000,
		'slowlog-log-slower-than', microseconds);
	redis(socket, 'SLOWLOG', 'RESET');
}

/* The logged commands, as { ms, words }, slowest first, without those of the benchmark
 * itself. */
export function slowCommands(socket) {
	return redis(socket, 'SLOWLOG', 'GET', 100000)
		.map(([, , microseconds, words]) => ({ ms: microseconds / 1000, words }))
		.filter(({ words }) =>
			!/^(config|info|slowlog|command|bgrewriteaof)$/i.test(words[0]))
		.sort((a, b) => b.ms - a.ms);
}
