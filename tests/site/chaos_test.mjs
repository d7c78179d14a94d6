/*
 * Runs chaos.mjs with every fault once, and tests its verdict: it has to find what is
 * lost and what is doubled. The verdict on comments and inboxes is tested in
 * chaos_comments_test.mjs; faults of Redis nodes are in chaos_nodes_test.mjs.
 */
import assert from 'node:assert/strict';

import { FAULTS } from './chaos_faults.mjs';
import { History, judge } from './chaos_history.mjs';
import { Availability, recovery } from './chaos_availability.mjs';
import { runChaos } from './chaos_run.mjs';
import { ACKNOWLEDGED, REFUSED, UNKNOWN } from './chaos_states.mjs';
import { runTests, sleep, test } from './support.mjs';

/* ann posted 1 in the group "chess"; bob voted it down. */
function sampleHistory() {
	const history = new History();

	history.members = ['ann', 'bob'];
	history.notePosting('One', 'ann');
	history.notePosted('One', 'chess', 1);
	history.noteVote('bob', 1, 'down', ACKNOWLEDGED);
	return history;
}

/* The matching site, with some of it changed. */
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

function judged(history, site) {
	const { lost, doubled } = judge(history, ['chess', 'trains'], site);

	return [lost.length > 0, doubled.length > 0];
}

test('a complete site passes', () => {
	assert.deepEqual(judged(sampleHistory(), seen()), [false, false]);
});

test('lost changes are found', () => {
	for (const [what, changed] of Object.entries({
		'an article': { copies: 0, lines: [] },
		'a vote': { down: 0, voters: { up: ['ann'], down: [] } },
		'a switch': { voters: { up: ['ann', 'bob'], down: [] } },
		'a vote on a closed article': { down: 0, voters: undefined },
		'a group': { groups: [] },
		'a removal from a group': { groups: ['chess', 'trains'] },
		'a line': { lines: [] },
	}))
		assert.deepEqual(judged(sampleHistory(), seen(changed))[0], true, what);

	const other = seen();

	other.pages[1][1][0].vote = 'up';
	assert.deepEqual(judged(sampleHistory(), other), [true, false], 'on a page');
});

test('moderators’ actions are found, or reported as lost', () => {
	const voided = { down: 0,
		voters: { up: ['ann'], down: [], voided_down: ['bob'] } };
	const gone = (by) => ({ lines: [], removed: 5, removed_by: by });
	const done = {
		voiding: [(h) => h.noteVoiding('bob', 1, 'void', ACKNOWLEDGED), voided],
		removal: [(h) => h.noteRemoval(1, 'removed', ACKNOWLEDGED), gone('mod')],
		withdrawal: [(h) => h.noteWithdrawal(1, ACKNOWLEDGED), gone('ann')],
	};

	for (const [what, [note, state]] of Object.entries(done)) {
		const history = sampleHistory();

		assert.deepEqual(judged(history, seen(state)), [true, false], what);
		note(history);
		assert.deepEqual(judged(history, seen(state)), [false, false], what);
		assert.equal(judged(history, seen())[0], true, what);
	}
	const history = sampleHistory();

	history.noteStanding('bob', 'out', ACKNOWLEDGED);
	assert.deepEqual(judged(history, seen()), [true, false]);
	assert.deepEqual(judged(history, { ...seen(), suspended: ['bob'] }),
		[false, false]);
	assert.equal(judged(sampleHistory(),
		seen({ lines: [1], removed: 5, removed_by: 'mod' }))[0], true);
});

test('doubled changes are found', () => {
	for (const [what, changed] of Object.entries({
		'an article': { copies: 2, lines: [1, 2] },
		'a void vote': { voters: { up: ['ann'], down: ['bob'],
			voided_down: ['bob'] } },
		'a voter': { voters: { up: ['ann', 'bob'], down: ['bob'] } },
		'the same voter': { voters: { up: ['ann', 'ann'], down: ['bob'] } },
		'a vote on a closed article': { down: 2, voters: undefined },
		'a group': { groups: ['chess', 'chess'] },
		'a line': { lines: [1, 1] },
		'what nobody posted': { title: 'Two' },
	}))
		assert.deepEqual(judged(sampleHistory(), seen(changed))[1], true, what);

	const history = sampleHistory();

	history.notePosted('One', 'chess', 2);
	assert.deepEqual(judged(history, seen())[1], true,
		'two articles acknowledged');
});

test('a change without an answer may be made or not until the next', () => {
	const up = { up: 2, down: 0, voters: { up: ['ann', 'bob'], down: [] } };
	const history = sampleHistory();

	history.noteVote('bob', 1, 'up', REFUSED);
	assert.deepEqual(judged(history, seen(up)), [true, true]);
	history.noteVote('bob', 1, 'up', UNKNOWN);
	history.notePosting('Two', 'bob');
	history.notePosted('Two', 'chess', undefined);
	assert.deepEqual(judged(history, seen(up)), [false, false]);
	assert.deepEqual(judged(history, seen()), [false, false]);
	assert.deepEqual(judged(history, seen({ down: 0,
		voters: { up: ['ann'], down: [] } })), [true, false]);
	history.noteVote('bob', 1, 'down', ACKNOWLEDGED);
	assert.deepEqual(judged(history, seen(up)), [true, true]);
});

test('a link may be posted again after its window, and only then', () => {
	const site = seen({ copies: 2, lines: [1, 2] });
	const history = sampleHistory();

	assert.deepEqual(judged(history, site), [false, true]);
	history.epoch++;
	history.notePosted('One', 'chess', undefined);
	assert.deepEqual(judged(history, site), [false, false]);
});

test('the time until everything is answered again is measured', async () => {
	const availability = new Availability();

	availability.begin('a fault');
	availability.answer();
	availability.end();
	assert.equal(recovery(availability.faults[0]), Infinity);
	availability.answer();
	assert.ok(recovery(availability.faults[0]) < 50);
	/* A sleep, since time is what is measured. */
	await sleep(60);
	availability.failure();
	assert.ok(recovery(availability.faults[0]) > 50);
	assert.equal(availability.faults[0].failures, 1);
});

/* The faults that members always notice. */
const noticed = ['a worker killed', 'Redis killed', 'Redis stopped',
	'the service killed', 'the service restarted', 'the disk full',
	'the memory full'];

/* Random actions, of which a run of all faults has every kind. */
function assertAllDone(stdout) {
	for (const what of ['comments posted', 'edited', 'deleted',
		'removed or restored', 'notices delivered', 'inboxes read',
		'marked as read', 'threads and members muted or unmuted',
		'groups followed or left', 'posts saved or unsaved', 'contained',
		'passwords recovered', 'log-ins with a code', 'posts held', 'decisions on them',
		'second chances', 'flags that fold'])
		assert.match(stdout, new RegExp(`\\b[1-9]\\d* ${what}`));
}

test('every fault happens, and nothing is lost or doubled', () => {
	const stdout = runChaos();

	for (const what of ['votes voided', 'articles removed',
		'articles withdrawn', 'members suspended'])
		assert.match(stdout, new RegExp(`\\b[1-9]\\d* ${what}`));
	assertAllDone(stdout);
	for (const name of Object.keys(FAULTS))
		assert.match(stdout, new RegExp(`: ${name}, \\d+ without`), stdout);
	for (const name of noticed)
		assert.match(stdout, new RegExp(`: ${name}, [1-9]`), stdout);
});

await runTests();
