/*
 * Private Redis nodes of a test: a cluster of masters with their replicas, or one master
 * with replicas and sentinels.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { freePort, until } from './support.mjs';

/* Milliseconds after which a node counts as dead, unless a test sets another time. */
const TIMEOUT = 1000;

/* Seconds until a machine counts as stuck, however busy it is. */
const STUCK = 120;

/* Each write is on disk before it is answered: some tests kill all copies of a part at
 * once, and with "everysec" the last second of writes would be lost. */
const options = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'yes',
	'--appendfsync', 'always', '--daemonize', 'no', '--logfile', 'redis.log',
	'--min-replicas-to-write', 1, '--set-max-intset-entries', 2048,
	'--lazyfree-lazy-expire', 'yes', '--lazyfree-lazy-user-del', 'yes',
	'--hash-max-listpack-value', 2048, '--zset-max-listpack-entries', 32,
	'--repl-diskless-sync-delay', 0,
	'--repl-timeout', 5, '--repl-ping-replica-period', 1];

/* TLS only, or no TLS at all; tls has the names of files. */
const ports = (port, tls) => tls ? ['--port', 0, '--tls-port', port,
	'--tls-replication', 'yes', '--tls-cluster', 'yes',
	'--tls-ca-cert-file', tls.authority, '--tls-cert-file', tls.certificate,
	'--tls-key-file', tls.key] : ['--port', port];

/* The same for redis-cli. */
const trusting = (tls) => tls ? ['--tls', '--cacert', tls.authority,
	'--cert', tls.certificate, '--key', tls.key] : [];

/* One server: its port, its folder, and its process while it runs. */
class Node {
	constructor(folder, port, words, tls) {
		Object.assign(this, { port, tls, words: [...words, ...ports(port, tls)],
			folder: path.join(folder, String(port)) });
		fs.mkdirSync(this.folder, { recursive: true });
	}

	start() {
		const { PATH } = process.env;

		this.process = spawn('redis-server', this.words.map(String), {
			cwd: this.folder, stdio: 'ignore',
			env: { ...process.env, PATH: `${PATH}:/usr/sbin` } });
		this.ended = new Promise((resolve) =>
			this.process.on('close', resolve));
	}

	kill(signal = 'SIGKILL') {
		this.process.kill(signal);
		return this.ended;
	}

	ask(...words) {
		const { status, stdout } = spawnSync('redis-cli',
			['-p', this.port, ...trusting(this.tls), ...words].map(String),
			{ encoding: 'utf8', timeout: 15000 });

		return status === 0 ? stdout : '';
	}

	get isRunning() {
		return this.process?.exitCode === null &&
			this.process.signalCode === null;
	}

	/* Makes it run, whether it was killed or stopped. */
	mend() {
		if (!this.isRunning)
			this.start();
		this.process.kill('SIGCONT');
	}

	get log() {
		const file = path.join(this.folder, 'redis.log');

		return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
	}

	is(role) {
		return this.ask('INFO', 'replication').includes(`role:${role}\r`);
	}

	/* For a message: what it says of itself and of the others. */
	get state() {
		return [`port ${this.port}`, this.ask('INFO', 'replication'),
			this.ask('CLUSTER', 'INFO'), this.ask('CLUSTER', 'NODES')].join('\n');
	}

	get isInStep() {
		const info = this.ask('INFO', 'replication');

		return /role:master\r/.test(info) ?
			/min_slaves_good_slaves:[1-9]/.test(info) :
			info.includes('master_link_status:up');
	}
}

/* The nodes and their roles, as one node sees them. */
const roles = (node) => node.ask('CLUSTER', 'NODES').trim().split('\n')
	.map((line) => line.replace('myself,', '').split(' '))
	.map(([id, , flags, master]) => `${id} ${flags} ${master}`).sort().join();

export class Nodes {
	all = [];
	sentinels = [];

	/* For TALLY_REDIS; one of the addresses is a dead port. */
	get address() {
		const list = (nodes) => nodes.map(({ port }) => `127.0.0.1:${port}`)
			.join();
		const tls = this.all[0].tls ? 'tls:' : '';

		return this.sentinels.length > 0 ?
			`${tls}sentinel:tally@${list(this.sentinels)}` :
			`${tls}cluster:127.0.0.1:1,${list(this.all.slice(0, 3))}`;
	}

