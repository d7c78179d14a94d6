/*
 * PEERS=1: a front page and votes of PHP-FPM (peer.php) behind an nginx with Debian's settings, with
 * as many articles and the same members as Tally's, in a Redis that syncs its file each second.
 */
import fs from 'node:fs';
import path from 'node:path';

import { freePort, until } from '../site/support.mjs';
import { redisPipe } from '../site/redis.mjs';
import { folder, start, startPlainRedis, Target, turnOnAppendOnly, WORKERS, writeData }
	from './sites.mjs';
import { ratio } from './report.mjs';

const CHILDREN = 4 * WORKERS;

/* Children are root where the benchmark is: its folder is closed to others. */
const pool = (socket) => `[global]
error_log = php-fpm.log
daemonize = no
[peer]
${process.getuid() === 0 ? 'user = root\ngroup = root' : ''}
listen = php.sock
pm = static
pm.max_children = ${CHILDREN}
chdir = ${path.dirname(socket)}
env[REDIS_SOCKET] = ${socket}
php_admin_value[opcache.enable] = 1
`;

/* gzip and the packet options are Debian's, with the usual fastcgi_pass for PHP. */
const server = (port, socket) => `${process.getuid() === 0 ? 'user root;' : ''}
daemon off;
pid nginx.pid;
error_log nginx-error.log error;
worker_processes auto;
events {
	worker_connections 768;
}
http {
	access_log off;
	sendfile on;
	tcp_nopush on;
	gzip on;
	default_type text/html;
	client_body_temp_path temp-body;
	fastcgi_temp_path temp-fastcgi;
	proxy_temp_path temp-proxy;
	uwsgi_temp_path temp-uwsgi;
	scgi_temp_path temp-scgi;
	upstream php {
		server unix:${path.dirname(socket)}/php.sock;
	}
	server {
		listen 127.0.0.1:${port} backlog=4096;
		location / {
			include /etc/nginx/fastcgi_params;
			fastcgi_param SCRIPT_FILENAME ${path.resolve('tests/bench/peer.php')};
			fastcgi_param REDIS_SOCKET ${socket};
			fastcgi_pass php;
		}
	}
}
`;

/* Debian's name has the version of PHP in it. */
function fpm() {
	const found = fs.readdirSync('/usr/sbin').find((name) => /^php-fpm[\d.]+$/.test(name));

	if (found === undefined)
		throw new Error('PEERS=1 needs php-fpm and php-redis');
	return found;
}

/* { cookie: 'tally=COOKIE', token } of each; Tally's ids are theirs. */
function writeSessions(socket, members) {
	redisPipe(socket, members.flatMap(({ cookie, token }) => {
		const value = cookie.replace('tally=', '');
		const user = `user:${value.split('.')[0]}`;

		return [['SET', `session:${value}`, user],
			['HSET', user, 'name', `member${value.split('.')[0]}`, 'token', token]];
	}));
}

export async function startPhp({ count, members, membersFile }) {
	const socket = await startPlainRedis('php');
	const cwd = folder('php');
	const { first_open: firstOpen } = writeData(socket, 'writeups', 'crowded', 1, count);
	const port = await freePort();

	writeSessions(socket, members);
	await turnOnAppendOnly(socket);
	fs.writeFileSync(path.join(cwd, 'php-fpm.conf'), pool(socket));
	fs.writeFileSync(path.join(cwd, 'nginx.conf'), server(port, socket));
	start(fpm(), ['-p', '.', '-y', 'php-fpm.conf', '-F',
		...process.getuid() === 0 ? ['-R'] : []], cwd);
	await until('PHP listens', () => fs.existsSync(path.join(cwd, 'php.sock')));
	start('nginx', ['-p', '.', '-c', 'nginx.conf', '-e', 'nginx-error.log'], cwd);
	await until('the nginx of PHP answers',
		() => fs.existsSync(path.join(cwd, 'nginx.pid')));
	return Object.assign(new Target(port, cwd),
		{ socket, count, firstOpen, members, membersFile });
}

export const peerRowsOf = ({ php }) => php === undefined ? {} : {
	php: { name: 'PHP-FPM, member', target: php, kind: 'member', path: '/',
		answers: 'list' },
	phpVote: { name: 'PHP-FPM, vote, everysec', target: php, kind: 'vote',
		answers: 'vote' },
};

export const peerRatiosOf = ({ member, everysec, php, phpVote }) => php === undefined ? [] : [
	['member/PHP-FPM', ratio(member, php)],
	['vote/PHP-FPM', ratio(everysec, phpVote)],
];
