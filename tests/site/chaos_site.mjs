/*
 * A site for faults: its folder is a small disk of its own, and its Redis has a
 * clock that can be moved.
 *
 * The disk is a tmpfs in this process's mount namespace, which chaos.mjs has
 * made, so it vanishes with the last process of the site.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

import { Site, freePort, giveAway, redisSecret, until } from './support.mjs';

const DISK = 256 << 20; /* bytes that the disk may grow to */
const LEFT = 16 << 10; /* bytes left on a disk that is nearly full */

const SHIM = path.resolve(process.env.BUILD ?? 'build',
	'tests/support/clock_shim.so');

/* The source is named when it is remounted, too: otherwise mount repeats the
 * options that are in force, some of which a user namespace may not set. */
function mount(folder, options) {
	execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
}

/*
 * A redis-server that comes before the real one in PATH. It and what it takes are in
 * the site's folder, and named from there: whoever runs the site for root may reach
 * nothing else.
 */
function wrapRedis(folder) {
	fs.mkdirSync(path.join(folder, 'programs'), { recursive: true });
	fs.copyFileSync(SHIM, path.join(folder, 'clock_shim.so'));
	fs.writeFileSync(path.join(folder, 'clock'), Buffer.alloc(16));
	fs.writeFileSync(path.join(folder, 'programs/redis-server'), `#!/bin/sh
PATH='${process.env.PATH}:/usr/sbin'
exec env LD_PRELOAD=./clock_shim.so TALLY_TEST_CLOCK=clock redis-server "$@"
`, { mode: 0o755 });
	fs.chmodSync(folder, 0o700);
	giveAway(folder);
}

/* What a site of any kind is asked when all is over. */
export const ChaosLines = (Base) => class extends Base {
	/* Every article, as the dump has it, and the names of who is suspended. */
	dumped() {
		const { status, out, err } = this.command('dump');

		if (status !== 0)
			throw new Error(`dump: ${err}`);
		const lines = out.trim().split('\n').map((line) => JSON.parse(line));

		return { articles: lines.filter(({ kind }) => kind === 'article'),
			suspended: lines.filter((line) => line.kind === 'user' &&
				line.suspended != null).map(({ name }) => name) };
	}

	/* The list of all articles as the client sees it, each as { id, vote }. The
	 * worker that answers may have to find first that Redis is back. */
	async lines(client) {
		const lines = [];

		for (let page = 1; ; page++) {
			let status, body;

			await until(`page ${page} is answered`, async () => {
				({ status, body } =
					await client.get(`/?order=oldest&page=${page}`));
				assert.equal(status, 200);
				assert.doesNotMatch(body, /cannot be reached right now/);
			});
			for (const [, id, vote] of body.matchAll(
				/data-id="(\d+)".*?data-vote="(\w+)"/g))
				lines.push({ id: +id, vote });
			if (!body.includes('rel="next"'))
				return lines;
		}
	}
};

export class ChaosSite extends ChaosLines(Site) {
	#clock;
	#disk;

	static async start(folder, settings) {
		const disk = path.join(folder, 'disk');
		const site = new ChaosSite(path.join(disk, 'site'),
			{ PATH: `programs:${process.env.PATH}`, ...settings });

		site.#disk = disk;
		fs.mkdirSync(disk);
		mount(disk, `size=${DISK}`);
		wrapRedis(site.folder);
		site.#clock = fs.openSync(path.join(site.folder, 'clock'), 'r+');
		site.port = await freePort();
		await site.start();
		return site;
	}

	/* Sets how many seconds Redis's clock is ahead of the machine's. */
	moveClock(seconds) {
		const offset = Buffer.alloc(8);

		offset.writeBigInt64LE(BigInt(seconds));
		fs.writeSync(this.#clock, offset, 0, offset.length, 0);
	}

	/* What is written from now on finds the disk full, until emptyDisk(). */
	fillDisk() {
		const { blocks, bfree, bsize } = fs.statfsSync(this.#disk);

		mount(this.#disk,
			`remount,size=${(blocks - bfree) * bsize + LEFT}`);
	}

	emptyDisk() {
		mount(this.#disk, `remount,size=${DISK}`);
	}

	/* Sends Redis a command as its administrator; resolves to the raw reply. */
	async redis(...words) {
		const secret = redisSecret(this.folder, 'admin');
		const commands = [...secret === '' ? [] : [`AUTH admin ${secret}`],
			words.join(' '), 'QUIT'];
		const socket = net.connect(path.join(this.folder, 'redis.sock'));
		const parts = [];

		socket.end(commands.map((line) => `${line}\r\n`).join(''));
		for await (const part of socket)
			parts.push(part);
		const reply = Buffer.concat(parts).toString();

		if (/^-/m.test(reply))
			throw new Error(`${words}: ${reply}`);
		return reply;
	}

	/* Kills Redis once more, so that what is found is what the disk has. */
	async restartRedis() {
		const [{ pid }] = this.children('redis-server');

		process.kill(pid, 'SIGKILL');
		await until('another Redis runs', () => this.children('redis-server')
			.some((child) => child.pid !== pid));
	}
}