	static async cluster(folder, masters = 3, replicas = 2, tls = null,
		timeout = TIMEOUT) {
		const nodes = new Nodes();

		for (let i = 0; i < masters * (1 + replicas); i++) {
			const port = await freePort();

			nodes.all.push(new Node(folder, port, [
				'--cluster-port', await freePort(), '--cluster-enabled', 'yes',
				'--cluster-node-timeout', timeout,
				'--cluster-require-full-coverage', 'no', ...options], tls));
		}
		await nodes.start();
		/* A node forgets one that it meets and that says nothing for so long. */
		await nodes.setTimeout(STUCK * 1000);
		const { status, stdout } = spawnSync('redis-cli', [...trusting(tls),
			'--cluster', 'create',
			...nodes.all.map(({ port }) => `127.0.0.1:${port}`),
			'--cluster-replicas', String(replicas), '--cluster-yes'],
		{ encoding: 'utf8', timeout: STUCK * 1000 });

		if (status !== 0)
			throw new Error(`no cluster: ${stdout}`);
		await nodes.untilWhole();
		await nodes.setTimeout(timeout);
		return nodes;
	}

	async setTimeout(milliseconds) {
		for (const node of this.all)
			await until('a node takes its timeout', () => node.ask('CONFIG', 'SET',
				'cluster-node-timeout', milliseconds).startsWith('OK'), STUCK);
	}

	static async sentinel(folder, replicas = 2, tls = null) {
		const nodes = new Nodes();
		const master = await freePort();

		for (let i = 0; i <= replicas; i++) {
			const port = i === 0 ? master : await freePort();
			const node = new Node(folder, port,
				['redis.conf', ...options], tls);

			/* Sentinels rewrite it. */
			fs.writeFileSync(path.join(node.folder, 'redis.conf'),
				i === 0 ? '' : `replicaof 127.0.0.1 ${master}\n`);
			nodes.all.push(node);
		}
		for (let i = 0; i < 3; i++) {
			const port = await freePort();
			const node = new Node(folder, port, ['sentinel.conf', '--sentinel'], tls);

			fs.writeFileSync(path.join(node.folder, 'sentinel.conf'), [
				'bind 127.0.0.1', 'logfile redis.log',
				`sentinel monitor tally 127.0.0.1 ${master} 2`,
				`sentinel down-after-milliseconds tally ${TIMEOUT}`,
				'sentinel failover-timeout tally 5000', ''].join('\n'));
			nodes.sentinels.push(node);
		}
		await nodes.start();
		await nodes.untilWhole();
		return nodes;
	}

	async start() {
		for (const node of [...this.all, ...this.sentinels])
			node.start();
		for (const node of [...this.all, ...this.sentinels])
			await until('a node answers', () =>
				assert.ok(node.ask('PING').includes('PONG'), node.log), STUCK);
	}

	async stop(signal = 'SIGKILL') {
		await Promise.all([...this.all, ...this.sentinels].map((node) =>
			node.kill(signal)));
	}

	get masters() {
		return this.all.filter((node) => node.is('master'));
	}

	get replicas() {
		return this.all.filter((node) => node.is('slave'));
	}

	/* Every node runs, knows the others, and is in sync with its master. */
	async untilWhole() {
		const isReady = (node) => node.isInStep && (this.sentinels.length > 0 ||
			/cluster_state:ok/.test(node.ask('CLUSTER', 'INFO')));

		await until('all nodes are in step', () => {
			for (const node of this.all)
				if (!isReady(node))
					assert.fail(node.state);
		}, STUCK);
		await until('all agree who is a master', () => this.sentinels.length > 0 ||
			new Set(this.all.map((node) => roles(node))).size === 1, STUCK);
		await until('the sentinels know all replicas', () =>
			this.sentinels.every((node) => this.#knowsAll(node)), STUCK);
	}

	/* Sentinels look for new nodes every ten seconds. */
	#knowsAll(sentinel) {
		const replicas = sentinel.ask('SENTINEL', 'REPLICAS', 'tally');

		return replicas.match(/^flags\nslave$/gm)?.length ===
				this.all.length - 1 &&
			replicas.match(/^master-link-status\nok$/gm)?.length ===
				this.all.length - 1;
	}

	/* Moves that many slots from one master to another, key by key. */
	async moveSlots(from, to, count) {
		const id = (node) => node.ask('CLUSTER', 'MYID').trim();
		const cli = spawn('redis-cli', [...trusting(from.tls),
			'--cluster', 'reshard',
			`127.0.0.1:${from.port}`, '--cluster-from', id(from),
			'--cluster-to', id(to), '--cluster-slots', String(count),
			'--cluster-yes', '--cluster-pipeline', '1'], { stdio: 'ignore' });

		await new Promise((resolve) => cli.on('close', resolve));
	}
}
