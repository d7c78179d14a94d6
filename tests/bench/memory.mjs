/*
 * How much memory Redis needs for an article, for a comment and for a vote: by how much it
 * grows with many of them; of articles also in the layout of the write-ups.
 *
 * Comments are those of talk.mjs, in articles of which half have ten at most and the
 * largest a thousand, and of what they take their texts are not counted: that memory comes
 * in certain sizes is.
 *
 * What a key takes in Redis's tables depends on how full these are. They have 2^n places,
 * twice as many whenever they are full, so on a site that grows they are between half and
 * wholly full, and on average a key has 2 ln 2 = 1.39 places of 8 bytes. So many comments
 * are written that they have just that: an open comment is two keys, and one of them
 * expires, and so both tables are as full as they are on average. Tables shrink only when
 * they are nearly empty. So for closed comments the records of voters are taken away while
 * they are written, some at a time, as on a site where voting on most has ended: of one
 * where it ended on all at once the table would be twice as large for good.
 */
import { redisInfo, redisPipe } from '../site/redis.mjs';
import { startPlainRedis, startSite, writeData } from './sites.mjs';
import { checkCount, comments, fromEverybody, talkSizes, untilTold, upTo,
	voteCommand, votersKey, votes, WRITERS } from './talk.mjs';
import { sleep } from '../site/support.mjs';

const PLACES = 2 * Math.LN2;
const AT_ONCE = 1000; /* comments that take votes while the others have closed */

/* Writes a part of the data; returns the bytes by which Redis grew for each. */
async function grow(socket, layout, part, first, count) {
	const before = redisInfo(socket, 'memory', 'used_memory');
	const { votes } = writeData(socket, layout, part, first, count);

	/* By then Redis has freed the buffers of the program that wrote. */
	await sleep(300);
	return (redisInfo(socket, 'memory', 'used_memory') - before) /
		(part === 'votes' ? votes : count);
}

/* Closed and open articles are measured in a Redis of their own each, which
 * start() starts: together, a member's articles would exceed a compact list. */
async function bytesOf(start, layout, count) {
	const first = await start('closed'), second = await start('open');

	return {
		closed: await grow(first, layout, 'closed', 1, count),
		open: await grow(second, layout, 'open', 1, count),
		vote: await grow(second, layout, 'votes', 1, count),
	};
}

async function memoryOf(socket) {
	await untilTold(socket);
	await sleep(300);
	return redisInfo(socket, 'memory', 'used_memory');
}

/* Without the records of voters, when these are to go. */
function commandsOf(article, count, subject, goes) {
	const numbers = upTo(count).map((i) => i + 1);
	const { commands, bytes } = comments(article, numbers, subject);

	return { bytes, commands: goes ? [...commands,
		['DEL', ...numbers.map((number) => votersKey(article, number))]] :
		commands };
}

/* So many comments each in the articles; returns the bytes of their texts. */
function writeComments(socket, sizes, goes) {
	let batch = [], text = 0;

	for (const [i, count] of sizes.entries()) {
		const { commands, bytes } = commandsOf(i + 1, count, i, goes);

		batch.push(...commands);
		text += bytes;
		if (batch.length < AT_ONCE && i + 1 < sizes.length)
			continue;
		redisPipe(socket, batch);
		batch = [];
	}
	for (const [i, count] of sizes.entries())
		if (i % 100 === 0)
			checkCount(socket, i + 1, count);
	return text;
}

/* What is there only once is there before: the list of the newest comments, and of every
 * member who writes a list and points. */
async function startTalk(start, name, articles, goes) {
	const socket = await start(name);
	const article = articles + 1; /* the next one */
	const written = fromEverybody(article);
	const numbers = upTo(written.length).map((i) => i + 1);

	writeData(socket, 'tally', 'open', 1, article);
	redisPipe(socket, [...written,
		...numbers.map((number) => voteCommand(article, number, 0)),
		...goes ? [['DEL', ...numbers.map((number) =>
			votersKey(article, number))]] : []]);
	checkCount(socket, article, written.length);
	return socket;
}

/* What a comment takes beside its text. */
async function bytesOfComment(socket, sizes, count, goes) {
	const before = await memoryOf(socket);
	const text = writeComments(socket, sizes, goes);

	return (await memoryOf(socket) - before - text) / count;
}

/* { closed, open, vote } in bytes; all comments are fewer than 2^power. */
async function bytesOfTalk(start, power) {
	const count = Math.floor(2 ** power / PLACES) - WRITERS;
	const sizes = talkSizes(count);
	const first = await startTalk(start, 'talk-closed', sizes.length, true);
	const second = await startTalk(start, 'talk-open', sizes.length, false);
	const closed = await bytesOfComment(first, sizes, count, true);
	const open = await bytesOfComment(second, sizes, count, false);
	const before = await memoryOf(second);
	const cast = sizes.flatMap((size, i) => votes(i + 1, size, i));

	redisPipe(second, cast);
	return { closed, open,
		vote: (await memoryOf(second) - before) / cast.length };
}

/* { tally, talk, writeups }, each { closed, open, vote } in bytes. */
export async function measureBytes(count) {
	const sites = [];
	const start = async (name) => {
		sites.push(await startSite(`memory-${name}`));
		return sites.at(-1).socket;
	};
	const tally = await bytesOf(start, 'tally', count);
	const talk = await bytesOfTalk(start, Math.round(Math.log2(count)));

	for (const site of sites)
		await site.stop();
	return { tally, talk, writeups: await bytesOf(
		(name) => startPlainRedis(`memory-writeups-${name}`),
		'writeups', count) };
}
