/* What tests share. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

import { freePort, runTests, test } from './support.mjs';

/* So many that two of them would be equal if they were not held. */
const MANY = 500;

const SUPPORT = new URL('support.mjs', import.meta.url);

test('a port belongs to one test', async () => {
	const ours = [];

	for (let i = 0; i < MANY; i++)
		ours.push(await freePort());
	const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e',
		`import { freePort } from '${SUPPORT}';
		for (let i = 0; i < ${MANY}; i++)
			console.log(await freePort());`], { encoding: 'utf8' });
	const all = [...ours, ...stdout.trim().split('\n').map(Number)];

	assert.equal(all.length, 2 * MANY);
	assert.equal(new Set(all).size, all.length);
});

await runTests();
