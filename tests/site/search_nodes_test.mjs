/*
 * The index for search on a cluster: two sites on it, each with an index of its own, follow all
 * masters, also while slots move and one of them fails.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { Nodes } from './nodes.mjs';
import { Site, freePort, runTests, setUp, tally, tearDown, temporaryFolder, test, until }
	from './support.mjs';

const run = promisify(execFile);
let nodes, sites, ann;

async function find(site, query) {
	const { stdout } = await run('redis-cli', ['-2', '-e', '--json', '-s',
		path.join(site.folder, 'search.sock'), 'SEARCH', query, 'newest', '0', '50',
		'1000']);

	return JSON.parse(stdout)[2];
}

async function startSite() {
	const site = new Site(path.join(temporaryFolder(), 'site'),
		{ TALLY_REDIS: nodes.address, TALLY_BUCKETS: 4 });

	site.port = await freePort();
	await site.start();
	return site;
}

setUp(async () => {
	nodes = await Nodes.cluster(temporaryFolder(), 3, 1);
	sites = [await startSite(), await startSite()];
	ann = await sites[0].member('ann');
});

tearDown(async () => {
	for (const site of sites ?? [])
		await site.stop();
	await nodes?.stop();
});

/* In all buckets; ids as search has them, the newest first. */
async function post(word, count) {
	const ids = [];

	for (let i = 0; i < count; i++)
		ids.push(String(await ann.submit({ title: `${word} ${i}`, text: 'Words' })));
	return ids.sort();
}

async function untilFound(word, ids) {
	for (const site of sites)
		await until(`${word} is found`, async () =>
			assert.deepEqual((await find(site, word)).sort(), ids));
}

test('each machine finds what is posted on one of them', async () => {
	await untilFound('heron', await post('heron', 12));
});

test('what is posted before and after a failover is found', async () => {
	const before = await post('egret', 8);
	const [master] = nodes.masters;

	await master.kill();
	await until('another one has taken over', () => nodes.masters
		.filter((node) => node !== master && node.isRunning).length === 3);
	master.start();
	await nodes.untilWhole();
	await until('all is well', async () =>
		assert.equal((await ann.get('/healthz')).status, 200));
	await untilFound('egret', before);
	await untilFound('bittern', await post('bittern', 8));
});

test('the check finds the index as the data are', () => {
	const { status, out, err } = tally(['check'], { settings: {
		TALLY_REDIS: nodes.address,
		TALLY_SEARCH: path.join(sites[1].folder, 'search') } });

	assert.equal(status, 0, out + err);
	assert.match(out, /^28 of 28 posts in the index for search compared: 0 differ$/m);
});

await runTests();
