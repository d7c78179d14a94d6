/*
 * Tests the verdict of a chaos run on comments and notices: it has to find what is lost
 * and what is doubled.
 */
import assert from 'node:assert/strict';

import { History } from './chaos_history.mjs';
import { Inboxes, judgeInboxes } from './chaos_inbox.mjs';
import { ACKNOWLEDGED, REFUSED, UNKNOWN } from './chaos_states.mjs';
import { CommentLog, judgeComments } from './chaos_comments.mjs';
import { readInbox } from './chaos_commenters.mjs';
import { runTests, test } from './support.mjs';

const FIRST = 'bob says 1', ANSWER = 'eve says 1';

/* On article 7 by ann, bob commented, and eve replied and mentioned ann and dan; all of
 * it was acknowledged. bob upvoted the reply. */
function sample() {
	const history = new History(), commentLog = new CommentLog(), inboxes = new Inboxes();

	history.members = ['ann', 'bob', 'eve', 'dan'];
	commentLog.notePosting(FIRST, { text: `${FIRST}.`, author: 'bob', article: 7,
		parent: 0, named: [] });
	commentLog.notePosted(FIRST, 1, ACKNOWLEDGED);
	commentLog.notePosting(ANSWER, { text: `${ANSWER}. @ann @dan`, author: 'eve',
		article: 7, parent: 1, named: ['ann', 'dan'] });
	commentLog.notePosted(ANSWER, 2, ACKNOWLEDGED);
	for (const token of [FIRST, ANSWER]) {
		const { key, author } = commentLog.offer(token);

		history.noteVote(author, key, 'up', ACKNOWLEDGED);
	}
	history.noteVote('bob', '7:2', 'up', ACKNOWLEDGED);
	return { history, commentLog, inboxes };
}

const first = { article: 7, id: 1, key: '7:1', author: 'bob', text: `${FIRST}.`,
	up: 1, down: 0, voters: { up: ['bob'], down: [] } };
const answer = { article: 7, id: 2, key: '7:2', parent: 1, author: 'eve',
	text: `${ANSWER}. @ann @dan`, up: 2, down: 0,
	voters: { up: ['eve', 'bob'], down: [] } };
const deleted = { text: undefined, removed: 5, removed_by: 'eve' };

/* The data that the site should have, with some of it changed. */
function held({ comments = [first, answer], article = {}, count = 2,
	cards = [1, 2] } = {}) {
	return { comments, articles: [{ id: 7, author: 'ann', ...article }],
		pages: [['ann', [{ id: 7, vote: 'up', comments: count }]]],
		threads: [[7, cards.map((card) => typeof card === 'number' ?
			{ number: card, state: 'there' } : card)]] };
}

function judged({ commentLog, history }, site) {
	const { lost, doubled } = judgeComments(commentLog, history, site);

	return [lost.length > 0, doubled.length > 0];
}

const answerIs = (changed) => ({ comments: [first, { ...answer, ...changed }] });

test('a site with every comment passes', () => {
	const { lost, doubled } = judgeComments(sample().commentLog, sample().history, held());

	assert.deepEqual([lost, doubled], [[], []]);
});

test('lost comments are found', () => {
	for (const [what, changed] of Object.entries({
		'a comment': { comments: [first], count: 1, cards: [1] },
		'its text': answerIs({ text: `${ANSWER}. What?` }),
		'its author': answerIs({ author: 'dan' }),
		'its place': answerIs({ parent: undefined }),
		'a vote': answerIs({ up: 1, voters: { up: ['eve'], down: [] } }),
		'a vote on a closed one': answerIs({ up: 1, voters: undefined }),
		'a deletion by nobody': { ...answerIs(deleted), count: 1, cards: [1] },
		'a removal by nobody': { ...answerIs({ removed: 5, removed_by: 'mod' }),
			count: 1, cards: [1] },
		'a thread that is closed': { article: { thread_closed: 5 } },
		'one in the count': { count: 1 },
		'a card': { cards: [1] },
	}))
		assert.equal(judged(sample(), held(changed))[0], true, what);
});

test('doubled comments are found', () => {
	const again = { ...answer, id: 3, key: '7:3' };

	for (const [what, changed] of Object.entries({
		'a comment': { comments: [first, answer, again], count: 3,
			cards: [1, 2, 3] },
		'what nobody said': { comments: [first, answer,
			{ ...again, text: 'What?' }], count: 3, cards: [1, 2, 3] },
		'a vote': answerIs({ up: 3, voters: { up: ['eve', 'bob', 'bob'],
			down: [] } }),
		'one in the count': { count: 3 },
		'a card': { cards: [1, 2, 2] },
		'a stub': { cards: [1, { number: 2, state: 'gone' }] },
	}))
		assert.equal(judged(sample(), held(changed))[1], true, what);

	const twice = sample();

	twice.commentLog.notePosted(ANSWER, 3, ACKNOWLEDGED);
	assert.equal(judged(twice, held())[1], true, 'two acknowledged');
});

