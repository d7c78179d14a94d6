/*
 * The comments of a chaos run, and the comparison of the site with them. The notices that
 * they cause are in chaos_inbox.mjs.
 *
 * Every comment begins with a unique token, so that it is recognized after edits, and
 * found if it is there twice.
 */
import { judgeCounts, judgeVoters } from './chaos_history.mjs';
import { ACKNOWLEDGED, REFUSED, States, UNKNOWN, judgeState }
	from './chaos_states.mjs';

/* The name of a comment, as in keys. */
export const keyOf = (article, number) => `${article}:${number}`;

const tokenIn = (text) => text?.match(/^\S+ says \d+/)?.[0];

export class CommentLog {
	/* { key, article, number, author, token }, in the order acknowledged */
	comments = [];
	/* token -> { token, text, author, article, parent, named, sent, keys, outcomes };
	 * parent is 0 for the article, and sent a moment of performance.now() */
	postings = new Map();
	lookups = { found: 0, missed: [] }; /* for comments that were just posted or edited */
	#tokens = new Map(); /* by key */
	#texts = new States();
	#deletions = new States('there');
	#removals = new States('there');
	#threads = new States('open');

	/* To be called before it is sent; the same may be sent again. Returns whether it
	 * was not sent before. */
	notePosting(token, posting) {
		if (this.postings.has(token))
			return false;
		this.postings.set(token, { token, ...posting, keys: new Set(),
			outcomes: new Set(), sent: performance.now() });
		this.#texts.begin(token, posting.text);
		return true;
	}

	/* To be called after the answer; number is undefined unless acknowledged. */
	notePosted(token, number, outcome) {
		const posting = this.postings.get(token);

		posting.outcomes.add(outcome);
		if (number === undefined)
			return;
		const key = keyOf(posting.article, number);

		posting.keys.add(key);
		this.#tokens.set(key, token);
	}

	/* It is not sent again, so others may reply to it. Returns the comment, or
	 * undefined if it was not acknowledged. */
	offer(token) {
		const { keys: [key], article, author } = this.postings.get(token);

		if (key === undefined)
			return undefined;
		const comment = { key, article, number: +key.split(':')[1], author,
			token };

		this.comments.push(comment);
		return comment;
	}

