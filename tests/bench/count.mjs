/*
 * Reproducible costs of a request: they differ by 2 % between machines, times by 50 %.
 *
 *	trips          reads of Redis
 *	commands       of Redis
 *	bytes          of Redis's replies
 *	worker         user-space instructions of the worker, by callgrind
 *	Redis, nginx   the same of theirs; of nginx without its cache
 *	calls          system calls of the workers, by strace, with 64 connections
 *
 * All but the last are counted with one request at a time.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { Client, Site, until } from '../site/support.mjs';
import { redis } from '../site/redis.mjs';
import { measure, redisWork } from './measure.mjs';
import { folder, program, WORKERS, writeData } from './sites.mjs';
import { fillThreads, textOf, withFullInbox } from './comments.mjs';

const ARTICLES = 2000, MEMBERS = 20;
const REQUESTS = 300, FEW = 200; /* of expensive pages */
const READERS = 5; /* so few that a worker caches all their votes on a page */
export const RISE = 1.03; /* smaller rises are noise */

/* Reads callgrind's count of instructions, and resets it. */
class Counter {
	constructor(where, pid) {
		this.base = path.join(where, `callgrind.${pid}`);
		this.pid = pid;
		this.dumps = 0;
	}

	async read() {
		const file = `${this.base}.${++this.dumps}`;
		const total = () => (fs.existsSync(file) ?
			fs.readFileSync(file, 'utf8') : '').match(/^totals: (\d+)/m);

		process.kill(this.pid, 'SIGPWR');
		await until('callgrind has written', () => total() !== null, 60);
		const count = Number(total()[1]);

		fs.unlinkSync(file);
		return count;
	}
}

/* The processes beside the workers. */
const beside = ['tally-loader', 'tally-relay', 'tally-metrics', 'tally-search',
	'tally-finder'];
const periodic = (site) =>
	[...beside.flatMap((name) => site.children(name).map(({ pid }) => pid)),
		site.process.pid];

/* The data is written without callgrind, which makes everything 50 times as slow. */
async function startUnderCallgrind() {
	const where = folder('callgrind');

	/* The site's user writes there, too, and is another one if root starts the site. */
	fs.chmodSync(path.dirname(where), 0o711);
	fs.chmodSync(where, 0o777);
	const site = await Site.start({ folder: path.join(where, 'site'),
		settings: { TALLY_WORKERS: 1, TALLY_CACHE: 0,
			TALLY_FSYNC: 'everysec' } });

	site.socket = path.join(site.folder, 'redis.sock');
	const { first_open: firstOpen, members } =
		writeData(site.socket, 'tally', 'crowded', 1, ARTICLES);
	const threads = await fillThreads(site.socket, firstOpen);

	await site.stop();
	site.settings.LD_PRELOAD = path.join(where, 'callgrind_dump.so');
	fs.copyFileSync(program('callgrind_dump.so'), site.settings.LD_PRELOAD);
	site.under = ['valgrind', '--quiet', '--tool=callgrind',
		'--vgdb=no',
		'--trace-children=yes',
		`--callgrind-out-file=${path.join(where, 'callgrind.%p')}`];
	await site.start();
	for (const name of fs.readdirSync(where))
		if (name.startsWith('callgrind.'))
			fs.chmodSync(path.join(where, name), 0o666);
	/* Periodic work is not part of a request: the processes beside the workers are
	 * stopped, once each has its name, and so is the supervisor, which would replace them. */
	await until('all processes are named', () => beside.every((name) =>
		site.children(name).length > 0), 60);
	/* Those that were started as other programs have valgrind's name. */
	const runs = ({ pid }, program) => fs.readFileSync(`/proc/${pid}/cmdline`,
		'utf8').includes(program);
	const own = site.running.filter(({ parent, name }) =>
		parent === site.process.pid && !beside.includes(name));
	const master = own.find((one) => runs(one, 'nginx'));
	const redisServer = own.find((one) => runs(one, 'redis-server'));
	const worker = own.find((one) => one !== master && one !== redisServer);
	/* It starts its workers first, and then those that look after its cache. */
	const serving = site.running.filter(({ parent }) => parent === master.pid)
		.sort((one, other) => one.pid - other.pid).slice(0, WORKERS);
	for (const pid of periodic(site))
		process.kill(pid, 'SIGSTOP');
	redis(site.socket, 'CONFIG', 'SET', 'hz', 1, 'dynamic-hz', 'no');
	return { site, firstOpen, threads, members: members.slice(0, MEMBERS),
		worker: new Counter(where, worker.pid),
		redis: new Counter(where, redisServer.pid),
		nginx: serving.map(({ pid }) => new Counter(where, pid)) };
}

/* Requests a page as the member with this number. */
function getAs(client, members, number, path) {
	const { cookie } = members[number % members.length];

	return client.get(path, { headers: { Cookie: `tally=${cookie}` } });
}

function postAs(client, { members }, number, path, fields) {
	const { cookie, token } = members[number % MEMBERS];

	client.token = token;
	return client.post(path, fields, { headers: { Cookie: `tally=${cookie}` } });
}

