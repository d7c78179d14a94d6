/*
 * The next release, made up by tests/next/build, takes over a site on a cluster from this one,
 * machine by machine: workers of both run side by side until the data are moved to its layout.
 * "Old" is this release, "young" the next.
 */
import assert from 'node:assert/strict';
import path from 'node:path';

import { Nodes } from './nodes.mjs';
import { Site, TALLY, freePort, processesIn, runTests, setUp, tally, tearDown,
	temporaryFolder, test, until, untilHealthy } from './support.mjs';

const NEXT = path.resolve(path.dirname(TALLY), 'next', 'tally');
const BUCKETS = 4;
const COMPLETE = /all data are moved on to layout/;
const REPLACED = /a newer Tally has moved the data on to a layout/;

/* More than the lease of a layout lasts (store/lease.h), on a busy machine. */
const STUCK = 180;

const sites = [], said = [];
let nodes, article, author, voter, before;

async function start(program) {
	const site = new Site(path.join(temporaryFolder(), 'site'), { TALLY_CACHE: 0,
		TALLY_BUCKETS: BUCKETS, TALLY_MOVE_SHARE: 1, TALLY_REDIS: nodes.address });

	site.program = program;
	site.port = await freePort();
	sites.push(site);
	await site.start();
	return site;
}

/* The same member on another machine: sessions are the site's. */
function at(site, client) {
	const other = site.client();

	Object.assign(other, { cookies: client.cookies, token: client.token });
	return other;
}

const inSite = (command) => {
	const [node] = nodes.masters;

	return node.ask('-c', ...command).trim();
};
const siteHas = (field) => inSite(['HEXISTS', 'site', field]) === '1';

/* How many comments the list says that the article has. */
async function shownComments(site) {
	const { status, body } = await site.client().get('/?order=new');

	assert.equal(status, 200);
	const row = body.split('<li class="article"').find((text) =>
		text.includes(`data-id="${article}"`));

	return +(row.match(/(\d+) comments?/)?.[1] ?? 0);
}

/* Comments and votes through one machine, of which the other shows the result. */
async function useOn(site, others, times = 3) {
	for (let i = 0; i < times; i++) {
		const text = `Comment ${said.length + 1}`;

		await at(site, author).say(article, text);
		said.push(text);
		for (const other of [site, ...others])
			await until('the comment is counted', async () =>
				assert.equal(await shownComments(other), said.length));
		for (const vote of ['up', 'none'])
			assert.equal((await at(site, voter).post(
				`/articles/${article}/vote`, { vote })).status, 303);
	}
}

/* The front page of a full hour may come meanwhile. */
const records = (lines) => lines.trim().split('\n').map((line) => JSON.parse(line))
	.filter(({ kind }) => kind !== 'front');
const withNext = (name) => tally([name],
	{ program: NEXT, settings: { TALLY_REDIS: nodes.address } });
const isSaid = ({ kind, article: on }) => kind === 'comment' && on === article;

function assertNothingLost(run) {
	const { status, out, err } = run('dump');

	assert.equal(status, 0, err);
	assert.deepEqual(records(out).filter(isSaid).map(({ text }) => text), said);
	assert.deepEqual(records(out).filter((record) => !isSaid(record)), before);
	assert.match(run('check').out, /\n0 breaks\n$/);
}

const withOld = (name) => tally([name], { settings: { TALLY_REDIS: nodes.address } });

let old, stopped, young;

setUp(async () => {
	nodes = await Nodes.cluster(temporaryFolder(), 3, 1);
	old = await start(TALLY);
	author = await old.member('author');
	voter = await old.member('voter');
	for (let i = 0; i < 100; i++)
		article = await author.submit({ title: `Number ${i}`,
			url: `https://example.org/${i}` });
	before = records(withOld('dump').out);
	stopped = await start(TALLY);
	await useOn(old, [stopped]);
});

tearDown(async () => {
	for (const site of sites)
		if (site.process.exitCode === null)
			await site.stop();
	await nodes?.stop();
});

const killMover = () => {
	for (const { pid } of young.children('tally-loader'))
		process.kill(pid, 'SIGKILL');
};

test('both releases serve the site, and the move waits', async () => {
	young = await start(NEXT);
	await until('the move has begun', () => assert.match(young.err,
		/the data are moved on once no worker of the former Tally runs/));
	await useOn(young, [old, stopped]);
	await useOn(old, [young, stopped]);
	await useOn(stopped, [old, young]);
	killMover();
	await useOn(young, [old, stopped]);
	await useOn(old, [young, stopped]);
	assertNothingLost(withNext);
	/* The former workers renew their lease. */
	for (let i = 0; i < 2; i++) {
		const left = +inSite(['PTTL', '{site}lease:5']);

		await until('the lease is renewed', () =>
			assert.ok(+inSite(['PTTL', '{site}lease:5']) > left));
	}
	assert.ok(!siteHas('alone'));
	for (const site of [old, stopped])
		assert.equal((await site.client().get(`/articles/${article}`)).status, 200);
});

test('the former release cannot be started any more', async () => {
	await assert.rejects(start(TALLY), /a newer Tally has moved it on/);
	old.process.kill('SIGHUP');
	await until('the reload has failed', () => old.err.includes('reload failed'));
	assert.match(withOld('check').err, /a newer Tally has moved it on/);
	await useOn(old, [young]);
});

/* All processes of a machine of the former release, which do not notice that time passes. */
function signal(site, name) {
	for (const { pid } of processesIn(site.folder))
		process.kill(pid, name);
}

test('once its last worker has stopped, the data are moved, whatever is killed', async () => {
	signal(stopped, 'SIGSTOP');
	await old.stop();
	await until('the mover is alone', () => assert.ok(siteHas('alone') ||
		COMPLETE.test(young.err)), STUCK);
	for (let kills = 0; !COMPLETE.test(young.err); kills++) {
		if (kills < 5)
			killMover();
		await until('there is a mover', () => COMPLETE.test(young.err) ||
			young.children('tally-loader').length > 0);
		await useOn(young, [], 1);
	}
	await useOn(young, []);
	assertNothingLost(withNext);
	for (const field of ['from', 'alone', 'moved:0', 'moved:members'])
		assert.ok(!siteHas(field), field);
	assert.equal(inSite(['HGET', 'site', 'version']), '6');
	for (const node of nodes.masters)
		for (const key of node.ask('--scan', '--pattern', '*article:*').match(/.+/g) ?? [])
			assert.equal(node.ask('HEXISTS', key, 'comments'), '0\n', key);
});

test('a worker that slept meanwhile shows no page of the new layout', async () => {
	signal(stopped, 'SIGCONT');
	for (let i = 0; i < 20; i++)
		assert.equal((await at(stopped, author).get('/?order=new')).status, 503);
	assert.equal((await stopped.client().get('/readyz')).status, 503);
	await until('it says why', () => assert.match(stopped.err, REPLACED));
	await untilHealthy(young.client());
	await useOn(young, [], 1);
	assertNothingLost(withNext);
});

await runTests();
