/*
 * One round of chaos.mjs, which must lose and double nothing.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/* Returns what it printed. The settings are those of chaos.mjs. */
export function runChaos(settings = {}) {
	const { status, stdout, stderr } = spawnSync(process.execPath, [
		fileURLToPath(new URL('chaos.mjs', import.meta.url)), '1',
	], { encoding: 'utf8', env: { ...process.env, ...settings } });

	assert.equal(status, 0, stdout + stderr);
	assert.match(stdout, /\nlost 0, doubled 0\n$/);
	assert.match(stdout, /^[1-9]\d* searches answered/m);
	assert.match(stdout, /^tally check: 0 breaks$/m);
	assert.match(stdout, /\b[1-9]\d* comments posted/);
	assert.match(stdout, /notices delivered, lost 0, doubled 0;/);
	assert.match(stdout, /[1-9]\d* looked for right after that, 0 not seen$/m);
	return stdout;
}