/* The request with this number. */
const sends = {
	front: (client) => client.get('/'),
	member: (client, { members }, number) =>
		getAs(client, members, number, '/'),
	article: (client, { firstOpen }) => client.get(`/articles/${firstOpen}`),
	vote: (client, target, number) => {
		const open = ARTICLES + 1 - target.firstOpen;
		const round = Math.floor(number / MEMBERS);

		return postAs(client, target, number,
			`/articles/${target.firstOpen + round % open}/vote`,
			{ vote: Math.floor(round / open) % 2 === 0 ? 'down' : 'up',
				return_to: '/' });
	},
	post: (client, target, number) => postAs(client, target, number,
		'/submit', { title: `What is number ${number}`, groups: 'everything',
			url: `https://example.org/2024/${number}` }),
	'thread 0': (client, { members, threads }, number) =>
		getAs(client, members, number, `/articles/${threads.none}`),
	'thread 200': (client, { members, threads }, number) =>
		getAs(client, members.slice(0, READERS), number,
			`/articles/${threads.some}`),
	'thread 10000': (client, { members, threads }, number) =>
		getAs(client, members.slice(0, READERS), number,
			`/articles/${threads.many}`),
	comment: (client, target, number) => postAs(client, target, number,
		`/articles/${target.threads.singles +
			(number >> 1) % target.threads.singleCount}/comments`,
		{ text: textOf(number), parent: number % 2 }),
	inbox: (client, { members }, number) =>
		getAs(client, withFullInbox(members), number, '/inbox'),
	feed: (client) => client.get('/new.atom'),
	'feed 304': async (client, target) => {
		target.tag ??= (await client.get('/new.atom')).headers.etag;
		return client.get('/new.atom',
			{ headers: { 'If-None-Match': target.tag } });
	},
};

const requestsOf = (name) => /^(thread [1-9]|inbox|feed$)/.test(name) ? FEW : REQUESTS;

async function send(client, target, name, first, count) {
	for (let i = first; i < first + count; i++) {
		const { status } = await sends[name](client, target, i);

		if (![200, 303, 304].includes(status))
			throw new Error(`${name}: ${status}`);
	}
}

/* The first requests, which fill the caches, are not counted, nor is reading the
 * figures. */
async function countOne(target, name) {
	const client = new Client(target.site.port), requests = requestsOf(name);
	const readNginx = async () => (await Promise.all(target.nginx.map(
		(counter) => counter.read()))).reduce((sum, count) => sum + count);

	await send(client, target, name, 0, requests);
	await readNginx();
	await target.worker.read();
	const before = redisWork(target.site);
	await target.redis.read();
	await send(client, target, name, requests, requests);
	const [worker, redis, nginx] = [await target.worker.read(),
		await target.redis.read(), await readNginx()];
	const after = redisWork(target.site);
	const [trips, commands, bytes] = after.map((count, i) => count - before[i]);

	return Object.fromEntries(Object.entries(
		{ worker, redis, nginx, trips, commands, bytes })
		.map(([what, count]) => [what, count / requests]));
}

/* System calls of a row's workers for each request. */
export async function countCalls(row) {
	const file = path.join(folder('strace'), 'calls');
	const strace = spawn('strace', ['-c', '-f', '-o', file,
		...row.target.pids.workers.flatMap((pid) => ['-p', pid])].map(String),
	{ stdio: ['ignore', 'ignore', 'pipe'] });
	const ended = new Promise((resolve) => strace.on('close', resolve));
	let output = '';

	strace.stderr.on('data', (data) => { output += data; });
	await until('strace is attached', () => output.includes('attached'));
	const { requests } = await measure(row, 2);

	strace.kill('SIGINT');
	await ended;
	const [, calls] = fs.readFileSync(file, 'utf8')
		.match(/^100\.00 +[\d.]+ +\d+ +(\d+).* total$/m);

	return Number(calls) / requests;
}

/* { worker, redis, nginx, trips, commands, bytes } by name of the request. */
export async function countAll(sent = Object.keys(sends)) {
	const target = await startUnderCallgrind();
	const counts = {};

	try {
		for (const name of sent)
			counts[name] = await countOne(target, name);
	} finally {
		for (const pid of periodic(target.site))
			process.kill(pid, 'SIGCONT');
		await target.site.stop();
	}
	return counts;
}

/* The counts by the names of recorded.json: "instructions member", and so on. */
export function namesOf(counts) {
	const names = { worker: 'instructions', redis: 'redis instructions',
		nginx: 'nginx instructions',
		trips: 'trips', commands: 'commands', bytes: 'bytes',
		calls: 'system calls' };

	return Object.fromEntries(Object.entries(counts).flatMap(([row, figures]) =>
		Object.entries(figures).map(([what, value]) =>
			[`${names[what]} ${row}`, +value.toPrecision(4)])));
}

/* A message for each count that rose since it was recorded. System calls are only shown,
 * since they depend on how many requests are ready at once. */
export function risen(named, recorded) {
	return Object.entries(recorded)
		.filter(([name]) => !name.startsWith('system calls'))
		.filter(([name, value]) => !(named[name] <= value * RISE))
		.map(([name, value]) => `${name}: ${named[name]}, recorded ${value}`);
}
