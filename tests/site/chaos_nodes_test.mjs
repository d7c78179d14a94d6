/*
 * Runs chaos.mjs on several Redis nodes, with the faults that these add.
 */
import assert from 'node:assert/strict';

import { runChaos } from './chaos_run.mjs';
import { runTests, test } from './support.mjs';

function runOnNodes(kind, buckets, faults) {
	const stdout = runChaos(
		{ NODES: kind, BUCKETS: buckets, ONLY: faults.join(';') });

	assert.match(stdout, /^[1-9]\d* own votes .*, 0 not seen$/m);
	for (const name of faults)
		assert.match(stdout, new RegExp(`: ${name}, \\d+ without`), stdout);
}

test('nothing is lost or doubled on a cluster', () =>
	runOnNodes('cluster', 16, ['a master killed, back late', 'slots moved',
		'a master stopped', 'the relay killed']));

test('nothing is lost or doubled on a cluster with four buckets', () =>
	runOnNodes('cluster', 4, ['a master killed, back at once', 'slots moved',
		'everything restarted']));

test('nothing is lost or doubled with sentinels', () =>
	runOnNodes('sentinel', 1, ['a master killed, back late',
		'a master killed, back in its failover', 'a replica killed']));

await runTests();