test('changes of comments are found, or reported as lost', () => {
	const edited = `${ANSWER}. Edition 2`;
	const gone = { count: 1, cards: [1] };

	for (const [what, note, changed] of [
		['an edit', ({ commentLog }) => commentLog.noteEdit(ANSWER, edited, ACKNOWLEDGED),
			answerIs({ text: edited })],
		['a deletion', ({ commentLog }) => commentLog.noteDeletion('7:2', ACKNOWLEDGED),
			{ ...answerIs(deleted), ...gone }],
		['a removal', ({ commentLog }) => commentLog.noteRemoval('7:2', 'removed', ACKNOWLEDGED),
			{ ...answerIs({ removed: 5, removed_by: 'mod' }), ...gone }],
		['a thread', ({ commentLog }) => commentLog.noteThread(7, 'closed', ACKNOWLEDGED),
			{ article: { thread_closed: 5 } }],
	]) {
		const noted = sample();

		note(noted);
		assert.deepEqual(judged(noted, held(changed)), [false, false], what);
		assert.equal(judged(noted, held())[0], true, what);
	}
	const noted = sample();

	noted.commentLog.noteDeletion('7:2', ACKNOWLEDGED);
	assert.equal(judged(noted, held({ ...answerIs(
		{ ...deleted, text: 'What?' }), ...gone }))[0], true, 'what it said');
});

test('only a removed comment with replies is a stub', () => {
	const noted = sample();
	const comments = [{ ...first, removed: 5, removed_by: 'mod' }, answer];
	const stub = { number: 1, state: 'gone' };

	noted.commentLog.noteRemoval('7:1', 'removed', ACKNOWLEDGED);
	assert.deepEqual(judged(noted, held({ comments, count: 1,
		cards: [stub, 2] })), [false, false]);
	assert.equal(judged(noted, held({ comments, count: 1, cards: [2] }))[0], true);
	assert.equal(judged(noted, held({ comments, count: 1, cards: [1, 2] }))[1],
		true);
});

test('a request without an answer may count once, a refused one not at all', () => {
	const late = { article: 7, id: 3, key: '7:3', author: 'dan',
		text: 'dan says 1.', up: 1, down: 0 };
	const site = (...more) => held({ comments: [first, answer, ...more],
		count: 2 + more.length, cards: [1, 2, ...more.map(({ id }) => id)] });
	const said = (outcome) => {
		const noted = sample();

		noted.commentLog.notePosting('dan says 1', { text: 'dan says 1.', author: 'dan',
			article: 7, parent: 0, named: [] });
		noted.commentLog.notePosted('dan says 1', undefined, outcome);
		return noted;
	};

	assert.deepEqual(judged(said(UNKNOWN), site()), [false, false]);
	assert.deepEqual(judged(said(UNKNOWN), site(late)), [false, false]);
	assert.equal(judged(said(UNKNOWN),
		site(late, { ...late, id: 4, key: '7:4' }))[1], true);
	assert.equal(judged(said(REFUSED), site(late))[1], true);
});

/* The notices of ann, bob and dan, newest first, none of them read. */
const due = { ann: ['7:2 mention', '7:1 article'], bob: ['7:2 reply'],
	eve: [], dan: ['7:2 mention'] };

function deliveredOf({ read = 0, ahead = 0, removed, shown = {}, ...changed } = {}) {
	const lists = Object.entries({ ...due, ...changed });
	const inbox = (words) => ({ told: words.length, read, ahead,
		notices: words.map((word, i) => ({ key: word.split(' ')[0],
			why: word.split(' ')[1], number: words.length - i })) });
	const inboxes = lists.map(([name, words]) => [name, inbox(words)]);

	return { comments: [first, answer],
		articles: [{ id: 7, author: 'ann', removed }], inboxes,
		shown: inboxes.map(([name, { notices, told }]) => [name,
			{ unread: told - read - ahead, notices: notices.map((notice) =>
				({ ...notice, isUnread: notice.number > read })), ...shown }]) };
}

function judgedNotices({ commentLog, inboxes }, site) {
	const { lost, doubled } = judgeInboxes(commentLog, inboxes, site);

	return [lost.length > 0, doubled.length > 0];
}

test('complete inboxes pass', () => {
	const { commentLog, inboxes } = sample();

	assert.deepEqual(judgeInboxes(commentLog, inboxes, deliveredOf()),
		{ lost: [], doubled: [] });
});

