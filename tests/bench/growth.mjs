/*
 * What each page costs when there is much of everything, for tests/README.md:
 *
 *	node tests/bench/growth.mjs COUNT...
 *
 * For each count a site of so many articles in large groups, with a thread of 10,000
 * comments and a full inbox. A vote precedes each request, so that lists have changed.
 *
 *	commands, KB   of Redis for a request, its replies
 *	worker, Redis  milliseconds of processor time, of all of their processes
 *	longest        milliseconds until an answer
 */
import fs from 'node:fs';

import { Client } from '../site/support.mjs';
import { redis } from '../site/redis.mjs';
import { fillThreads } from './comments.mjs';
import { redisWork } from './measure.mjs';
import { closeAll, startFilledSite } from './sites.mjs';

const REQUESTS = 20;

/* The processor time of processes, in milliseconds. */
const timeOf = (pids) => pids.reduce((sum, pid) => sum +
	Number(fs.readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6, 0);

const pagesOf = ({ threads, firstOpen, day }) => [
	'/', '/?page=2', '/?page=400', '/new', '/new?page=400', '/?order=hot', '/?order=best',
	'/?order=active', '/best/year', '/best/all', `/day/${day}`, '/interesting',
	'/g/everything', '/g/everything?page=400', '/g/everything+left',
	'/g/everything+left?match=all', '/groups', '/u/reader001', '/from/example.com',
	'/comments', '/u/reader001/comments', `/articles/${firstOpen}`,
	`/articles/${threads.some}`, `/articles/${threads.many}`,
	`/articles/${threads.many}?page=40`, `/articles/${threads.many}/comments/1`,
	'/inbox', '/inbox?page=20', '/saved', '/u/reader000/votes', '/members', '/log', '/home',
	'/settings', '/submit', '/search?q=what', '/search?q=what+is&order=newest',
	'/new.atom', '/comments.atom', '/sitemap.xml', '/sitemap.xml?page=1', '/moderation',
	'/moderation/rings'];

async function measurePage(site, page) {
	const { client, reader, voter, cast } = site;
	const sums = { commands: 0, bytes: 0, worker: 0, redis: 0 };
	let longest = 0;

	for (let i = 0; i < REQUESTS; i++) {
		await cast(voter);
		const work = redisWork(site);
		const idle = redisWork(site); /* asking costs, too */
		const times = [timeOf(site.pids.workers), timeOf(site.pids.redis)];
		const since = performance.now();

		const { status } = await client.get(page,
			{ headers: { Cookie: reader.cookie, 'Accept-Encoding': 'gzip' } });

		if (status !== 200)
			throw new Error(`${page}: ${status}`);
		longest = Math.max(longest, performance.now() - since);
		sums.worker += timeOf(site.pids.workers) - times[0];
		sums.redis += timeOf(site.pids.redis) - times[1];
		const after = redisWork(site);

		sums.commands += after[1] - idle[1] - (idle[1] - work[1]);
		sums.bytes += after[2] - idle[2] - (idle[2] - work[2]);
	}
	const mean = (sum, digits) => (sum / REQUESTS).toFixed(digits);

	console.log(page.padEnd(34) +
		[mean(sums.commands, 0), mean(sums.bytes / 1024, 1), mean(sums.worker, 2),
			mean(sums.redis, 2), longest.toFixed(1)].map((text) => text.padStart(9)).join(''));
}

async function measureSite(count) {
	const target = await startFilledSite(`growth${count}`, 'crowded', count);
	const threads = await fillThreads(target.socket, target.firstOpen);
	const client = new Client(target.port), voter = new Client(target.port);
	const [reader] = target.members, last = target.members.at(-1);
	let votes = 0;
	const cast = async () => {
		const open = count - threads.singles - threads.singleCount;
		const article = count - votes % open;

		voter.token = last.token;
		await voter.post(`/articles/${article}/vote`, { vote:
			Math.floor(votes++ / open) % 2 === 0 ? 'down' : 'up' },
		{ headers: { Cookie: last.cookie } });
	};

	const id = reader.cookie.match(/=(\d+)/)[1];
	const day = new Date(Date.now() - 50 * 86400e3).toISOString().slice(0, 10);

	redis(target.socket, 'HSET', `{u${id}}user`, 'role', 'moderator');

	console.log(`\n${count} articles`.padEnd(36) +
		['commands', 'KB', 'worker', 'Redis', 'longest']
			.map((text) => text.padStart(9)).join(''));
	for (const page of pagesOf({ threads, firstOpen: target.firstOpen, day }))
		await measurePage(Object.assign(target, { client, reader, voter, cast }), page);
	await closeAll([target.site]);
}

for (const count of process.argv.slice(2).map(Number))
	await measureSite(count);
