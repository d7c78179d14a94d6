/*
 * The data of a site on a cluster are moved on from the layout before, while members vote and
 * comment, and movers, workers and masters are killed at random: nothing is lost.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';

import { Random } from './chaos_random.mjs';
import { assertMovedRecords, records, unpack } from './moving.mjs';
import { Nodes } from './nodes.mjs';
import { Site, freePort, runTests, setUp, tally, tearDown, temporaryFolder, test,
	until, untilHealthy } from './support.mjs';

/* Seconds until a machine counts as stuck. */
const STUCK = 120;

/* At most: a mover that is killed begins with the first comment of an article again. */
const KILLS = 24, COMMENTS = 300;

const seed = Date.now() % 1000000;
const random = new Random(seed);
let nodes, site, before;

/* Puts the keys of a site's folder on the nodes, where no program has opened them yet. */
async function copyToNodes(folder) {
	const port = await freePort();
	const [node] = nodes.masters;
	const source = spawn('redis-server', ['--port', port, '--dir', folder,
		'--bind', '127.0.0.1', '--save', '', '--appendonly', 'yes',
		'--dbfilename', 'unused.rdb'].map(String), { stdio: 'ignore' });
	const ask = (...words) => spawnSync('redis-cli', ['-p', port, ...words].map(String),
		{ encoding: 'utf8' }).stdout;

	await until('the source answers', () => assert.equal(ask('PING'), 'PONG\n'));
	const { status, stdout } = spawnSync('redis-cli', ['--cluster', 'import',
		`127.0.0.1:${node.port}`, '--cluster-from', `127.0.0.1:${port}`,
		'--cluster-copy'], { encoding: 'utf8', timeout: STUCK * 1000 });

	source.kill('SIGKILL');
	assert.equal(status, 0, stdout);
}

setUp(async () => {
	const { folder, lines } = unpack('layout_4_buckets');

	console.log(`# seed ${seed}`);
	before = records(lines);
	nodes = await Nodes.cluster(temporaryFolder(), 3, 1);
	await copyToNodes(folder);
	site = new Site(path.join(temporaryFolder(), 'site'), { TALLY_CACHE: 0,
		TALLY_REDIS: nodes.address, TALLY_MOVE_SHARE: 1 });
	site.port = await freePort();
	await site.start();
});

tearDown(async () => {
	await site?.stop();
	await nodes?.stop();
});

/* Stored; a mover that is killed then does not log it. */
let isMoved = false;

function lookIfMoved() {
	const answer = nodes.masters[0]?.ask('-c', 'HEXISTS', 'site', 'from').trim();

	isMoved = answer === '0';
	return isMoved;
}

/* While masters are away some answers are 503, and on a busy machine a connection is closed
 * without one: the change may have been made or not. */
async function isDone(client, target, fields) {
	const { status } = await client.post(target, fields).catch((error) => {
		assert.equal(error.code, 'ECONNRESET', error.stack);
		return { status: 503 };
	});

	assert.ok([303, 503].includes(status), `${target}: ${status}`);
	return status === 303;
}

/* Votes until the data are moved, and takes the last one back. */
async function votes(client, post) {
	const sets = (vote) => isDone(client, `${post}/vote`, { vote });
	let done = 0;

	for (let i = 0; !isMoved; i++)
		done += await sets(['up', 'down', 'none'][i % 3]);
	await until('the last vote is taken back', () => sets('none'));
	return done;
}

/* Comments while the data are moved; resolves to the texts of which it knows. */
async function comments(client, article) {
	const texts = [];

	for (let i = 1; i <= COMMENTS && !isMoved; i++)
		if (await isDone(client, `${article}/comments`, { text: `Busy ${i}` }))
			texts.push(`Busy ${i}`);
	return texts;
}

const killed = { mover: 0, worker: 0, master: 0 };

const kills = {
	mover() {
		for (const { pid } of site.children('tally-loader'))
			process.kill(pid, 'SIGKILL');
	},
	worker() {
		process.kill(random.pick(site.workers), 'SIGKILL');
	},
	async master() {
		const master = random.pick(nodes.masters);

		await master.kill();
		await until('a replica is the master', () => nodes.masters.length === 3, STUCK);
		master.start();
		await nodes.untilWhole();
	}
};

/* The first round has each kind once. */
async function killAtRandom() {
	const kinds = Object.keys(kills);

	for (let i = 0; i < KILLS && !lookIfMoved(); i++) {
		const kind = i < kinds.length ? kinds[i] : random.pick(kinds);

		await kills[kind]();
		killed[kind]++;
		await untilHealthy(site.client(), STUCK);
	}
}

const command = (name) => tally([name],
	{ settings: { TALLY_REDIS: nodes.address } });

/* All comments have the form of layout 5, on whichever node. */
function assertNoneLeft(count) {
	const closes = nodes.masters.flatMap((node) =>
		(node.ask('--scan', '--pattern', '*comment:*').match(/.+/g) ?? []).map(
			(key) => node.ask('HEXISTS', key, 'closes')));

	assert.deepEqual(closes, Array(count).fill('1\n'));
}

/* What the test has added. */
const isBusy = ({ kind, text }) => kind === 'comment' && text.startsWith('Busy ');

test('all data are moved, and nothing is lost', async () => {
	const bob = site.client(), ann = site.client();

	await bob.logIn('bob', 'correct horse');
	await ann.logIn('ann', 'correct horse');
	const work = [votes(bob, '/articles/2'), votes(bob, '/articles/8/comments/30'),
		comments(ann, '/articles/1')];

	await killAtRandom();
	await until('all data are moved', lookIfMoved, 2 * STUCK);
	const [some, others, texts] = await Promise.all(work);
	const { status, out, err } = command('dump');

	console.log(`# ${some + others} votes, ${texts.length} comments; killed ` +
		JSON.stringify(killed));
	assert.equal(status, 0, err);
	const after = records(out);

	for (const text of texts)
		assert.equal(after.filter((record) => record.text === text).length, 1, text);
	assertMovedRecords(after.filter((record) => !isBusy(record)), before);
	assertNoneLeft(after.filter(({ kind }) => kind === 'comment').length);
	assert.match(command('check').out, /\n0 breaks\n$/);
	assert.ok(killed.mover > 0 && killed.worker > 0 && killed.master > 0);
});

await runTests();