	/* The record of a comment of a dump; undefined if nobody wrote that. */
	postingOf({ key, text }) {
		return this.postings.get(tokenIn(text) ?? this.#tokens.get(key));
	}

	textsOf(token) {
		return this.#texts.of(token);
	}

	noteEdit(token, text, outcome) {
		this.#texts.note(token, text, outcome);
	}

	/* By its author, permanently: there or deleted. */
	deletionsOf(key) {
		return this.#deletions.of(key);
	}

	noteDeletion(key, outcome) {
		this.#deletions.note(key, 'deleted', outcome);
	}

	/* By a moderator: there or removed. */
	removalsOf(key) {
		return this.#removals.of(key);
	}

	noteRemoval(key, place, outcome) {
		this.#removals.note(key, place, outcome);
	}

	/* Of an article: open or closed. */
	threadsOf(article) {
		return this.#threads.of(article);
	}

	noteThread(article, state, outcome) {
		this.#threads.note(article, state, outcome);
	}

	isClosed(article) {
		const states = this.threadsOf(article);

		return states.size === 1 && states.has('closed');
	}

	/* Counts of what was acknowledged. */
	get figures() {
		return { 'comments posted': this.comments.length,
			edited: this.#texts.acknowledged,
			deleted: this.#deletions.acknowledged,
			'removed or restored': this.#removals.acknowledged,
			'threads closed or opened': this.#threads.acknowledged };
	}
}

function judgePosting({ text, author, article, parent, keys, outcomes, token },
	written, found) {
	const all = new Set([...keys, ...written.map(({ key }) => key)]);
	const isRefused = !outcomes.has(ACKNOWLEDGED) && !outcomes.has(UNKNOWN) &&
		outcomes.has(REFUSED);

	if (all.size > 1)
		found.doubled.push(`"${token}" is ${[...all].join(' and ')}`);
	for (const key of keys)
		if (!written.some((comment) => comment.key === key))
			found.lost.push(`comment ${key}, "${text}", is missing`);
	for (const comment of written) {
		if (isRefused)
			found.doubled.push(`"${token}" is ${comment.key}, but was refused`);
		if (comment.author !== author || comment.article !== article ||
			(comment.parent ?? 0) !== parent)
			found.lost.push(`"${token}" by ${author} in ${article} on ` +
				`${parent}: it stands as ${JSON.stringify(comment)}`);
	}
}

function judgePostings(commentLog, comments, found) {
	const written = new Map([...commentLog.postings.keys()].map((token) => [token, []]));

	for (const comment of comments) {
		const posting = commentLog.postingOf(comment);

		if (posting === undefined)
			found.doubled.push(`comment ${comment.key}, "${comment.text}", ` +
				'was never said');
		else
			written.get(posting.token).push(comment);
	}
	for (const [token, posting] of commentLog.postings)
		judgePosting(posting, written.get(token), found);
}

/* It has the state in which its author and a moderator left it, and its last text. */
function judgeComment(commentLog, { key, text, author, removed, removed_by: by }, token,
	found) {
	const isDeleted = removed != null && by === author;

	judgeState(`${key}'s deletion`, commentLog.deletionsOf(key),
		isDeleted ? 'deleted' : 'there', found);
	if (isDeleted && text)
		found.lost.push(`${key} is deleted, but says "${text}"`);
	if (isDeleted)
		return;
	judgeState(`${key}'s removal`, commentLog.removalsOf(key),
		removed == null ? 'there' : 'removed', found);
	judgeState(`${key}'s text`, commentLog.textsOf(token), text, found);
}

/* Compares two figures that should be equal. */
function judgeNumber(what, is, due, found) {
	if (is < due)
		found.lost.push(`${what}: ${is}, not ${due}`);
	if (is > due)
		found.doubled.push(`${what}: ${is}, not ${due}`);
}

const isThere = ({ removed }) => removed == null;

/* The number of comments that lists show for an article. */
function judgeFigures(pages, comments, found) {
	const counts = new Map();

	for (const { article } of comments.filter(isThere))
		counts.set(article, (counts.get(article) ?? 0) + 1);
	for (const [member, lines] of pages)
		for (const { id, comments: count } of lines)
			judgeNumber(`comments of ${id} in ${member}'s list`, count,
				counts.get(id) ?? 0, found);
}

/* Existing comments and their parents, as stubs if these were removed. */
function shownOf(comments) {
	const byNumber = new Map(comments.map((comment) => [comment.id, comment]));
	const shown = new Map();

	for (const comment of comments.filter(isThere))
		for (let one = comment; one !== undefined && !shown.has(one.id);
			one = byNumber.get(one.parent))
			shown.set(one.id, isThere(one) ? 'there' : 'gone');
	return shown;
}

/* The comments on an article's pages: { number, state }, there or gone. */
function judgeThread(article, cards, comments, found) {
	const due = shownOf(comments);

	for (const { number, state } of cards)
		if (due.get(number) !== state)
			found.doubled.push(`${keyOf(article, number)} is shown as ${state}, ` +
				`not ${due.get(number) ?? 'left out'}`);
	for (const number of due.keys())
		judgeNumber(`${keyOf(article, number)} in its thread`, cards.filter(
			(card) => card.number === number).length, 1, found);
}

/*
 * Lost and doubled comments, as sentences. articles and comments are lines of
 * a dump, the latter with their keys; pages are as for judge(), with how many comments
 * each line says; threads are pairs of an article and all the cards on its pages.
 */
export function judgeComments(commentLog, history,
	{ articles, comments, pages = [], threads = [] }) {
	const found = { lost: [], doubled: [] };
	const byKey = new Map(comments.map((comment) => [comment.key, comment]));

	judgePostings(commentLog, comments, found);
	for (const { key, token } of commentLog.comments) {
		const comment = byKey.get(key);

		if (comment === undefined)
			continue;
		judgeComment(commentLog, comment, token, found);
		if (comment.voters !== undefined)
			judgeVoters(history, { ...comment, id: key }, found);
		judgeCounts(history, { ...comment, id: key }, found);
	}
	for (const { id, thread_closed: closed } of articles)
		judgeState(`${id}'s thread`, commentLog.threadsOf(id),
			closed == null ? 'open' : 'closed', found);
	judgeFigures(pages, comments, found);
	for (const [article, cards] of threads)
		judgeThread(article, cards, comments.filter((comment) =>
			comment.article === article), found);
	return found;
}