test('a notice that is lost or doubled is found', () => {
	for (const [what, changed, expected] of [
		['lost', { bob: [] }, [true, false]],
		['one of two', { ann: ['7:1 article'] }, [true, false]],
		['doubled', { bob: ['7:2 reply', '7:2 reply'] }, [false, true]],
		['for two reasons', { bob: ['7:2 mention', '7:2 reply'] }, [false, true]],
		['for another', { bob: ['7:2 mention'] }, [true, true]],
		['of nothing', { bob: ['9:1 reply', '7:2 reply'] }, [false, true]],
		['of what one said', { eve: ['7:2 reply'] }, [false, true]],
	])
		assert.deepEqual(judgedNotices(sample(), deliveredOf(changed)), expected, what);

	for (const [what, told] of [['lost', 0], ['doubled', 2]]) {
		const site = deliveredOf();

		site.inboxes[1][1].told = told;
		site.shown = [];
		assert.deepEqual(judgedNotices(sample(), site),
			[what === 'lost', what === 'doubled'], `${what}, by the count`);
	}
});

test('a full inbox has the newest notices, and has dropped older ones', () => {
	for (const [told, kept, isLost] of [[2, 1, false], [1, 1, true], [2, 2, true]]) {
		const site = { ...deliveredOf({ ann: ['7:2 mention'] }), shown: [], kept };
		const [, ann] = site.inboxes.find(([name]) => name === 'ann');

		ann.told = ann.notices[0].number = told;
		assert.equal(judgeInboxes(sample().commentLog, sample().inboxes,
			{ ...site, inboxes: [['ann', ann]] }).lost.length > 0, isLost);
	}
});

test('muted threads and members cause no notices, others do', () => {
	const nobody = deliveredOf({ bob: [] });

	for (const what of [7, '@eve']) {
		const { commentLog, inboxes } = sample();

		/* In time or too late. */
		inboxes.beginSetting('bob', what, 'muted')(UNKNOWN);
		assert.deepEqual(judgedNotices({ commentLog, inboxes }, nobody), [false, false]);
		assert.deepEqual(judgedNotices({ commentLog, inboxes }, deliveredOf()), [false, false]);

		const before = new Inboxes();

		before.beginSetting('bob', what, 'muted')(ACKNOWLEDGED);
		const noted = { commentLog: sample().commentLog, inboxes: before };

		assert.deepEqual(judgedNotices(noted, nobody), [false, false]);
		assert.deepEqual(judgedNotices(noted, deliveredOf()), [false, true]);
		before.beginSetting('bob', what, 'unmuted')(ACKNOWLEDGED);
		assert.deepEqual(judgedNotices({ commentLog: sample().commentLog, inboxes: before },
			nobody), [true, false]);
	}
});

test('read notices stay read, and none disappears', () => {
	const noted = sample();

	assert.deepEqual(judgedNotices(noted, deliveredOf({ ahead: 1 })), [true, false],
		'more than there are');
	noted.inboxes.noteMark('ann', 2, ACKNOWLEDGED);
	assert.deepEqual(judgedNotices(noted, deliveredOf()), [true, false]);
	noted.inboxes.noteRead('dan', [{ key: '7:3', why: 'reply' }]);
	assert.equal(noted.inboxes.wrong.length, 0);
	assert.equal(judgeInboxes(noted.commentLog, noted.inboxes, deliveredOf()).lost.length, 2);
	noted.inboxes.noteRead('dan', [{ key: '7:3', why: 'reply' },
		{ key: '7:3', why: 'reply' }]);
	assert.equal(noted.inboxes.wrong.length, 1);
});

test('an inbox shows its notices, except of removed articles', () => {
	const hidden = { shown: { notices: [] } };

	assert.deepEqual(judgedNotices(sample(), deliveredOf(hidden)), [true, false]);
	assert.deepEqual(judgedNotices(sample(), deliveredOf({ removed: 5, ...hidden })),
		[false, false]);
	assert.deepEqual(judgedNotices(sample(), deliveredOf({ removed: 5 })), [false, true]);
	assert.deepEqual(judgedNotices(sample(), deliveredOf({ shown: { unread: 5 } })),
		[true, false]);
});

test('a page of an inbox is read', () => {
	const card = (number) => `<article class="comment" id="comment-7-${number}">`;

	assert.deepEqual(readInbox(`<a class="inbox" href="/inbox">Inbox <b>1,002<span>
<input type="hidden" name="until" value="1003">
<div class="notice unread">
<h2 class="why"><a href="/inbox/2">Mentions you</a> <span class="badge">unread</span></h2>\n${card(2)}
<div class="notice">
<h2 class="why"><a href="/inbox/1">Comment on your article</a></h2>\n${card(1)}
<a rel="next">`), { until: 1003, unread: 1002, hasMore: true, notices: [
		{ key: '7:2', why: 'mention', isUnread: true },
		{ key: '7:1', why: 'article', isUnread: false }] });
});

await runTests();
