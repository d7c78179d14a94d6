/*
 * How much memory Redis needs for an article and for a vote: by how much it grows
 * with many of them, in Tally's layout and in that of the write-ups.
 */
import { redisInfo } from '../site/redis.mjs';
import { startPlainRedis, startSite, writeData } from './sites.mjs';
import { sleep } from '../site/support.mjs';

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

/* { tally, writeups }, each { closed, open, vote } in bytes. */
export async function measureBytes(count) {
	const sites = [];
	const tally = await bytesOf(async (name) => {
		sites.push(await startSite(`memory-${name}`));
		return sites.at(-1).socket;
	}, 'tally', count);

	for (const site of sites)
		await site.stop();
	return { tally, writeups: await bytesOf(
		(name) => startPlainRedis(`memory-writeups-${name}`),
		'writeups', count) };
}
