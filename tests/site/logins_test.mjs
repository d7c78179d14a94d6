/*
 * Passwords are hashed in background threads, so log-ins do not delay readers. The tests
 * count CPU time and order, which a busy machine does not change; readers' waiting times
 * are measured by `make bench`.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

import { Site, csrfOf, runTests, setUp, tearDown, test } from './support.mjs';

/* As many as may wait in one worker (BACKGROUND_MAX), and more than in all of them. */
const AT_ONCE = 20, MANY = 100;
const TICKS = +spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout;
let site, reader;
const strangers = [];

setUp(async () => {
	site = await Site.start();
	reader = await site.member('reader');
	await reader.post('/submit', { title: 'One', url: 'https://example.org/1' });
	for (let i = 0; i < MANY; i++) {
		const stranger = site.client();

		stranger.token = csrfOf((await stranger.get('/login')).body);
		strangers.push(stranger);
	}
});

tearDown(() => site.stop());

const logIn = (count) => strangers.slice(0, count).map((stranger) =>
	stranger.post('/login', { username: 'reader',
		password: 'not the password' }));

/* CPU seconds of all workers' loops and of their background threads: each process's
 * first thread, and its others. */
function processorTime() {
	const sum = { loops: 0, beside: 0 };

	for (const pid of site.workers)
		for (const thread of fs.readdirSync(`/proc/${pid}/task`)) {
			const stat = fs.readFileSync(
				`/proc/${pid}/task/${thread}/stat`, 'utf8');
			const [user, system] = stat.slice(stat.lastIndexOf(')') + 2)
				.split(' ').slice(11);

			sum[+thread === pid ? 'loops' : 'beside'] +=
				(+user + +system) / TICKS;
		}
	return sum;
}

test('hashing passwords blocks no loop', async () => {
	const before = processorTime();

	for (let turn = 0; turn < 5; turn++)
		assert.deepEqual((await Promise.all(logIn(AT_ONCE))).map(
			({ status }) => status), Array(AT_ONCE).fill(422));
	const after = processorTime();
	const loops = after.loops - before.loops;
	const beside = after.beside - before.beside;

	console.log(`# ${5 * AT_ONCE} log-ins: ${loops.toFixed(2)} s in the loops, ` +
		`${beside.toFixed(2)} s beside them`);
	assert.ok(beside > 0.5, 'it was hashed beside them');
	assert.ok(loops < beside / 4, `${loops} s in the loops`);
});

test('readers are answered before log-ins', async () => {
	let pending = AT_ONCE;
	const logins = logIn(AT_ONCE).map((answer) =>
		answer.finally(() => { pending--; }));

	/* Once the first is hashed, all others wait or are hashed as well. */
	await Promise.race(logins);
	for (let i = 0; i < 5; i++)
		assert.equal((await reader.get('/')).status, 200);
	assert.ok(pending > 0, 'and all of them had been answered');
	for (const { status } of await Promise.all(logins))
		assert.equal(status, 422);
});

test('too many at once are refused, with a time to retry', async () => {
	const order = [];
	const answers = await Promise.all(logIn(MANY).map(async (login) => {
		const answer = await login;

		order.push(answer.status);
		return answer;
	}));
	const refused = answers.filter(({ status }) => status === 503);

	assert.deepEqual(answers.filter(({ status }) =>
		status !== 422 && status !== 503), []);
	assert.ok(refused.length > 0, 'none was refused');
	for (const { headers, body } of refused) {
		assert.ok(+headers['retry-after'] > 0);
		assert.match(body, /The site is busy/);
	}
	/* At once, before those that are being hashed. */
	assert.equal(order.at(-1), 422);
	assert.equal((await reader.get('/')).status, 200);
});

await runTests();
