/*
 * Latencies: the longest time that one command occupies Redis, with each page and action
 * one after another on an idle machine; the cost of a page after a vote; and the wait for
 * pages during log-ins. Under load Redis's log would include times in which
 * another process had the CPU.
 */
import { Client, csrfOf, sleep } from '../site/support.mjs';
import { median, redisWork } from './measure.mjs';
import { redis, slowCommands, watchSlow } from '../site/redis.mjs';
import { voteCommand } from './comments.mjs';

const TIMES = 9;

const PATHS = ['/', '/?page=3', '/?page=1000', '/?order=bottom', '/?order=new',
	'/?order=oldest', '/interesting', '/g/everything', '/g/everything?page=1000',
	'/g/thousand', '/g/left+right', '/g/left+right?page=400',
	'/g/left+right?match=all', '/g/everything+left?match=all',
	'/g/everything+left+thousand?order=bottom',
	'/g/left+topic-001?match=all&page=2', '/groups', '/u/reader101',
	'/u/reader101?order=new', '/about'];

/* The slowest command of a request, as the median of several runs. */
async function slowest(socket, request) {
	const found = [];

	for (let i = 0; i < TIMES; i++) {
		redis(socket, 'SLOWLOG', 'RESET');
		await request(i);
		found.push(slowCommands(socket)[0] ?? { ms: 0, words: [] });
	}
	const ms = median(found.map((one) => one.ms));

	return { ms, words: found.find((one) => one.ms === ms).words };
}

/* { ms, words, path } of the slowest of all. */
export async function longestCommand({ port, socket, members, count }) {
	const client = new Client(port);
	const [member] = members;
	const article = `/articles/${count}`;
	const headers = { Cookie: member.cookie };
	const requests = [...PATHS, article].map((path) =>
		[path, () => client.get(path, { headers })]);

	client.token = member.token;
	requests.push(['a vote', (i) => client.post(`${article}/vote`,
		{ vote: ['up', 'down', 'none'][i % 3] }, { headers })]);
	requests.push(['a post', (i) => client.post('/submit', { title: 'A title',
		url: `https://example.org/latency/${process.pid}-${Date.now()}-${i}`,
		groups: 'everything left' }, { headers })]);
	requests.push(['a comment', (i) => client.post(`${article}/comments`,
		{ text: `A comment at ${Date.now()}-${i}` }, { headers })]);

	let longest = { ms: 0 };

	watchSlow(socket, 0);
	for (const [path, request] of requests) {
		const checked = async (i) => {
			const { status } = await request(i);

			/* A list may have fewer pages. */
			if (![200, 303, 404].includes(status))
				throw new Error(`${path} answered ${status}`);
		};
		const one = await slowest(socket, checked);

		if (one.ms > longest.ms)
			longest = { ...one, path };
	}
	return longest;
}

/* Reply bytes of Redis during an action, without those of measuring them. */
async function replyBytesOf(target, run) {
	const first = redisWork(target)[2], second = redisWork(target)[2];

	await run();
	return redisWork(target)[2] - second - (second - first);
}

/* { bytes, ms } of an article's page for the first reader after a vote on a comment of it:
 * the derived data of the thread is read and computed again. */
export async function costAfterVote(target, article) {
	const client = new Client(target.port);
	const headers = { Cookie: target.members[0].cookie };
	const bytes = [], times = [];

	for (let i = 0; i < TIMES; i++) {
		redis(target.socket, ...voteCommand(article, 1 + i, i));
		bytes.push(await replyBytesOf(target, async () => {
			const start = performance.now();

			await client.get(`/articles/${article}`, { headers });
			times.push(performance.now() - start);
		}));
	}
	return { bytes: median(bytes), ms: median(times) };
}

const LOGINS = 30, LOGIN_MS = 2000;

/* Repeats LOGINS simultaneous log-ins with a wrong password until isOver(). */
async function logInUntil(port, isOver) {
	await Promise.all(Array.from({ length: LOGINS }, async () => {
		const client = new Client(port);

		client.token = csrfOf((await client.get('/login')).body);
		while (!isOver()) {
			const { status } = await client.post('/login', {
				username: 'nobody', password: 'not the password' });

			if (status === 503)
				await sleep(200);
		}
	}));
}

/* The p99 of a member's page in milliseconds: on an idle site, and during LOGINS
 * simultaneous log-ins. */
export async function latencyDuringLogins({ port, members }) {
	const client = new Client(port);
	const headers = { Cookie: members[0].cookie };
	const p99 = async () => {
		const times = [], end = performance.now() + LOGIN_MS;

		while (performance.now() < end) {
			const start = performance.now();

			await client.get('/', { headers });
			times.push(performance.now() - start);
		}
		return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)];
	};
	const idle = await p99();
	let over = false;
	const logins = logInUntil(port, () => over);
	const loaded = await p99();

	over = true;
	await logins;
	return { idle, loaded };
}
