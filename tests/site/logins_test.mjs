/*
 * Passwords are hashed beside the workers' loops: whoever logs in keeps nobody
 * waiting who reads.
 * Runs alone: it compares times.
 */
import assert from 'node:assert/strict';

import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

import { Client, Site, csrfOf, runTests, setUp, sleep, tearDown, test }
	from './support.mjs';

const AT_ONCE = 30, MANY = 150;
let site, reader;
const strangers = [];

setUp(async () => {
	site = await Site.start({ TALLY_LIMIT_LOGIN: 1000000 });
	reader = await site.member('reader');
	await reader.post('/submit', { title: 'One', url: 'https://example.org/1' });
	for (let i = 0; i < MANY; i++) {
		const stranger = site.client();

		stranger.token = csrfOf((await stranger.get('/login')).body);
		strangers.push(stranger);
	}
});

tearDown(() => site.stop());

/* Milliseconds that each page of a member took, until a promise is settled. */
async function readUntil(promise) {
	const times = [];
	let over = false;

	promise.finally(() => { over = true; });
	while (!over) {
		const started = performance.now();
		const answer = await reader.get('/');

		assert.equal(answer.status, 200);
		times.push(performance.now() - started);
	}
	return times;
}

const isGood = (quiet, busy) => busy < quiet * 3;

const p99 = (times) =>
	times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)];

/* So many are logging in at any moment of a while; the statuses they got. Whoever is
 * refused comes back a little later. It is a thread of its own, which does not hold up
 * who reads and looks at the clock. */
async function logInFromThread({ port, count, milliseconds }) {
	const clients = await Promise.all(Array.from({ length: count }, async () => {
		const client = new Client(port);

		client.token = csrfOf((await client.get('/login')).body);
		return client;
	}));
	const until = Date.now() + milliseconds, statuses = {};

	await Promise.all(clients.map(async (client) => {
		while (Date.now() < until) {
			const { status } = await client.post('/login', {
				username: 'reader', password: 'not the password' });

			statuses[status] = (statuses[status] ?? 0) + 1;
			if (status === 503)
				await sleep(200);
		}
	}));
	return statuses;
}

const logIn = (count, milliseconds) => new Promise((resolve, reject) => {
	const thread = new Worker(new URL(import.meta.url), {
		workerData: { port: site.port, count, milliseconds } });

	thread.on('message', resolve);
	thread.on('error', reject);
});

test(`with ${AT_ONCE} log-ins at once a member's page is not held up`,
	async () => {
		let quiet, busy, statuses;

		/* The machine may be shared: one is measured soon after the other, in
		 * turns, and all of it again if need be. */
		for (let attempt = 0; attempt < 5; attempt++) {
			const times = { quiet: [], busy: [] };

			for (let turn = 0; turn < 4; turn++) {
				const logins = logIn(AT_ONCE, 800);

				times.busy.push(...await readUntil(logins));
				statuses = await logins;
				times.quiet.push(...await readUntil(sleep(800)));
			}
			quiet = p99(times.quiet);
			busy = p99(times.busy);
			if (isGood(quiet, busy))
				break;
		}
		console.log(`# p99 ${quiet.toFixed(1)} ms, with log-ins ${busy
			.toFixed(1)} ms; they got ${JSON.stringify(statuses)}`);
		assert.ok(isGood(quiet, busy), `${busy} ms after ${quiet} ms`);
		assert.ok(statuses[422] > 0);
	});

test('what is too much at once is refused at once, and says when to come back',
	async () => {
		const started = performance.now();
		const answers = await Promise.all(strangers.map((stranger) =>
			stranger.post('/login', { username: 'reader',
				password: 'not the password' })));
		const refused = answers.filter(({ status }) => status === 503);

		assert.deepEqual(answers.filter(({ status }) =>
			status !== 422 && status !== 503), []);
		assert.ok(refused.length > 0, 'none was refused');
		for (const { headers, body } of refused) {
			assert.ok(+headers['retry-after'] > 0);
			assert.match(body, /The site is busy/);
		}
		/* 24 in each of the workers, at 20 ms or a few times that. */
		assert.ok(performance.now() - started < 10000);
		assert.equal((await reader.get('/')).status, 200);
	});

if (isMainThread)
	await runTests();
else
	parentPort.postMessage(await logInFromThread(workerData));
