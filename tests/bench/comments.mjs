/*
 * Generated comments and notices: the same on every run, and written by the Redis
 * functions that write real ones.
 *
 * In a thread 20 % of the comments reply to the article. Of the others, half reply
 * to any earlier comment, half to one of the last ten. So of 10,000 the deepest has 25
 * ancestors, the average one three or four, and the largest subtree has 800. Their texts
 * have 40 to 400 bytes, the long ones in two paragraphs, and their authors are those of the
 * articles (sample.h): a tenth of them writes a third.
 */
import { redis, redisPipe } from '../site/redis.mjs';
import { until } from '../site/support.mjs';

const TAG = '{0.0}'; /* of the only bucket */
const DAY = 86400, VOTE_WINDOW = 7 * DAY, THREAD_WINDOW = 30 * DAY;
const SLOW_MODE = [5, 600]; /* RULE_SLOW_FLAGS, RULE_SLOW_SECONDS */
const INBOX_MAX = 500;
const BY_ARTICLE = 0, BY_REPLY = 1; /* the reason of a notice */

export const WRITERS = 899; /* the authors in sample.h */
const FIRST_WRITER = 100; /* SAMPLE_READERS */

const WORDS = `well the way I read it this was true of every release before and it is not
	any more since nobody measures what they ship one could argue that a smaller team has
	fewer meetings but then who answers when it breaks at night we tried that for a year
	and went back`.split(/\s+/);

export const upTo = (count) => Array.from({ length: count }, (_, i) => i);

/* A pseudorandom number from 0 to 1 (MurmurHash3's finalizer). */
function scatter(number, purpose) {
	let z = number + Math.imul(purpose, 0x9e3779b9);

	z = Math.imul(z ^ z >>> 16, 0x85ebca6b);
	z = Math.imul(z ^ z >>> 13, 0xc2b2ae35);
	return ((z ^ z >>> 16) >>> 0) / 2 ** 32;
}

const below = (limit, number, purpose) =>
	Math.floor(scatter(number, purpose) * limit);

/* The id of a member, the same as sample_member's. */
const memberId = (index) => (index + 1) * 1000;

/* Squared, so that a few write much and most write little. */
const writer = (seed) =>
	FIRST_WRITER + Math.floor(scatter(seed, 1) ** 2 * WRITERS);

/* The parent of comment number of an article; 0 is the article. */
function parentOf(number, seed) {
	if (number === 1 || scatter(seed, 2) < 0.2)
		return 0;
	const back = scatter(seed, 3) < 0.5 ? number - 1 : Math.min(number - 1, 10);

	return number - 1 - below(back, seed, 4);
}

export function textOf(seed) {
	const size = 40 + below(361, seed, 5);
	let text = `No. ${seed}`;

	for (let i = 0; text.length < size; i++)
		text += (size > 250 && i === 20 ? '\n\n' : ' ') +
			WORDS[below(WORDS.length, seed, 6 + i)];
	return text.slice(0, size).trimEnd();
}

/* The same seed makes the same comment; a number's parents are those before it. */
function commentCommand(article, number, seed, author = writer(seed)) {
	const parent = parentOf(number, seed);

	return ['FCALL', 'comment_1', 1, `${TAG}article:${article}`,
		memberId(author), VOTE_WINDOW, THREAD_WINDOW, ...SLOW_MODE, '', 0,
		...parent > 0 ? ['parent', parent] : [], 'text', textOf(seed),
		'author', `${memberId(author)} reader${author}`, 'up', 1];
}

export const votersKey = (article, number) =>
	`${TAG}voters:${article}:${number}`;

/* A member's upvote; voters of one comment must differ. */
export function voteCommand(article, number, voter) {
	const id = memberId(voter);

	return ['FCALL', 'vote_3', 1, `${TAG}comment:${article}:${number}`, id,
		'up', 432, 200, 1e12 + id];
}

/* Marks the article as read by all readers, so that its comments are not all new. */
const visitCommand = (article, last, reader) => ['FCALL', 'visit_1', 1,
	`{u${memberId(reader)}}user`, article, last, 400];

/* Encoded as in store/encoding.h. */
function shortOf(number) {
	const size = Math.max(1, Math.ceil(number.toString(2).length / 7));
	const bytes = Buffer.alloc(size);

	bytes.writeUIntBE(number, 0, size);
	bytes[0] |= 0x100 - (0x200 >> size);
	return bytes;
}

/* An entry of an inbox. */
const noticeOf = ({ article, number, why }) =>
	Buffer.concat([shortOf(article), shortOf(number), Buffer.from([why])]);

