/*
 * Comments in a chaos run: members comment, reply, mention each other, edit, delete and
 * vote, read their inboxes and mute; moderators remove comments and close threads.
 */
import { ACKNOWLEDGED, UNKNOWN } from './chaos_states.mjs';
import { keyOf } from './chaos_comments.mjs';

const RECENT = 60; /* the newest comments, which are answered and voted on */
const LONG = 3; /* the first articles, whose threads become long */

const pathOf = ({ article, number }) =>
	`/articles/${article}/comments/${number}`;
const placeOf = (comment) => `${pathOf(comment)}#comment-${comment.number}`;

/* A page of an inbox: { notices, until, unread, hasMore }, as judgeInboxes() takes it. */
export function readInbox(body) {
	const number = (pattern) => body.match(pattern)?.[1].replaceAll(',', '');
	const whys = { Comment: 'article', Reply: 'reply', Mentions: 'mention' };
	const until = number(/name="until" value="(\d+)"/);

	return {
		notices: [...body.matchAll(/<div class="notice( unread)?">\n<h2 class="why"><a [^>]*>(Comment|Reply|Mentions) [^]*? id="comment-(\d+)-(\d+)"/g)]
			.map(([, unread, why, article, comment]) => ({ why: whys[why],
				key: keyOf(article, comment), isUnread: unread !== undefined })),
		until: until === undefined ? undefined : +until,
		unread: +(number(/class="inbox" href="\/inbox">Inbox <b>([\d,]+)/) ?? 0),
		hasMore: body.includes('rel="next"'),
	};
}

export class Commenter {
	#own = []; /* comments */
	#said = 0;

	/* member sends the requests, and has a name. */
	constructor(member, { history, commentLog, inboxes, follows, saves, random }) {
		Object.assign(this, { member, history, commentLog, inboxes, follows, saves, random,
			name: member.name });
	}

	/* The next action, given the newest articles. */
	choose(articles) {
		const comments = this.commentLog.comments.slice(-RECENT);
		const percent = this.random.below(100);

		if (percent < 30 || comments.length === 0)
			return this.#posting(articles, comments);
		if (percent < 40 && this.#own.length > 0)
			return this.#editing(this.random.pick(this.#own));
		if (percent < 45 && this.#own.length > 0)
			return this.#deleting(this.random.pick(this.#own));
		if (percent < 60)
			return () => this.#readInbox();
		if (percent < 65)
			return this.#muting(articles);
		if (percent < 68)
			return this.#following();
		if (percent < 72)
			return this.#saving(this.random.pick(comments));
		return this.#voting(this.random.pick(comments));
	}

	/* An action of a moderator on these articles. */
	keepOrder(articles) {
		const ids = new Set(articles.map(({ id }) => id));
		const comments = this.commentLog.comments.slice(-RECENT).filter(
			({ article, author }) => ids.has(article) && author !== this.name);

		return this.random.chance(25) || comments.length === 0 ?
			this.#closing(this.random.pick(articles)) :
			this.#removing(this.random.pick(comments));
	}

	/* Another member to mention, or none. */
	#names() {
		return [0, 0, 1, 2].slice(0, 1 + this.random.below(4))
			.filter(Boolean).map(() => this.random.pick(this.history.members));
	}

	/* To an article or to a comment; sometimes with a double-click. */
	#posting(articles, comments) {
		const isLong = this.random.chance(30);
		const { id } = this.random.pick(isLong ?
			this.history.articles.slice(0, LONG) : articles);
		const answered = comments.length > 0 && this.random.chance(60) ?
			this.random.pick(comments) : { article: id, number: 0 };
		const clicks = this.random.chance(30) ? 2 : 1;
		const token = `${this.name} says ${++this.#said}`;
		const named = [...new Set(this.#names())];
		const text = [`${token}.`, ...named.map((name) => `@${name}`)].join(' ');
		const posting = { text, author: this.name, article: answered.article,
			parent: answered.number, named };

		return () => this.#post(token, posting, clicks);
	}

	async #post(token, posting, clicks) {
		const { commentLog, history, name } = this;
		const { article, parent, text } = posting;
		const isFirst = commentLog.notePosting(token, posting) && clicks === 1;
		const [wasClosed, wasOut] = [commentLog.isClosed(article), history.isOut(name)];
		const changes = commentLog.threadsOf(article);
		const outcomes = await Promise.all(Array.from({ length: clicks },
			() => this.#send(token, article, { text, parent })));
		const isDone = outcomes.includes(ACKNOWLEDGED);

		/* An existing one is found, even in a closed thread. */
		if (isDone && isFirst && wasClosed && commentLog.threadsOf(article) === changes)
			history.wrong.push(`"${token}" was taken where the thread is closed`);
		if (isDone && isFirst && wasOut && history.isOut(name))
			history.wrong.push(`"${token}" was taken, but ${name} is suspended`);
		if (!isDone)
			return outcomes.includes(UNKNOWN) ? UNKNOWN : outcomes[0];
		const comment = commentLog.offer(token);

		history.noteVote(name, comment.key, 'up', ACKNOWLEDGED);
		this.#own.push(comment);
		if (this.random.chance(20))
			await this.#lookFor(comment, text);
		return ACKNOWLEDGED;
	}

	async #send(token, article, fields) {
		let number;
		const outcome = await this.member.change(`/articles/${article}/comments`,
			fields, /^\/articles\/\d+\?(?:order=\w+&)?comment=(\d+)#comment-\1$/,
			(found) => { number = +found[1]; });

		this.commentLog.notePosted(token, number, outcome);
		return outcome;
	}

	/* Mentions that an edit adds notify nobody. */
	#editing(comment) {
		const { token } = comment;
		const text = `${token}. Edition ${this.random.below(1000)}, ` +
			`@${this.random.pick(this.history.members)}`;

		return async () => {
			const outcome = await this.member.change(`${pathOf(comment)}/edit`,
				{ text }, placeOf(comment));

			this.commentLog.noteEdit(token, text, outcome);
			if (outcome === ACKNOWLEDGED && this.random.chance(20))
				await this.#lookFor(comment, text);
			return outcome;
		};
	}

	#deleting(comment) {
		return async () => {
			const outcome = await this.member.change(
				`${pathOf(comment)}/delete`, {}, pathOf(comment));

			this.commentLog.noteDeletion(comment.key, outcome);
			if (outcome === ACKNOWLEDGED)
				this.#own = this.#own.filter((own) => own !== comment);
			return outcome;
		};
	}

