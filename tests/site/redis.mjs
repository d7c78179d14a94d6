/*
 * Talks to a Redis that listens on a unix socket, through redis-cli.
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

/* As if a member of a site had logged in half an hour ago, everywhere: what is worth
 * the password once more asks for it. */
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

/* One figure from INFO. */
export function redisInfo(socket, section, name) {
	const [, value] = cli(socket, ['INFO', section])
		.match(new RegExp(`^${name}:([0-9.]+)`, 'm'));

	return Number(value);
}

/* From now on Redis logs each command that takes so many microseconds. */
export function watchSlow(socket, microseconds) {
	redis(socket, 'CONFIG', 'SET', 'slowlog-max-len', 100000,
		'slowlog-log-slower-than', microseconds);
	redis(socket, 'SLOWLOG', 'RESET');
}

/* The commands logged, as { ms, words }, the slowest first; without those that
 * only the benchmark sends. */
export function slowCommands(socket) {
	return redis(socket, 'SLOWLOG', 'GET', 100000)
		.map(([, , microseconds, words]) => ({ ms: microseconds / 1000, words }))
		.filter(({ words }) =>
			!/^(config|info|slowlog|command|bgrewriteaof)$/i.test(words[0]))
		.sort((a, b) => b.ms - a.ms);
}
