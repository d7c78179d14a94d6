/*
 * The faults. Each takes a world { site, history, availability, random, pause }: pause()
 * waits for the duration of faults in this run. A fault is over when its function
 * returns, or earlier, when it calls availability.end().
 */
import fs from 'node:fs';

import { sleep, until } from './support.mjs';

/* Milliseconds; workers give up on Redis earlier. */
const REDIS_STOPPED = 2500;
/* Milliseconds in which requests pile up while Redis is stopped. */
const PILE_UP = 200;

/* Milliseconds: until a stopped relay's last call is answered, between two tries to stop
 * it at work, and until giving up on that. */
const RELAY_ANSWERED = 3;
const RELAY_LIFE = 6;
const RELAY_AIM = 3000;

/* Seconds by which a clock is a little wrong. */
const DRIFT = 60;

/* How long votes stay open: a clock that moves further closes the articles. */
export const WINDOW = 3600;

function aWorker({ site, random }) {
	return random.pick(site.workers);
}

function redis({ site }) {
	return site.children('redis-server')[0].pid;
}

async function stopped(pid, wait) {
	process.kill(pid, 'SIGSTOP');
	await wait();
	process.kill(pid, 'SIGCONT');
}

/* The one with the most connections: another may have no request at all. */
function busiestWorker({ site }) {
	const connections = (pid) => fs.readdirSync(`/proc/${pid}/fd`).length;

	return site.workers.reduce((one, other) =>
		connections(other) > connections(one) ? other : one);
}

/* In the middle of requests, which wait for Redis. */
function workerKilled(world) {
	return stopped(redis(world), async () => {
		await sleep(PILE_UP);
		process.kill(busiestWorker(world), 'SIGKILL');
	});
}

/* At any moment: the next one soon continues its work. */
export async function relayKilled({ site, pause }) {
	for (const { pid } of site.children('tally-relay'))
		process.kill(pid, 'SIGKILL');
	await pause();
}

/* The index has all that was acknowledged, or the check would tell. */
async function searchKilled({ site, pause }) {
	for (const name of ['tally-search', 'tally-finder'])
		for (const { pid } of site.children(name))
			process.kill(pid, 'SIGKILL');
	await pause();
}

/* Stops a relay, and kills it if it is at work; returns true if it was. */
async function killedAtWork(pid, watch) {
	process.kill(pid, 'SIGSTOP');
	await sleep(RELAY_ANSWERED);
	const isAtWork = watch.isAtWork;

	process.kill(pid, isAtWork ? 'SIGKILL' : 'SIGCONT');
	return isAtWork;
}

/* Repeatedly, each time between two calls that belong to one unit of a relay's work,
 * which takes a millisecond four times a second. */
async function relayKilledAtWork({ site, random, pause }) {
	const watch = site.watchRelay();
	const began = performance.now();
	let isOver = false, kills = 0, relay;

	pause().then(() => { isOver = true; });
	while (!isOver || (kills === 0 && performance.now() < began + RELAY_AIM)) {
		relay ??= site.children('tally-relay')[0];
		if (relay !== undefined && await killedAtWork(relay.pid, watch)) {
			const { pid } = relay;

			await until('a killed relay is gone', () =>
				site.children('tally-relay')[0]?.pid !== pid);
			relay = undefined;
			kills++;
		}
		await sleep(random.below(RELAY_LIFE));
	}
	watch.stop();
}

function relayStopped(world) {
	const [{ pid }] = world.site.children('tally-relay');

	return stopped(pid, world.pause);
}

/* Redis exits rather than acknowledge what it cannot write. */
async function diskFull(world) {
	const { site, pause } = world;
	const before = redis(world);

	site.fillDisk();
	await until('Redis has ended', () =>
		site.children('redis-server')[0]?.pid !== before);
	await pause();
	site.emptyDisk();
}

/* The fault is over by then: the start is part of the recovery. */
async function startAgain({ site, availability }) {
	availability.end();
	await site.start();
}

async function serviceKilled(world) {
	const { site } = world;

	site.process.kill('SIGKILL');
	await site.ended;
	await until('all have ended', () => site.running.length === 0);
	await startAgain(world);
}

async function outOfMemory({ site, pause }) {
	const used = +(await site.redis('INFO', 'memory'))
		.match(/^used_memory:(\d+)/m)[1];

	await site.redis('CONFIG', 'SET', 'maxmemory', used);
	await pause();
	await site.redis('CONFIG', 'SET', 'maxmemory', 0);
}

async function clockMoved({ site, history, pause }, direction) {
	for (const seconds of [DRIFT, 2 * WINDOW, 0]) {
		history.epoch++;
		site.moveClock(direction * seconds);
		await pause();
	}
}

export const FAULTS = {
	'a worker killed': workerKilled,
	'a worker stopped': (world) => stopped(aWorker(world), world.pause),
	'the relay killed': relayKilled,
	'the relay killed at work': relayKilledAtWork,
	'the relay stopped': relayStopped,
	'search killed': searchKilled,
	'Redis killed': async (world) => process.kill(redis(world), 'SIGKILL'),
	'Redis stopped': (world) =>
		stopped(redis(world), () => sleep(REDIS_STOPPED)),
	'the service reloaded': async ({ site }) => site.process.kill('SIGHUP'),
	'the service restarted': async (world) => {
		await world.site.stop('SIGTERM');
		await startAgain(world);
	},
	'the service killed': serviceKilled,
	'the disk full': diskFull,
	'the memory full': outOfMemory,
	'the clock ahead': (world) => clockMoved(world, 1),
	'the clock behind': (world) => clockMoved(world, -1),
};
