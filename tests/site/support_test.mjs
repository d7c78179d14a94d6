/* What tests share. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { freePort, runTests, temporaryFolder, test, until } from './support.mjs';

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

test('a run that is interrupted ends its tests', async () => {
	const folder = temporaryFolder();
	const program = path.join(folder, 'waits'), noted = path.join(folder, 'pid');

	fs.writeFileSync(program, `#!/bin/sh\necho $$ >${noted}.new\n` +
		`mv ${noted}.new ${noted}\nexec sleep 3600\n`, { mode: 0o755 });
	/* In a group of its own, as a shell starts it. */
	const run = spawn('tests/run', [program], { detached: true, stdio: 'ignore' });
	const ended = new Promise((resolve) => run.on('close', resolve));

	await until('the test has begun', () => fs.existsSync(noted));
	const pid = fs.readFileSync(noted, 'utf8').trim();

	process.kill(-run.pid, 'SIGINT');
	assert.notEqual(await ended, 0);
	await until('the test has ended', () => !fs.existsSync(`/proc/${pid}`));
});

await runTests();
