/* Redis with a clock that a test can move (tests/support/clock_shim.c). */
import fs from 'node:fs';
import path from 'node:path';

import { giveAway } from './support.mjs';

const SHIM = path.join(process.env.BUILD ?? 'build', 'tests/support/clock_shim.so');

/*
 * A redis-server in programs/ of a site's folder, for the beginning of PATH: it starts the real one with
 * the clock of the file "clock". It and its files are in the site's folder, with relative names: the
 * user that runs the site for root may reach nothing else.
 */
export function wrapRedis(folder) {
	fs.mkdirSync(path.join(folder, 'programs'), { recursive: true });
	fs.copyFileSync(SHIM, path.join(folder, 'clock_shim.so'));
	fs.writeFileSync(path.join(folder, 'programs/redis-server'), `#!/bin/sh
PATH='${process.env.PATH}:/usr/sbin'
exec env LD_PRELOAD=./clock_shim.so TALLY_TEST_CLOCK=clock redis-server "$@"
`, { mode: 0o755 });
	const clock = new Clock(path.join(folder, 'clock'));

	fs.chmodSync(folder, 0o700);
	giveAway(folder);
	return clock;
}

/* Moments are Unix seconds. */
export class Clock {
	#file;
	#ahead = 0;

	constructor(name) {
		fs.writeFileSync(name, Buffer.alloc(16));
		this.#file = fs.openSync(name, 'r+');
	}

	/* Sets how many seconds it is ahead of the machine's. */
	move(seconds) {
		const bytes = Buffer.alloc(8);

		bytes.writeBigInt64LE(BigInt(seconds));
		fs.writeSync(this.#file, bytes, 0, bytes.length, 0);
		this.#ahead = seconds;
	}

	/* Puts it at a moment; it goes on from there. */
	set(moment) {
		this.move(moment - Math.floor(Date.now() / 1000));
	}

	/* Its moment. */
	get now() {
		return Math.floor(Date.now() / 1000) + this.#ahead;
	}
}
