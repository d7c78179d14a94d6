/*
 * A site on several Redis nodes, and the faults of these.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { relayKilled } from './chaos_faults.mjs';
import { ChaosLines } from './chaos_site.mjs';
import { Nodes } from './nodes.mjs';
import { Site, freePort, sleep, tally } from './support.mjs';

/* Milliseconds: longer than the time after which a replica takes over. */
const LATE = 3000;

/* The same: while a replica takes over. */
const IN_BETWEEN = 1450;

/* Seconds for which workers use cached data of a part that is down. */
const STALE = 3;

export class NodesSite extends ChaosLines(Site) {
	static async start(folder, kind, settings) {
		const nodes = await Nodes[kind](path.join(folder, 'nodes'));
		const site = new NodesSite(path.join(folder, 'site'),
			{ ...settings, TALLY_REDIS: nodes.address, TALLY_STALE: STALE });

		site.nodes = nodes;
		site.port = await freePort();
		await site.start();
		return site;
	}

	async stop(signal) {
		await super.stop(signal);
		await this.nodes.stop();
	}

	command(...words) {
		return tally(words, { settings: this.settings });
	}

	/* Any master knows which node has the key. */
	ask(...words) {
		const [{ port }] = this.nodes.masters;
		const { status, stdout, stderr } = spawnSync('redis-cli', ['-c',
			'-p', port, '--json', ...words].map(String), { encoding: 'utf8' });

		if (status !== 0)
			throw new Error(`redis-cli ${words.join(' ')}: ${stderr}${stdout}`);
		return JSON.parse(stdout);
	}

	/* The number of entries in the outboxes. */
	undelivered() {
		const lengths = this.nodes.masters.flatMap((node) =>
			node.ask('KEYS', '*outbox').trim().split('\n').filter(Boolean)
				.map((key) => +node.ask('XLEN', key)));

		return lengths.reduce((sum, one) => sum + one, 0);
	}

	/* Afterwards only what is on the disks is found. */
	async restartRedis() {
		await this.nodes.stop();
		await this.nodes.start();
		await this.nodes.untilWhole();
	}
}

const aMaster = ({ site, random }) => random.pick(site.nodes.masters);
const aReplica = ({ site, random }) => random.pick(site.nodes.replicas);

async function backAfter(world, node, milliseconds) {
	await node.kill();
	await sleep(milliseconds);
	node.start();
	world.availability.end();
	await world.site.nodes.untilWhole();
}

async function paused(world, node, milliseconds) {
	node.process.kill('SIGSTOP');
	await sleep(milliseconds);
	node.process.kill('SIGCONT');
	world.availability.end();
	await world.site.nodes.untilWhole();
}

/* A master with all of its replicas, for longer than workers use cached data of it. */
async function partGone(world) {
	const { site: { nodes } } = world;
	const master = aMaster(world);
	const id = master.ask('CLUSTER', 'MYID').trim();
	const follows = (node) => node.ask('CLUSTER', 'NODES').split('\n')
		.some((line) => line.includes('myself,slave') && line.includes(id));
	const part = [master, ...nodes.replicas.filter(follows)];

	await Promise.all(part.map((node) => node.kill()));
	await sleep(STALE * 1000 + LATE);
	for (const node of part)
		node.start();
	world.availability.end();
	await nodes.untilWhole();
}

async function slotsMoved(world) {
	const { site, random } = world;
	const [from, to] = random.shuffled(site.nodes.masters);

	await site.nodes.moveSlots(from, to, 60);
	world.availability.end();
	await site.nodes.untilWhole();
}

async function allRestarted(world) {
	const { nodes } = world.site;

	await nodes.stop();
	await nodes.start();
	world.availability.end();
	await nodes.untilWhole();
}

const both = {
	'a master killed, back at once': (world) =>
		backAfter(world, aMaster(world), 0),
	'a master killed, back late': (world) =>
		backAfter(world, aMaster(world), LATE),
	'a master stopped': (world) => paused(world, aMaster(world), LATE),
	'a replica lags': (world) => paused(world, aReplica(world), 1500),
	'a replica killed': (world) => backAfter(world, aReplica(world), 500),
	'a worker killed': async ({ site, random }) =>
		process.kill(random.pick(site.workers), 'SIGKILL'),
	'the relay killed': relayKilled,
	'the site reloaded': async ({ site }) => site.process.kill('SIGHUP'),
	'everything restarted': allRestarted,
};

export const NODE_FAULTS = {
	cluster: { ...both,
		'a master gone with its replicas': partGone,
		'slots moved': slotsMoved,
		'slots moved again': slotsMoved },
	sentinel: { ...both,
		'a master killed, back in its failover': (world) =>
			backAfter(world, aMaster(world), IN_BETWEEN),
		'a sentinel killed': async (world) => {
			const node = world.random.pick(world.site.nodes.sentinels);

			await node.kill();
			await sleep(500);
			node.start();
		}, },
};
