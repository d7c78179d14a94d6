/*
 * The measured sites: Tally with its data, and the programs it is compared with, each
 * behind an nginx with Tally's configuration. They are in one temporary folder, which is
 * removed at the end.
 */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { freePort, processesIn, redisSecret, Site, TALLY, temporaryFolder,
	until }
	from '../site/support.mjs';
import { redis, redisInfo } from '../site/redis.mjs';

export const WORKERS = os.cpus().length;

const root = temporaryFolder();
const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
const isRoot = process.getuid() === 0;

export const program = (name) => path.join(path.dirname(TALLY), 'bench', name);

export function folder(name) {
	const made = path.join(root, name);

	fs.mkdirSync(made, { recursive: true });
	return made;
}

/* Starts a program in the background; closeAll() ends it. */
export function start(command, words, cwd) {
	const log = fs.openSync(path.join(cwd, `${path.basename(command)}.log`), 'a');
	const child = spawn(command, words,
		{ cwd, env: environment, stdio: ['ignore', log, log] });

	fs.closeSync(log);
	child.on('error', (error) => console.error(`${command}: ${error.message}`));
	return child;
}

/* Ends the sites and all other processes in the folder, and removes it. */
export async function closeAll(sites) {
	for (const site of sites)
		await site.stop().catch((error) => console.error(error.message));
	for (const { pid } of processesIn(root)) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			/* It has ended already. */
		}
	}
	fs.rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}

/* A port, and the processes behind it: all whose working directory is in one of
 * the folders, except supervisors, which do no work themselves. */
export class Target {
	constructor(port, ...folders) {
		this.port = port;
		this.folders = folders;
	}

	get pids() {
		const processes = this.folders.flatMap((name) => processesIn(name));
		const pids = (wanted) => processes.filter(wanted).map(({ pid }) => pid);

		return {
			nginx: pids(({ name }) => name === 'nginx'),
			workers: pids(({ name, parent }) => parent !== process.pid &&
				/^(tally|floor|baseline|php-fpm.*)$/.test(name)),
			redis: pids(({ name }) => name === 'redis-server'),
		};
	}
}

/*
 * An nginx with the configuration of `tally up`, but no cache, in front of a
 * program's socket. It serves page as a static file, /style.css.
 */
async function startNginx(name, socket, page) {
	const cwd = folder(name);
	const port = await freePort();
	const values = { '@LISTEN@': `127.0.0.1:${port}`, '@CACHE_OFF@': '1',
		'@USER@': isRoot ? 'user root;' : '',
		'unix:tally.sock': `unix:${socket}` };
	let config = fs.readFileSync('nginx/up.conf', 'utf8');

	for (const [mark, value] of Object.entries(values))
		config = config.replaceAll(mark, value);
	fs.writeFileSync(path.join(cwd, 'nginx.conf'), config);
	fs.mkdirSync(path.join(cwd, 'nginx-temp'));
	fs.mkdirSync(path.join(cwd, 'static'));
	fs.writeFileSync(path.join(cwd, 'static', 'style.css'), page);
	fs.symlinkSync(path.resolve('nginx'), path.join(cwd, 'nginx'));
	start('nginx', ['-p', '.', '-c', 'nginx.conf', '-e', 'nginx-error.log'], cwd);
	await until(`the nginx of ${name} answers`,
		() => fs.existsSync(path.join(cwd, 'nginx.pid')));
	return new Target(port, cwd);
}

/* A program of tests/bench behind an nginx. */
async function startProgram(name, page, ...words) {
	const cwd = folder(name);
	const socket = path.join(cwd, `${name}.sock`);

	start(program(name), [socket, WORKERS, ...words].map(String), cwd);
	await until(`${name} listens`, () => fs.existsSync(socket));
	return startNginx(name, socket, page);
}

/* Answers with the first of the pages, { plain, gzip }, and at /2 and so on with the others. */
export function startFloor(pages) {
	const files = pages.map(({ plain, gzip }, i) => {
		const file = path.join(folder('floor'), `page-${i + 1}.html`);

		fs.writeFileSync(file, plain);
		fs.writeFileSync(`${file}.gz`, gzip);
		return file;
	});

	return startProgram('floor', pages[0].plain, ...files);
}

