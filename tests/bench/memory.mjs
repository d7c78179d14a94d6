/*
 * Memory of Redis for an article, for a comment and for a vote: its growth with many of
 * them; for articles also in the layout of the write-ups.
 *
 * Comments are those of comments.mjs. Half of the articles have at most ten, the largest a
 * thousand. The bytes of their texts are not counted, but the rounding of allocations is.
 *
 * The cost of a key in Redis's hash tables depends on their load. Tables have 2^n slots and
 * double when full, so on a growing site they are between half and completely full, and a
 * key has 2 ln 2 = 1.39 slots of 8 bytes on average. The number of comments is chosen to
 * give exactly that: an open comment has two keys, one of which expires, so both tables
 * have their average load. Tables shrink only when nearly empty. So the voters of closed
 * comments are deleted in batches during writing, as on a site where voting on most has
 * ended: deleted all at once, they would leave a table of twice the size.
 */
import { redisInfo, redisPipe } from '../site/redis.mjs';
import { startPlainRedis, startSite, writeData } from './sites.mjs';
import { checkCount, comments, fromEverybody, threadSizes, untilDelivered, upTo,
	voteCommand, votersKey, votes, WRITERS } from './comments.mjs';
import { sleep } from '../site/support.mjs';

const SLOTS_PER_KEY = 2 * Math.LN2;
const BATCH = 1000; /* comments that take votes while the others have closed */

/* Writes a part of the data; returns Redis's growth in bytes for each item. */
async function grow(socket, layout, part, first, count) {
	const before = redisInfo(socket, 'memory', 'used_memory');
	const { votes } = writeData(socket, layout, part, first, count);

	/* Until Redis has freed the buffers of the writing client. */
	await sleep(300);
	return (redisInfo(socket, 'memory', 'used_memory') - before) /
		(part === 'votes' ? votes : count);
}

/* Closed and open articles are each measured in a new Redis from start(): together, a
 * member's articles would exceed a compact list. */
async function bytesOf(start, layout, count) {
	const first = await start('closed'), second = await start('open');

	return {
		closed: await grow(first, layout, 'closed', 1, count),
		open: await grow(second, layout, 'open', 1, count),
		vote: await grow(second, layout, 'votes', 1, count),
	};
}

async function memoryOf(socket) {
	await untilDelivered(socket);
	await sleep(300);
	return redisInfo(socket, 'memory', 'used_memory');
}

/* The commands that write an article's comments; closed ones lose their records of voters. */
function commandsOf(article, count, subject, isClosed) {
	const numbers = upTo(count).map((i) => i + 1);
	const { commands, bytes } = comments(article, numbers, subject);

	return { bytes, commands: isClosed ? [...commands,
		['DEL', ...numbers.map((number) => votersKey(article, number))]] :
		commands };
}

/* Writes so many comments to each article; returns the bytes of their texts. */
function writeComments(socket, sizes, isClosed) {
	let batch = [], text = 0;

	for (const [i, count] of sizes.entries()) {
		const { commands, bytes } = commandsOf(i + 1, count, i, isClosed);

		batch.push(...commands);
		text += bytes;
		if (batch.length < BATCH && i + 1 < sizes.length)
			continue;
		redisPipe(socket, batch);
		batch = [];
	}
	for (const [i, count] of sizes.entries())
		if (i % 100 === 0)
			checkCount(socket, i + 1, count);
	return text;
}

/* Creates keys that exist once before the measurement: the list of the newest comments,
 * and each author's list and karma. */
async function startThreads(start, name, articles, isClosed) {
	const socket = await start(name);
	const article = articles + 1; /* the next one */
	const written = fromEverybody(article);
	const numbers = upTo(written.length).map((i) => i + 1);

	writeData(socket, 'tally', 'open', 1, article);
	redisPipe(socket, [...written,
		...numbers.map((number) => voteCommand(article, number, 0)),
		...isClosed ? [['DEL', ...numbers.map((number) =>
			votersKey(article, number))]] : []]);
	checkCount(socket, article, written.length);
	return socket;
}

/* Bytes of a comment without its text. */
async function bytesOfComment(socket, sizes, count, isClosed) {
	const before = await memoryOf(socket);
	const text = writeComments(socket, sizes, isClosed);

	return (await memoryOf(socket) - before - text) / count;
}

/* { closed, open, vote } in bytes; all comments are fewer than 2^power. */
async function bytesOfThreads(start, power) {
	const count = Math.floor(2 ** power / SLOTS_PER_KEY) - WRITERS;
	const sizes = threadSizes(count);
	const first = await startThreads(start, 'comments-closed', sizes.length, true);
	const second = await startThreads(start, 'comments-open', sizes.length, false);
	const closed = await bytesOfComment(first, sizes, count, true);
	const open = await bytesOfComment(second, sizes, count, false);
	const before = await memoryOf(second);
	const cast = sizes.flatMap((size, i) => votes(i + 1, size, i));

	redisPipe(second, cast);
	return { closed, open,
		vote: (await memoryOf(second) - before) / cast.length };
}

/* { tally, comment, writeups }, each { closed, open, vote } in bytes. */
export async function measureBytes(count) {
	const sites = [];
	const start = async (name) => {
		sites.push(await startSite(`memory-${name}`));
		return sites.at(-1).socket;
	};
	const tally = await bytesOf(start, 'tally', count);
	const comment = await bytesOfThreads(start, Math.round(Math.log2(count)));

	for (const site of sites)
		await site.stop();
	return { tally, comment, writeups: await bytesOf(
		(name) => startPlainRedis(`memory-writeups-${name}`),
		'writeups', count) };
}
