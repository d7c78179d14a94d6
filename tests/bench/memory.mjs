/*
 * What Redis takes for an article and for a vote: the growth of its memory by
 * many of them, in Tally's layout and in that of the write-ups.
 */
import { redisInfo } from './redis.mjs';
import { startPlainRedis, startSite, writeData } from './sites.mjs';
import { sleep } from '../site/support.mjs';

/* Bytes by which a part grows Redis, for each of what it wrote. */
async function grow(socket, layout, part, first, count) {
	const before = redisInfo(socket, 'memory', 'used_memory');
	const { votes } = writeData(socket, layout, part, first, count);

	/* Until the buffers of who wrote are given back. */
	await sleep(300);
	return (redisInfo(socket, 'memory', 'used_memory') - before) /
		(part === 'votes' ? votes : count);
}

async function bytesOf(socket, layout, count) {
	return {
		closed: await grow(socket, layout, 'closed', 1, count),
		open: await grow(socket, layout, 'open', count + 1, count),
		vote: await grow(socket, layout, 'votes', count + 1, count),
	};
}

/* { tally, writeups }, each { closed, open, vote } in bytes. */
export async function measureBytes(count) {
	const site = await startSite('memory');
	const tally = await bytesOf(site.socket, 'tally', count);

	await site.stop();
	return { tally, writeups: await bytesOf(
		await startPlainRedis('memory-writeups'), 'writeups', count) };
}