const noticeCommand = (reader, notice) => ['FCALL', 'deliver_1', 1,
	`{u${memberId(reader)}}user`, noticeOf(notice), notice.article,
	memberId(FIRST_WRITER), INBOX_MAX];

const seedOf = (subject, number) => subject * 100003 + number;

/* The comments of an article with these numbers, as commands, and the bytes of their
 * texts. The same subject makes the same comments in every article. */
export function comments(article, numbers, subject) {
	return { commands: numbers.map((number) =>
		commentCommand(article, number, seedOf(subject, number))),
	bytes: numbers.reduce((sum, number) =>
		sum + Buffer.byteLength(textOf(seedOf(subject, number))), 0) };
}

/* One comment by each author, with the numbers from 1 on. */
export const fromEverybody = (article) => upTo(WRITERS).map((i) =>
	commentCommand(article, i + 1, seedOf(article, i + 1), FIRST_WRITER + i));

/* Waits until all notices are delivered. */
export const untilDelivered = (socket) => until('the outbox is empty', () =>
	redis(socket, 'XLEN', `${TAG}outbox`) === 0, 60);

/* Checks the replies, since redis-cli --pipe hides that a function did nothing. */
export function checkCount(socket, article, wanted) {
	const [found] = redis(socket, 'HMGET', `${TAG}article:${article}`,
		'comments');

	if (Number(found) !== wanted)
		throw new Error(`article ${article} has ${found} comments of ${wanted}`);
}

export const SOME = 200, MANY = 10000;
const SINGLES = 100; /* articles that get comments during the measurement */
const READERS = 100, MEDIAN_VOTES = 1, VOTES_MAX = 100, FULL_INBOXES = 4;

/* Most get few votes, one in ten nine times the median. */
const votesOn = (number) => {
	const part = scatter(number, 7) + 1e-4;

	return Math.min(VOTES_MAX, Math.floor(MEDIAN_VOTES * (1 - part) / part + 0.5));
};

/* Votes on the first comments of an article with this subject. The voters are writers, so
 * that readers can still vote on what they see. Authors are left out, since they have voted.
 * 7 and 899 have no common divisor, so nobody votes twice. */
export const votes = (article, count, subject) => upTo(count).flatMap((i) =>
	upTo(votesOn(i)).map((vote) =>
		FIRST_WRITER + (below(WRITERS, i, 8) + 7 * vote) % WRITERS)
		.filter((voter) => voter !== writer(seedOf(subject, i + 1)))
		.map((voter) => voteCommand(article, i + 1, voter)));

/* The numbers of comments of articles with this total; half of them have at most ten. */
export function threadSizes(total) {
	const sizes = [];

	for (let left = total; left > 0; left -= sizes.at(-1)) {
		const part = scatter(sizes.length, 9) + 1e-4;

		sizes.push(Math.min(left, 1000, 1 + Math.floor(10 * (1 - part) / part)));
	}
	return sizes;
}

/* The 500 notices of a full inbox: replies in one long thread, and on the first pages
 * comments on many articles. */
function notices({ many, singles }) {
	return [...upTo(INBOX_MAX - SINGLES).map((i) =>
		({ article: many, number: i + 1, why: BY_REPLY })),
	...upTo(SINGLES).map((i) =>
		({ article: singles + i, number: 1, why: BY_ARTICLE }))];
}

/*
 * Adds comments to a site filled by data.c, from article first on. Returns { none, some, many, singles } are
 * articles, of which none has no comment, some SOME, many MANY, and singles is the first
 * of SINGLES with one each. The first FULL_INBOXES members have full inboxes.
 */
export async function fillThreads(socket, first) {
	const threads = { none: first, some: first + 1, many: first + 2,
		singles: first + 3, singleCount: SINGLES };

	const counts = [[threads.some, SOME], [threads.many, MANY],
		...upTo(SINGLES).map((i) => [threads.singles + i, 1])];

	redisPipe(socket, counts.flatMap(([article, count], subject) =>
		comments(article, upTo(count).map((i) => i + 1), subject).commands));
	for (const [article, count] of counts)
		checkCount(socket, article, count);
	redisPipe(socket, counts.flatMap(([article, count], subject) =>
		votes(article, count, subject)));
	redisPipe(socket, upTo(FULL_INBOXES).flatMap((reader) =>
		notices(threads).map((one) => noticeCommand(reader, one))));
	redisPipe(socket, upTo(READERS).flatMap((reader) =>
		[visitCommand(threads.some, SOME, reader),
			visitCommand(threads.many, MANY, reader)]));
	await untilDelivered(socket);
	return threads;
}

/* The members with a full inbox. */
export const withFullInbox = (members) => members.slice(0, FULL_INBOXES);
