/*
 * What the members of a chaos run have muted and read, and the comparison of their
 * inboxes with that.
 *
 * A notice is delivered some time after its comment was posted. Any setting since the
 * comment was sent may apply: only if there was just one, the notice has to be there, or
 * must not be.
 */
import { ACKNOWLEDGED, REFUSED } from './chaos_states.mjs';

export class Inboxes {
	seen = new Map(); /* name -> notices that were there once, as "7:3 reply" */
	marks = new Map(); /* name -> up to which number the member has marked them as read */
	figures = { marked: 0, muted: 0, read: 0 };
	wrong = []; /* what no page should have shown */
	#settings = new Map(); /* "name what" -> [{ setting, sent, answered, outcome }] */

	/* To be called before it is sent, with muted or unmuted; the result after the
	 * answer, with the outcome. what is an article's id or "@name". */
	beginSetting(name, what, setting) {
		const key = `${name} ${what}`;
		const one = { setting, sent: performance.now(), answered: Infinity };

		this.#settings.set(key, [...this.#settings.get(key) ?? [], one]);
		return (outcome) => {
			Object.assign(one, { outcome, answered: performance.now() });
			this.figures.muted += outcome === ACKNOWLEDGED;
		};
	}

	/* All settings of a member since a moment. */
	settingsSince(name, what, moment) {
		let possible = new Set(['unmuted']);

		for (const { setting, answered, outcome } of
			this.#settings.get(`${name} ${what}`) ?? [])
			if (outcome === ACKNOWLEDGED && answered < moment)
				possible = new Set([setting]);
			else if (outcome !== REFUSED)
				possible.add(setting);
		return possible;
	}

	/* The notices on a page of an inbox, newest first. */
	noteRead(name, notices) {
		const seen = this.seen.get(name) ?? new Set();
		const words = notices.map(({ key, why }) => `${key} ${why}`);

		if (new Set(words).size < words.length)
			this.wrong.push(`${name}'s inbox: ${words}`);
		this.seen.set(name, new Set([...seen, ...words]));
		this.figures.read++;
	}

	/* That up to so many were read. Opening a thread marks others, too. */
	noteMark(name, until, outcome) {
		if (outcome !== ACKNOWLEDGED)
			return;
		this.marks.set(name, Math.max(this.marks.get(name) ?? 0, until));
		this.figures.marked++;
	}
}

/* The members that a comment notifies: name -> reason. */
function recipients(comment, { parent, named }, authors) {
	const answered = authors.get(parent === 0 ? comment.article :
		`${comment.article}:${parent}`);
	const told = new Map(named.map((name) => [name, 'mention']));

	told.set(answered, parent === 0 ? 'article' : 'reply');
	told.delete(comment.author);
	return told;
}

/* A member's settings for a comment: muted by its thread or by its author. */
function settingsOf(inboxes, name, { article, author }, sent) {
	const both = [inboxes.settingsSince(name, article, sent),
		inboxes.settingsSince(name, `@${author}`, sent)];
	const isMuted = both.some((settings) => !settings.has('unmuted'));
	const isUnmuted = both.every((settings) => !settings.has('muted'));

	return isMuted ? 'muted' : isUnmuted ? 'unmuted' : 'either';
}

/* Name -> notice -> muted or unmuted: "7:3 reply" -> unmuted. */
function allDue(commentLog, inboxes, articles, comments) {
	const due = new Map();
	const authors = new Map([
		...articles.map(({ id, author }) => [id, author]),
		...comments.map(({ key, author }) => [key, author])]);

	for (const comment of comments) {
		const posting = commentLog.postingOf(comment);

		for (const [name, why] of posting === undefined ? [] :
			recipients(comment, posting, authors)) {
			if (!due.has(name))
				due.set(name, new Map());
			due.get(name).set(`${comment.key} ${why}`,
				settingsOf(inboxes, name, comment, posting.sent));
		}
	}
	return due;
}

/* Of the reasons of notices. */
const IS_OF_COMMENT = /^(article|reply|mention)$/;

/* The capacity of an inbox, which stores the newest notices. */
const KEPT = 500;

function judgeNotices(name, { notices, told }, kept, due, seen, found) {
	const counts = new Map();
	const dropped = notices.length === kept ? told - kept : 0;

	for (const { key, why } of notices) {
		const notice = `${key} ${why}`;

		counts.set(notice, (counts.get(notice) ?? 0) + 1);
		/* Which actions moderators took is in the log; each is told once. */
		if (IS_OF_COMMENT.test(why) && (!due.has(notice) || due.get(notice) === 'muted'))
			found.doubled.push(`${name} is told of ${notice}, which is ` +
				`${due.get(notice) ?? 'not due'}`);
	}
	for (const [notice, count] of counts)
		if (count > 1)
			found.doubled.push(`${name} is told ${count} times of ${notice}`);
	const missing = [...due].filter(([notice, setting]) =>
		setting === 'unmuted' && !counts.has(notice));

	if (missing.length > dropped)
		for (const [notice] of missing)
			found.lost.push(`${name} is not told of ${notice}`);
	for (const notice of seen)
		if (dropped === 0 && !counts.has(notice))
			found.lost.push(`${name} has seen ${notice}, which is gone`);
}

/* Each notice has its own number, in the order of delivery, and what was marked as read is. */
function judgeNumbers(name, { notices, told, read, ahead }, kept, marked, found) {
	const numbers = notices.map(({ number }) => number);

	if (numbers.some((number, i) => number !== told - i) ||
		notices.length !== Math.min(told, kept))
		found[told > notices.length ? 'doubled' : 'lost'].push(
			`${name} was told ${told}, and has ${numbers}`);
	if (read < marked)
		found.lost.push(`${name} has read ${read}, but marked ${marked}`);
	const after = notices.filter((notice) => notice.isRead && notice.number > read).length;

	if (after > ahead || read + ahead > told)
		found.lost.push(`${name} has read ${read} and ${ahead} of ${told}, but ${after}`);
}

/* The notices on its pages: all but those of removed articles. */
function judgeShown(name, { notices, unread }, { told, read, ahead, notices: all },
	removed, found) {
	const words = (list, isUnread) => list.map((notice) =>
		`${notice.key} ${notice.why}${isUnread(notice) ? ' unread' : ''}`);
	const shown = words(notices, (notice) => notice.isUnread);
	const due = words(all.filter(({ key, why }) => IS_OF_COMMENT.test(why) &&
		!removed.has(+key.split(':')[0])),
		({ number, isRead }) => number > read && !isRead);

	for (const notice of due)
		if (!shown.includes(notice))
			found.lost.push(`${name}'s inbox does not show ${notice}`);
	for (const [i, notice] of shown.entries())
		if (!due.includes(notice) || shown.indexOf(notice) !== i)
			found.doubled.push(`${name}'s inbox shows ${notice}, or twice`);
	if (unread !== told - read - ahead)
		found.lost.push(`${name} has ${told - read - ahead} unread, but ${unread} are shown`);
}

/*
 * Notices that are lost, doubled or unwanted, as sentences. articles and
 * comments are lines of a dump, the latter with their keys. inboxes are pairs of a
 * member and what Redis has: { notices, told, read, ahead }, each notice as { key, why, number,
 * isRead },
 * the newest first; shown of some members and what their pages have, as readInbox() says.
 */
export function judgeInboxes(commentLog, settings,
	{ articles, comments, inboxes, shown = [], kept = KEPT }) {
	const found = { lost: [], doubled: [] };
	const due = allDue(commentLog, settings, articles, comments);
	const removed = new Set(articles.filter((article) => article.removed != null)
		.map(({ id }) => id));
	const byName = new Map(inboxes);

	for (const [name, inbox] of inboxes) {
		judgeNotices(name, inbox, kept, due.get(name) ?? new Map(),
			settings.seen.get(name) ?? [], found);
		judgeNumbers(name, inbox, kept,
			settings.marks.get(name) ?? 0, found);
	}
	for (const [name, pages] of shown)
		judgeShown(name, pages, byName.get(name), removed, found);
	return found;
}