/* Writes data; first is the id of the first article. See data.c. */
export function writeData(socket, layout, part, first, count) {
	const { status, stdout, stderr } = spawnSync(program('data'),
		[socket, layout, part, first, count].map(String),
		{ encoding: 'utf8', maxBuffer: 1 << 26,
			env: { ...process.env, ADMIN_PASSWORD:
				redisSecret(path.dirname(socket), 'admin') } });

	if (status !== 0)
		throw new Error(`data: ${stderr}`);
	return JSON.parse(stdout);
}

/* A Redis with default settings, as in the write-ups. */
export async function startPlainRedis(name) {
	const cwd = folder(name);
	const socket = path.join(cwd, 'redis.sock');

	start('redis-server', ['--port', '0', '--unixsocket', 'redis.sock',
		'--save', '', '--dir', '.'], cwd);
	await until(`the Redis of ${name} listens`, () => fs.existsSync(socket));
	return socket;
}

/* Turns on the append-only file. */
export async function turnOnAppendOnly(socket) {
	redis(socket, 'CONFIG', 'SET', 'auto-aof-rewrite-percentage', 0,
		'appendonly', 'yes');
	await until('the append-only file is there', () =>
		redisInfo(socket, 'persistence', 'aof_rewrite_in_progress') === 0 &&
		redisInfo(socket, 'persistence', 'aof_rewrite_scheduled') === 0, 120);
}

export async function startBaseline(count, page) {
	const socket = await startPlainRedis('baseline');
	const { first_open: firstOpen } =
		writeData(socket, 'writeups', 'crowded', 1, count);

	await turnOnAppendOnly(socket);
	const target = await startProgram('baseline', page, socket, page.length);
	return Object.assign(target, { socket, count, firstOpen });
}

/* An empty Tally site. */
export async function startSite(name, settings = {}) {
	const site = await Site.start({ folder: path.join(root, name),
		settings: { TALLY_WORKERS: WORKERS, ...settings } });

	site.socket = path.join(site.folder, 'redis.sock');
	redis(site.socket, 'CONFIG', 'SET', 'appendonly', 'no');
	return site;
}

/* In the format of requests.lua. */
function writeMembers(name, members) {
	const file = path.join(root, `${name}.lua`);

	fs.writeFileSync(file, `return {\n${members.map(
		({ cookie, token }) => `{cookie='${cookie}',token='${token}'},\n`)
		.join('')}}\n`);
	return file;
}

/*
 * A site with that many articles (part is "site" or "crowded", see data.c), as a
 * Target that knows which articles are open, and the members.
 */
export async function startFilledSite(name, part, count, settings) {
	const site = await startSite(name, settings);
	const { first_open: firstOpen, members } =
		writeData(site.socket, 'tally', part, 1, count);
	const target = new Target(site.port, site.folder);

	await turnOnAppendOnly(site.socket);
	for (const member of members)
		member.cookie = `tally=${member.cookie}`;
	return Object.assign(target,
		{ name, site, socket: site.socket, count, firstOpen, members,
			membersFile: writeMembers(name, members) });
}

/* Has the index of search built, since nothing said that there are articles. */
export async function buildIndex({ site, count }) {
	const socket = path.join(site.folder, 'search.sock');
	const ask = (word) => spawnSync('redis-cli', ['-2', '--json', '-s', socket, word],
		{ encoding: 'utf8' }).stdout;

	ask('BUILD');
	await until('the index of search is built', () => {
		const state = ask('STATE');

		return state.includes('"building",-1') &&
			Number(state.match(/"rows",(\d+)/)?.[1]) >= count;
	}, 600);
}

/* The same site through a second nginx that caches nothing; the first one is
 * idle meanwhile. */
export async function withoutCache(target) {
	const { port, folders } = await startNginx(`${target.name}-uncached`,
		path.join(target.site.folder, 'tally.sock'), '');

	return Object.assign(Object.create(target),
		{ port, folders: [...folders, ...target.folders] });
}

/* The same site, with requests of some of its members. */
export function withMembers(target, members) {
	return Object.assign(Object.create(target), { members,
		membersFile: writeMembers(`${target.name}-${members.length}`, members) });
}

/* The same site, measured with another setting of Redis's appendfsync. */
export function withFsync(target, fsync) {
	return Object.assign(Object.create(target), { fsync });
}

/* The last line of `tally check`, and true if it found nothing wrong. */
export function checkSite({ site }) {
	const { status, stdout, stderr } = spawnSync(TALLY,
		['check', '--dir', site.folder],
		{ env: environment, encoding: 'utf8', timeout: 600000 });

	return { good: status === 0,
		line: (stdout + stderr).trim().split('\n').at(-1) };
}