	/* The member's own text, on the comment's page, unless it was removed. */
	async #lookFor({ key, article, number, token }, text) {
		const { commentLog, history } = this;
		const answer = await this.member.look(pathOf({ article, number }));

		if (answer?.status !== 200 || commentLog.removalsOf(key).has('removed') ||
			history.removalsOf(article).has('removed'))
			return;
		const said = answer.body.match(new RegExp(
			`id="comment-${number}"[^]*?<div class="said">([^]*?)</div>`))?.[1]
			.replaceAll(/<[^>]*>/g, '').trim();

		commentLog.lookups.found++;
		if (said !== text)
			commentLog.lookups.missed.push(`"${token}": "${text}", but "${said}" is shown`);
	}

	/* A vote on one's own comment changes nothing, and is not recorded. */
	#voting(comment) {
		const { history, name } = this;
		const vote = this.random.pick(['up', 'up', 'down', 'none']);
		const isOwn = comment.author === name;

		return async () => {
			const outcome = await this.member.change(`${pathOf(comment)}/vote`,
				{ vote }, placeOf(comment));

			if (isOwn && outcome === ACKNOWLEDGED)
				history.wrong.push(`${name} voted on ${comment.key}, their own`);
			if (!isOwn)
				history.noteVote(name, comment.key, vote, outcome);
			return outcome;
		};
	}

	/* Mostly it is marked as read, too. */
	async #readInbox() {
		const answer = await this.member.look('/inbox');

		if (answer?.status !== 200)
			return undefined;
		const { notices, until } = readInbox(answer.body);

		this.inboxes.noteRead(this.name, notices);
		if (until === undefined || this.random.chance(30))
			return undefined;
		const outcome = await this.member.change('/inbox/read', { until },
			'/inbox');

		this.inboxes.noteMark(this.name, until, outcome);
		return outcome;
	}

	/* Mutes or unmutes a thread; hides a member or shows them again. */
	#muting(articles) {
		const other = this.random.pick(this.history.members);
		const { id } = this.random.pick(articles);
		const isMember = this.random.chance(50);
		const path = isMember ? `/u/${other}` : `/articles/${id}`;
		const wanted = this.random.pick(['muted', 'unmuted']);

		return async () => {
			const end = this.inboxes.beginSetting(this.name,
				isMember ? `@${other}` : id, wanted);
			const outcome = isMember ?
				await this.member.change(`${path}/hide`,
					{ state: wanted === 'muted' ? 'on' : 'off' }, path) :
				await this.member.change(`${path}/mute`,
					{ wanted: wanted === 'muted' ? wanted : 'heard' }, path);

			end(outcome);
			return outcome;
		};
	}

	/* Follows a group, or leaves it. */
	#following() {
		const group = this.random.pick(this.history.groups);
		const state = this.random.pick(['on', 'on', 'off']);

		return async () => {
			const end = this.follows.begin(this.name, group, state);
			const outcome = await this.member.change(`/g/${group}/follow`, { state },
				`/g/${group}`);

			end(outcome);
			return outcome;
		};
	}

	/* Saves a comment or its article, or no longer. */
	#saving(comment) {
		const isArticle = this.random.chance(50);
		const path = isArticle ? `/articles/${comment.article}` : pathOf(comment);
		const place = isArticle ? `${path}#article-${comment.article}` : placeOf(comment);
		const post = isArticle ? `${comment.article}` : comment.key;
		const state = this.random.pick(['on', 'on', 'off']);

		return async () => {
			const end = this.saves.begin(this.name, post, state);
			const outcome = await this.member.change(`${path}/save`, { state }, place);

			end(outcome);
			return outcome;
		};
	}

	#removing(comment) {
		const place = this.random.pick(['there', 'removed']);
		const act = place === 'removed' ? 'remove' : 'restore';

		return async () => {
			/* Either, until there is an answer. */
			this.commentLog.noteRemoval(comment.key, place, UNKNOWN);
			const outcome = await this.member.change(`${pathOf(comment)}/${act}`,
				{}, pathOf(comment));

			this.commentLog.noteRemoval(comment.key, place, outcome);
			return outcome;
		};
	}

	#closing({ id }) {
		const wanted = this.random.pick(['open', 'open', 'closed']);

		return async () => {
			this.commentLog.noteThread(id, wanted, UNKNOWN);
			const outcome = await this.member.change(`/articles/${id}/thread`,
				{ wanted }, `/articles/${id}`);

			this.commentLog.noteThread(id, wanted, outcome);
			return outcome;
		};
	}
}
