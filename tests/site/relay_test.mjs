/*
 * What members are told: soon, and once each, however often the relay is killed, and
 * Redis.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { redis } from './redis.mjs';
import { Site, redisSecret, runTests, setUp, sleep, tearDown, test, until,
	untilHealthy } from './support.mjs';

const BUCKETS = 4;
const IN_TIME = 1000; /* milliseconds */
const WHYS = ['article', 'reply', 'mention'];

let site, socket, articles;
const ids = {};

/* An article of ann's in every bucket, as the key that its comments follow from. */
setUp(async () => {
	site = await Site.start({ settings: { TALLY_BUCKETS: BUCKETS } });
	socket = path.join(site.folder, 'redis.sock');
	const ann = await site.member('ann');

	await site.member('bob');
	await site.member('eve');
	for (const name of ['ann', 'bob', 'eve'])
		ids[name] = +redis(socket, 'GET', `name:${name}`);
	articles = [];
	for (let i = 0; articles.length < BUCKETS; i++) {
		const id = await ann.submit({ title: `Number ${i}`,
			url: `http://a.example/${i}` });

		if (!articles.some((known) => known.id % BUCKETS === id % BUCKETS))
			articles.push({ id, key: redis(socket, 'KEYS', `*}article:${id}`)[0] });
	}
});

tearDown(() => site.stop());

const run = promisify(execFile);

/* Writes a comment of bob's that names eve, as a worker does. Resolves to what the
 * function answers; to nothing when Redis does not. */
let said = 0;
async function say(article, parent) {
	const words = ['FCALL', 'comment_1', 1, article.key, ids.bob, 604800, 2592000,
		1000, 60, `${ids.eve} `, 0, 'text', `Text ${said++}`,
		'author', `${ids.bob} bob`, 'up', 1,
		...(parent === undefined ? [] : ['parent', parent])];

	try {
		const { stdout } = await run('redis-cli', ['-s', socket,
			'--no-auth-warning', '--user', 'tally', '--pass',
			redisSecret(site.folder, 'web'), '--json', ...words.map(String)]);

		return JSON.parse(stdout);
	} catch {
		return undefined;
	}
}

/* Of which comments ann and eve are to be told, and why: of all that there are. */
function expected() {
	const script = `local parents = {}
		for n = 1, redis.call('HGET', KEYS[1], 'commented') or 0 do
			local comment = string.gsub(KEYS[1], 'article', 'comment')
			parents[n] = redis.call('HGET', comment .. ':' .. n, 'parent')
		end
		return parents`;
	const all = { ann: [], bob: [], eve: [] };

	for (const { id, key } of articles)
		for (const [i, parent] of redis(socket, 'EVAL', script, 1, key).entries()) {
			if (parent === null)
				all.ann.push(`${id}:${i + 1} article`);
			all.eve.push(`${id}:${i + 1} mention`);
		}
	return all;
}

/* What is in an inbox, in the same words. */
function inbox(name) {
	const script = `local all = {}
		for _, entry in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
			local article, number, why = struct.unpack('>I6I3B', entry)
			all[#all + 1] = string.format('%d:%d %d', article, number, why)
		end
		return all`;

	return redis(socket, 'EVAL', script, 1, `{u${ids[name]}}inbox`)
		.map((entry) => entry.replace(/\d$/, (why) => WHYS[why]));
}

const left = () => articles.map(({ key }) =>
	redis(socket, 'XLEN', key.replace(/article:.*/, 'outbox')))
	.reduce((sum, length) => sum + length, 0);

const inOrder = (list) => [...list].sort();

/* Each has been told of everything, and has a number of its own for it. */
async function assertTold(seconds) {
	await until('the outboxes are empty', () => assert.equal(left(), 0), seconds);
	for (const [name, list] of Object.entries(expected())) {
		assert.deepEqual(inOrder(inbox(name)), inOrder(list), name);
		assert.equal(+redis(socket, 'HGET', `{u${ids[name]}}user`, 'told'),
			list.length, name);
	}
}

test('a member is told of a comment within a second', async () => {
	const times = [];

	for (let i = 0; i < 40; i++) {
		const key = `{u${ids.eve}}user`;
		const before = +redis(socket, 'HGET', key, 'told');

		await sleep(Math.random() * 300);
		const began = performance.now();

		assert.equal((await say(articles[i % BUCKETS]))[0], 'ok');
		await until('she is told', () =>
			+redis(socket, 'HGET', key, 'told') > before);
		times.push(performance.now() - began);
	}
	times.sort((a, b) => a - b);
	console.log(`# from a comment to the inbox: ${times[20].toFixed()} ms, ` +
		`${times.at(-1).toFixed()} at most`);
	assert.ok(times.at(-1) < IN_TIME, `${times}`);
	await assertTold();
});

/* Kills a process of the site now and then, so many times. */
async function killOften(name, times, pause) {
	for (let kills = 0; kills < times;) {
		await sleep(pause * (0.5 + Math.random()));
		for (const { pid } of site.children(name)) {
			process.kill(pid, 'SIGKILL');
			kills++;
		}
	}
}

/* Writes a comment, some of them answers to others; while Redis does not answer it
 * waits. */
async function sayOne(article = articles[said % BUCKETS]) {
	while ((await say(article, said % 3 === 0 ? 1 : undefined))?.[0] !== 'ok')
		await sleep(20);
}

async function sayMany(count) {
	for (let i = 0; i < count; i++)
		await sayOne();
}

/* One after the other until something has ended. */
async function sayUntil(ending) {
	let ended = false;

	ending.finally(() => { ended = true; });
	while (!ended)
		await sayOne();
	await ending;
}

test('a relay that is killed again and again tells everybody once', async () => {
	await sayUntil(killOften('tally-relay', 12, 150));
	await assertTold();
});

test('and so it does when Redis is killed as well', async () => {
	await sayUntil(Promise.all([killOften('tally-relay', 8, 300),
		killOften('redis-server', 6, 700)]));
	await untilHealthy(site.client());
	await assertTold(20);
});

test('one that is stuck is replaced, and what waits is told', async () => {
	const [{ pid }] = site.children('tally-relay');

	process.kill(pid, 'SIGSTOP');
	await sayMany(20);
	assert.equal(left(), 20);
	await assertTold(20);
	assert.notEqual(site.children('tally-relay')[0].pid, pid);
	assert.match(site.err, /the relay has been stuck for 10 s and is killed/);
});

test('a reload brings another relay, which goes on', async () => {
	const [{ pid }] = site.children('tally-relay');

	site.process.kill('SIGHUP');
	await sayMany(50);
	await until('the old one has ended', () => {
		const relays = site.children('tally-relay');

		return relays.length === 1 && relays[0].pid !== pid;
	});
	await sayMany(1);
	await assertTold();
});

test('nothing else has come of it', () => {
	console.log(`# ${expected().eve.length} comments`);
	const { status, out, err } = site.command('check');

	assert.equal(status, 0, out + err);
	assert.doesNotMatch(site.err, /does not say whom/);
});

await runTests();
