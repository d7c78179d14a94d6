/*
 * Notices on a cluster with two relays: each is delivered once, while slots move and
 * masters fail.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { Nodes } from './nodes.mjs';
import { Notices } from './notices.mjs';
import { Site, freePort, runTests, setUp, sleep, tearDown, temporaryFolder, test }
	from './support.mjs';

const BUCKETS = 4;

const run = promisify(execFile);

/* Milliseconds between two comments; both tests take 15 s. */
const PACE = 50;

let nodes, sites, notices;

/* Any master knows which node has the key. */
async function ask(...words) {
	const [{ port }] = nodes.masters;
	const { stdout } = await run('redis-cli', ['-c', '-p', port, '--json',
		...words].map(String), { timeout: 3000 });

	return JSON.parse(stdout);
}

async function startSite() {
	const site = new Site(path.join(temporaryFolder(), 'site'),
		{ TALLY_REDIS: nodes.address, TALLY_BUCKETS: BUCKETS });

	site.port = await freePort();
	await site.start();
	return site;
}

setUp(async () => {
	nodes = await Nodes.cluster(temporaryFolder(), 3, 1);
	sites = [await startSite(), await startSite()];
	notices = new Notices(ask);
	await notices.begin(sites[0], BUCKETS);
});

tearDown(async () => {
	for (const site of sites ?? [])
		await site.stop();
	await nodes?.stop();
});

async function untilTold() {
	await nodes.untilWhole();
	console.log(`# ${await notices.assertTold(120)} comments`);
}

/* One a second, of one site and then of the other. */
async function killRelays(times) {
	for (let i = 0; i < times; i++) {
		for (const { pid } of sites[i % 2].children('tally-relay'))
			process.kill(pid, 'SIGKILL');
		await sleep(1000);
	}
}

test('notices arrive once while slots move and relays are killed', async () => {
	const [from, to] = nodes.masters;

	await notices.sayUntil(Promise.all([nodes.moveSlots(from, to, 5400),
		killRelays(6)]), PACE);
	await untilTold();
});

test('notices arrive once while masters fail, one after the other', async () => {
	await notices.sayUntil((async () => {
		for (const master of nodes.masters) {
			await master.kill();
			await sleep(4000);
			master.start();
			await nodes.untilWhole();
		}
	})(), PACE);
	await untilTold();
});

await runTests();
