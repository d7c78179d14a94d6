/*
 * How a member fares while thousands of addresses read every page of a large site once, as
 * fast as they are answered:
 *
 *	ARTICLES=100000 ADDRESSES=2000 SECONDS=20 node tests/bench/scrapers.mjs
 *
 * The scrapers take the processor time that the site leaves (NICE=19), since they would run
 * on other machines; SHARE is TALLY_VISITORS_SHARE.
 */
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

import { Site, sleep, tally, temporaryFolder, cleanUp } from '../site/support.mjs';

const ARTICLES = Number(process.env.ARTICLES ?? 100000);
const ADDRESSES = Number(process.env.ADDRESSES ?? 2000);
const SECONDS = Number(process.env.SECONDS ?? 20);
const NICE = Number(process.env.NICE ?? 19);
const MEMBERS = 1000;
const PER_PAGE = 25;
const DAY = 86400;

/* A dump of articles of the last three years; a twentieth has a week for votes left. */
function dump() {
	const now = Math.floor(Date.now() / 1000);
	const lines = [];

	for (let i = 0; i < MEMBERS; i++)
		lines.push({ kind: 'user', name: `member${i}`, created: now - 1200 * DAY,
			role: 'member', password: '' });
	for (let i = 1; i <= ARTICLES; i++) {
		const posted = Math.floor(now - (ARTICLES - i + 1) *
			(1095 * DAY / ARTICLES));

		lines.push({ kind: 'article', id: i, title: `Title number ${i} of many`,
			url: `https://example.org/some/path/${i}`, text: null,
			author: `member${i % MEMBERS}`, posted, closes: posted + 7 * DAY,
			groups: [], up: 1 + i % 40, down: 0, interesting: null,
			removed: null });
	}
	return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/* Every page in the order of a program that follows links: lists, articles, members. */
function target(i) {
	const lists = Math.ceil(ARTICLES / PER_PAGE);

	if (i % 10 === 0)
		return `/?order=oldest&page=${1 + i / 10 % lists}`;
	if (i % 10 === 1)
		return `/u/member${Math.floor(i / 10) % MEMBERS}`;
	return `/articles/${1 + i % ARTICLES}`;
}

/* A connection that sends a request as soon as the one before is answered. */
class Connection {
	constructor(port, address, next, answered) {
		Object.assign(this, { port, address, next, answered });
		this.open();
	}

	/* nginx closes a connection after a thousand requests. */
	open() {
		this.left = -1;
		this.head = '';
		this.socket = net.connect({ port: this.port, host: '127.0.0.1',
			localAddress: this.address }, () => this.send());
		this.socket.on('data', (data) => this.take(data));
		this.socket.on('error', () => this.answered('broken'));
		this.socket.on('close', () => this.open());
	}

	send() {
		const [path, cookie] = this.next();

		this.sent = performance.now();
		this.socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n` +
			`${cookie ? `Cookie: ${cookie}\r\n` : ''}\r\n`);
	}

	take(data) {
		if (this.left < 0) {
			this.head += data.toString('latin1');
			const end = this.head.indexOf('\r\n\r\n');

			if (end < 0)
				return;
			this.status = this.head.slice(9, 12);
			this.left = Number(/\r\nContent-Length: (\d+)/i.exec(this.head)?.[1] ??
				0) - (this.head.length - end - 4);
		} else {
			this.left -= data.length;
		}
		if (this.left > 0)
			return;
		this.left = -1;
		this.head = '';
		this.answered(this.status, performance.now() - this.sent);
		this.send();
	}
}

/* In threads of their own. */
function scrape({ port, first, addresses }) {
	const statuses = {};
	let i = first;

	os.setPriority(0, NICE);
	for (let a = 0; a < addresses; a++)
		new Connection(port, `127.0.${1 + (a >> 8)}.${a & 255 || 1}`,
			() => [target(i++)],
			(status) => { statuses[status] = (statuses[status] ?? 0) + 1; });
	parentPort.on('message', () => parentPort.postMessage(statuses));
}

function read({ port, cookie }) {
	let times = [];

	new Connection(port, '127.0.0.1', () => ['/', cookie],
		(status, ms) => times.push(status === '200' ? ms : Infinity));
	parentPort.on('message', () => {
		parentPort.postMessage(times.sort((a, b) => a - b));
		times = [];
	});
}

const ask = (thread) => new Promise((resolve) => {
	thread.once('message', resolve);
	thread.postMessage('');
});

/* Seconds of processor time of all processes of a name. */
function processorTime(site, name) {
	return site.running.filter((child) => child.name === name)
		.map(({ pid }) => fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
			.replace(/.*\) /, '').split(' '))
		.reduce((sum, fields) => sum + (+fields[11] + +fields[12]) / 100, 0);
}

async function measure(site, member, title) {
	const names = ['nginx', 'tally', 'redis-server'];
	const before = names.map((name) => processorTime(site, name));

	await ask(member);
	await sleep(SECONDS * 1000);
	const times = await ask(member);
	const at = (share) => times[Math.floor(times.length * share)]?.toFixed(2);

	console.log(`${title}: ${times.length} pages of a member, ` +
		`p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; processor time of ` +
		names.map((name, i) => `${name} ` + ((processorTime(site, name) -
			before[i]) / SECONDS * 100).toFixed(0) + ' %').join(', '));
	return times[Math.floor(times.length * 0.99)];
}

async function main() {
	const file = path.join(temporaryFolder(), 'dump');
	const folder = path.join(temporaryFolder(), 'site');

	fs.writeFileSync(file, dump());
	const loaded = tally(['load', '--dir', folder, file]);

	if (loaded.status !== 0)
		throw new Error(loaded.err);
	const site = await Site.start({ folder,
		settings: { TALLY_WORKERS: os.cpus().length, ...shares() } });
	const client = await site.member('reader');
	const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ');
	const thread = (role, data) => new Worker(new URL(import.meta.url),
		{ workerData: { role, port: site.port, ...data } });
	const member = thread('read', { cookie });

	await measure(site, member, 'warm');
	const alone = await measure(site, member, 'alone');
	const scrapers = thread('scrape', { first: 0, addresses: ADDRESSES });

	await measure(site, member, 'scrapers begin');
	const answers = await ask(scrapers);
	const meanwhile = await measure(site, member, 'scrapers go on');
	const later = await ask(scrapers);

	console.log(`answers to scrapers a second: ${Object.keys(later).map((status) =>
		`${status} ${Math.round((later[status] - (answers[status] ?? 0)) /
			SECONDS)}`).join(', ')}`);
	console.log(`p99 with scrapers: ${(meanwhile / alone).toFixed(1)} times`);
	await Promise.all([member.terminate(), scrapers.terminate()]);
	await site.stop();
}

const shares = () => process.env.SHARE === undefined ? {} :
	{ TALLY_VISITORS_SHARE: process.env.SHARE, TALLY_CACHE: process.env.CACHE ?? 1 };

if (!isMainThread)
	({ scrape, read })[workerData.role](workerData);
else
	main().catch((error) => { console.error(error); process.exitCode = 1; })
		.finally(() => { cleanUp(); process.exit(); });
