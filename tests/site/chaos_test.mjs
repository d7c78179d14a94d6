/*
 * A short run of chaos.mjs, every fault once; and that its judgement finds what
 * is lost and what is doubled.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { FAULTS } from './chaos_faults.mjs';
import { ACKNOWLEDGED, History, REFUSED, UNKNOWN, judge }
	from './chaos_history.mjs';
import { Pulse, recovery } from './chaos_pulse.mjs';
import { runTests, sleep, test } from './support.mjs';

/* ann posted 1 in the group "chess"; bob voted it down. */
function history() {
	const told = new History();

	told.members = ['ann', 'bob'];
	told.notePosting('One', 'ann');
	told.notePosted('One', 'chess', 1);
	told.noteVote('bob', 1, 'down', ACKNOWLEDGED);
	return told;
}

/* What the site then holds, with some of it changed. */
function seen({ copies = 1, lines = [1], ...changed } = {}) {
	const article = { id: 1, title: 'One', author: 'ann', up: 1, down: 1,
		groups: ['chess'], voters: { up: ['ann'], down: ['bob'] }, ...changed };
	const { up, down } = article.voters ?? { up: [], down: [] };
	const voteOf = (name) => up.includes(name) ? 'up' :
		down.includes(name) ? 'down' : 'none';

	return {
		articles: Array.from({ length: copies },
			(_, i) => ({ ...article, id: 1 + i })),
		pages: ['ann', 'bob'].map((name) => [name,
			lines.map((id) => ({ id, vote: voteOf(name) }))]),
	};
}

function judged(told, site) {
	const { lost, doubled } = judge(told, ['chess', 'trains'], site);

	return [lost.length > 0, doubled.length > 0];
}

test('a site that keeps everything is found to', () => {
	assert.deepEqual(judged(history(), seen()), [false, false]);
});

test('what is lost is found', () => {
	for (const [what, changed] of Object.entries({
		'an article': { copies: 0, lines: [] },
		'a vote': { down: 0, voters: { up: ['ann'], down: [] } },
		'a switch': { voters: { up: ['ann', 'bob'], down: [] } },
		'a vote of a closed article': { down: 0, voters: undefined },
		'a group': { groups: [] },
		'a removal from a group': { groups: ['chess', 'trains'] },
		'a line': { lines: [] },
	}))
		assert.deepEqual(judged(history(), seen(changed))[0], true, what);

	const other = seen();

	other.pages[1][1][0].vote = 'up';
	assert.deepEqual(judged(history(), other), [true, false], 'on a page');
});

test('what is doubled is found', () => {
	for (const [what, changed] of Object.entries({
		'an article': { copies: 2, lines: [1, 2] },
		'a voter': { voters: { up: ['ann', 'bob'], down: ['bob'] } },
		'the same voter': { voters: { up: ['ann', 'ann'], down: ['bob'] } },
		'a vote of a closed article': { down: 2, voters: undefined },
		'a group': { groups: ['chess', 'chess'] },
		'a line': { lines: [1, 1] },
		'what nobody posted': { title: 'Two' },
	}))
		assert.deepEqual(judged(history(), seen(changed))[1], true, what);

	const told = history();

	told.notePosted('One', 'chess', 2);
	assert.deepEqual(judged(told, seen())[1], true, 'two places told');
});

test('without an answer it may be either, until the next one', () => {
	const up = { up: 2, down: 0, voters: { up: ['ann', 'bob'], down: [] } };
	const told = history();

	told.noteVote('bob', 1, 'up', REFUSED);
	assert.deepEqual(judged(told, seen(up)), [true, true]);
	told.noteVote('bob', 1, 'up', UNKNOWN);
	told.notePosting('Two', 'bob');
	told.notePosted('Two', 'chess', undefined);
	assert.deepEqual(judged(told, seen(up)), [false, false]);
	assert.deepEqual(judged(told, seen()), [false, false]);
	assert.deepEqual(judged(told, seen({ down: 0,
		voters: { up: ['ann'], down: [] } })), [true, false]);
	told.noteVote('bob', 1, 'down', ACKNOWLEDGED);
	assert.deepEqual(judged(told, seen(up)), [true, true]);
});

test('a link may be posted anew after its window, and only then', () => {
	const site = seen({ copies: 2, lines: [1, 2] });
	const told = history();

	assert.deepEqual(judged(told, site), [false, true]);
	told.epoch++;
	told.notePosted('One', 'chess', undefined);
	assert.deepEqual(judged(told, site), [false, false]);
});

test('the time until all is answered again is measured', async () => {
	const pulse = new Pulse();

	pulse.begin('a fault');
	pulse.answer();
	pulse.end();
	assert.equal(recovery(pulse.faults[0]), Infinity);
	pulse.answer();
	assert.ok(recovery(pulse.faults[0]) < 50);
	await sleep(60);
	pulse.failure();
	assert.ok(recovery(pulse.faults[0]) > 50);
	assert.equal(pulse.faults[0].failures, 1);
});

/* What cannot go by without anybody noticing. */
const felt = ['a worker killed', 'Redis killed', 'Redis stopped',
	'the service killed', 'the service restarted', 'the disk full',
	'the memory full'];

test('all faults come, and nothing is lost or doubled', () => {
	const { status, stdout, stderr } = spawnSync(process.execPath, [
		fileURLToPath(new URL('chaos.mjs', import.meta.url)), '1',
	], { encoding: 'utf8' });

	assert.equal(status, 0, stdout + stderr);
	assert.match(stdout, /\nlost 0, doubled 0\n$/);
	assert.match(stdout, /^tally check: 0 breaks$/m);
	for (const name of Object.keys(FAULTS))
		assert.match(stdout, new RegExp(`: ${name}, \\d+ without`), stdout);
	for (const name of felt)
		assert.match(stdout, new RegExp(`: ${name}, [1-9]`), stdout);
});

await runTests();
