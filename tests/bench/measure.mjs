/*
 * One measurement of a row: requests a second by wrk, CPU time, memory.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { Client, sleep } from '../site/support.mjs';
import { redis, redisInfos } from '../site/redis.mjs';

export const THREADS = 2;
export const CONNECTIONS = 64;

const script = new URL('requests.lua', import.meta.url).pathname;
const TICKS = 100; /* a second, as /proc counts on every Linux */

/* CPU time of a process so far, in ticks; 0 if it has ended, as nginx's cache loader
 * does after a minute. */
function ticksOf(pid) {
	let stat;

	try {
		stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
	} catch {
		return 0;
	}
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');

	return Number(fields[11]) + Number(fields[12]);
}

/* The same in seconds, for several. */
function processorTime(pids) {
	return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) / TICKS;
}

function processorTimes(pids) {
	return Object.fromEntries(Object.entries(pids).map(
		([name, list]) => [name, processorTime(list)]));
}

/* Runs wrk, and resolves to what requests.lua printed. */
function wrk(port, seconds, connections, coding, words) {
	return new Promise((resolve, reject) => {
		const child = spawn('wrk', ['-t', THREADS, '-c', connections,
			'-d', `${seconds}s`, '--timeout', '10s', '-s', script,
			`http://127.0.0.1:${port}/`, '--', ...words].map(String),
		{ stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, CODING: coding } });
		let out = '', err = '';

		child.stdout.on('data', (data) => { out += data; });
		child.stderr.on('data', (data) => { err += data; });
		child.on('error', reject);
		child.on('close', () => {
			const line = out.trim().split('\n').at(-1);

			if (line.startsWith('{'))
				resolve(JSON.parse(line));
			else
				reject(new Error(`wrk: ${err}${out}`));
		});
	});
}

/* Votes of each thread so far, by port. */
const positions = new Map();
let runs = 0;

function wordsOf({ kind, target, path: requested }, tag) {
	const file = target.membersFile ?? '-';
	const open = [target.firstOpen, target.count + 1 - target.firstOpen];

	switch (kind) {
	case 'vote':
	case 'writeups':
		return [kind, file, THREADS, ...open,
			...(positions.get(target.port) ?? Array(THREADS).fill(0))];
	case 'post':
		return [kind, file, THREADS, `${Date.now()}-${runs++}`];
	case 'comment':
		return [kind, file, THREADS, target.threads.singles,
			target.threads.singleCount, `${Date.now()}-${runs++}`];
	case 'unchanged':
		return [kind, file, THREADS, requested, 0, tag];
	default:
		return [kind, file, THREADS, requested ?? '/'];
	}
}

/* What is read is asked for as browsers do, but for rows that say otherwise. */
export const codingOf = ({ coding = 'gzip' }) => coding;

/* The tag of a feed once each worker has answered, as a reader has it who comes often. */
export async function presentTag({ target, path: requested }) {
	const client = new Client(target.port);
	let tag;

	for (let i = 0; i < 100; i++)
		tag = (await client.get(requested, { headers: tag === undefined ? {} :
			{ 'If-None-Match': tag } })).headers.etag;
	return tag;
}

/* The number of reads, commands and reply bytes of Redis. */
export const redisWork = ({ socket }) => socket === undefined ? [0, 0, 0] :
	redisInfos(socket, 'stats', ['total_reads_processed',
		'total_commands_processed', 'total_net_output_bytes']);

/* Casts about 100 votes a second, until the returned function is called. */
function castVotes(target) {
	const voter = new Client(target.port);
	const member = target.members.at(-1);
	let stopped = false, cast = 0;

	async function cycle() {
		while (!stopped) {
			const open = target.count - target.firstOpen;
			const article = target.count - cast % open;
			const wanted = Math.floor(cast / open) % 2 === 0 ? 'down' : 'up';

			cast++;
			voter.token = member.token;
			await voter.post(`/articles/${article}/vote`, { vote: wanted },
				{ headers: { Cookie: member.cookie } });
			await sleep(8);
		}
	}
	const ended = cycle();

	return async () => {
		stopped = true;
		await ended;
		return cast;
	};
}

/*
 * One run of a row: { rate, p50, p99, cpu, reads, commands, bytes, bad, broken }; rate in
 * requests a second, p50 and p99 in milliseconds; for each request, cpu in microseconds,
 * and reads, commands and reply bytes of Redis.
 */
export async function measure(row, seconds) {
	const { target } = row;

	if (target.fsync)
		redis(target.socket, 'CONFIG', 'SET', 'appendfsync', target.fsync);
	const tag = row.kind === 'unchanged' && await presentTag(row);
	const stopVotes = row.voted ? castVotes(target) : async () => 0;
	/* Others, who ask for another page a little longer. */
	const others = row.beside === undefined ? undefined :
		wrk(target.port, seconds + 1, CONNECTIONS, codingOf(row),
			wordsOf({ ...row, path: row.beside }));
	const { pids } = target;
	const before = processorTimes(pids), workBefore = redisWork(target);
	const result = await wrk(target.port, seconds,
		row.connections ?? CONNECTIONS, codingOf(row), wordsOf(row, tag));
	const after = processorTimes(pids);
	const [reads, commands, bytes] = redisWork(target).map((count, i) =>
		(count - workBefore[i]) / result.requests);
	const cpu = {};

	await stopVotes();
	await others;
	if (target.fsync)
		redis(target.socket, 'CONFIG', 'SET', 'appendfsync', 'always');
	if (row.kind === 'vote' || row.kind === 'writeups')
		positions.set(target.port, result.at);
	for (const name of Object.keys(after))
		cpu[name] = (after[name] - before[name]) * 1e6 / result.requests;
	return { ...result, cpu, reads, commands, bytes,
		rate: result.requests / result.seconds };
}

/* Megabytes of memory that processes use; shared pages count in proportion. */
export function proportionalMemory(pids) {
	let kilobytes = 0;

	for (const pid of pids) {
		const rollup = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');

		kilobytes += Number(rollup.match(/^Pss: +(\d+) kB/m)[1]);
	}
	return kilobytes / 1024;
}

/* Milliseconds that the disk under a folder takes to sync a small write. */
export function diskTime(folder) {
	const name = path.join(folder, 'disk');
	const file = fs.openSync(name, 'w');
	const times = [];

	for (let i = 0; i < 50; i++) {
		const start = process.hrtime.bigint();

		fs.writeSync(file, 'x'.repeat(512));
		fs.fdatasyncSync(file);
		times.push(Number(process.hrtime.bigint() - start) / 1e6);
	}
	fs.closeSync(file);
	fs.unlinkSync(name);
	return median(times);
}

export function median(numbers) {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length >> 1;

	return sorted.length % 2 === 1 ? sorted[middle] :
		(sorted[middle - 1] + sorted[middle]) / 2;
}
