/*
 * Notices are delivered soon, and exactly once, however often the relay and Redis are
 * killed.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { Notices } from './notices.mjs';
import { Site, killOften, redisSecret, runTests, setUp, sleep, tearDown, test, until,
	untilHealthy } from './support.mjs';

const BUCKETS = 4;

const run = promisify(execFile);
let site, notices;

async function ask(...words) {
	const { stdout } = await run('redis-cli', [
		'-s', path.join(site.folder, 'redis.sock'), '--no-auth-warning',
		'--user', 'admin', '--pass', redisSecret(site.folder, 'admin'),
		'--json', ...words.map(String)]);

	return JSON.parse(stdout);
}

setUp(async () => {
	site = await Site.start({ settings: { TALLY_BUCKETS: BUCKETS } });
	notices = new Notices(ask);
	await notices.begin(site, BUCKETS);
});

tearDown(() => site.stop());

test('each comment is delivered as a notice', async () => {
	const times = [];

	for (let i = 0; i < 15; i++) {
		const before = await notices.told('eve');

		await sleep(Math.random() * 300);
		await notices.say();
		const began = performance.now();

		await until('she is told', async () =>
			await notices.told('eve') > before);
		times.push(performance.now() - began);
	}
	times.sort((a, b) => a - b);
	console.log(`# from a comment to the inbox: ${times[7].toFixed()} ms, ` +
		`${times.at(-1).toFixed()} at most`);
	await notices.assertTold();
});

test('a relay that is killed repeatedly delivers each notice once', async () => {
	await notices.sayUntil(killOften(site, 'tally-relay', 12, 150));
	await notices.assertTold();
});

test('a relay delivers each notice once when Redis is killed as well', async () => {
	await notices.sayUntil(Promise.all([killOften(site, 'tally-relay', 8, 300),
		killOften(site, 'redis-server', 6, 700)]));
	await untilHealthy(site.client());
	await notices.assertTold(20);
});

test('a stuck relay is replaced, and the next one delivers the rest', async () => {
	const [{ pid }] = site.children('tally-relay');

	process.kill(pid, 'SIGSTOP');
	await notices.sayMany(20);
	/* On a busy machine another one may be there by now. */
	if (await notices.left() < 20)
		assert.notEqual(site.children('tally-relay')[0]?.pid, pid);
	await notices.assertTold(20);
	assert.notEqual(site.children('tally-relay')[0].pid, pid);
	assert.match(site.err, /the relay did not respond for 10 s: killed/);
});

test('a reload replaces the relay, and the next one goes on', async () => {
	const [{ pid }] = site.children('tally-relay');

	site.process.kill('SIGHUP');
	await notices.sayMany(50);
	await until('the old one has ended', () => {
		const relays = site.children('tally-relay');

		return relays.length === 1 && relays[0].pid !== pid;
	});
	await notices.say();
	console.log(`# ${await notices.assertTold()} comments`);
});

test('everything adds up in the end', () => {
	const { status, out, err } = site.command('check');

	assert.equal(status, 0, out + err);
	assert.doesNotMatch(site.err, /is malformed/);
});

await runTests();
