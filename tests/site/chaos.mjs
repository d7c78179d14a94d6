/*
 * A site under load that suffers one fault after another. Members vote, post, withdraw,
 * comment, mention each other, edit, delete, read and mute, and set new passwords with
 * recovery codes; others log in with a second factor; newcomers post; moderators remove, restore,
 * close threads, cancel votes, suspend, decide on applications and on posts that are held or folded,
 * do away with all that a member posted, write notes, and give second chances; an owner appoints
 * moderators of a group. Afterwards every acknowledged change must be there, and every member notified exactly
 * once of each reply and mention:
 *
 *	node chaos.mjs [SECONDS [SEED]]
 *
 * NODES=cluster or NODES=sentinel runs it on several Redis nodes, BUCKETS is the
 * number of buckets, and ONLY lists the faults to use ("one;another").
 *
 * Each kind of fault occurs once a round, in an order decided by the seed, and the
 * first round is always completed. Like the other tests it runs in the project's
 * root, with BUILD naming the folder of the programs.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { FAULTS as FAULTS_OF_ONE, WINDOW } from './chaos_faults.mjs';
import { History, judge } from './chaos_history.mjs';
import { Appointments } from './chaos_appointments.mjs';
import { Applications } from './chaos_applications.mjs';
import { SecondChances } from './chaos_chances.mjs';
import { SecondFactors } from './chaos_factors.mjs';
import { Folds } from './chaos_folds.mjs';
import { Follows } from './chaos_follows.mjs';
import { Inboxes, judgeInboxes } from './chaos_inbox.mjs';
import { GROUPS, Member } from './chaos_members.mjs';
import { Newcomers } from './chaos_newcomers.mjs';
import { NODE_FAULTS, NodesSite } from './chaos_nodes.mjs';
import { Availability, recovery } from './chaos_availability.mjs';
import { Random } from './chaos_random.mjs';
import { Recovery } from './chaos_recovery.mjs';
import { ChaosSite } from './chaos_site.mjs';
import { Spammers, isAtWork } from './chaos_spammers.mjs';
import { ACKNOWLEDGED, REFUSED, UNKNOWN } from './chaos_states.mjs';
import { CommentLog, judgeComments } from './chaos_comments.mjs';
import { cleanUp, sleep, temporaryFolder, until, untilHealthy }
	from './support.mjs';

const { NODES, BUCKETS = NODES === 'cluster' ? 16 : 1 } = process.env;
const ALL_FAULTS = NODES === undefined ? FAULTS_OF_ONE : NODE_FAULTS[NODES];
const FAULTS = Object.fromEntries(Object.entries(ALL_FAULTS).filter(([name]) =>
	process.env.ONLY?.split(';').includes(name) ?? true));

const MEMBERS = 40, MODERATORS = 3, SLEEPERS = 3;
/* Milliseconds after a fault's end. A master that returns in the middle of its failover
 * has replicas for a while, until sentinels give them to the new master, which refuses
 * writes without one. */
const MAX_RECOVERY = NODES === 'sentinel' ? 30000 : 5000;
const SHOWN = 20; /* sentences of each kind */

/*
 * The small disk is a mount, which needs root, at least in a user namespace. Root
 * in a chroot that is no mount point cannot create a mount namespace: there the
 * mount is visible outside during the run.
 */
function runWithOwnMounts(seconds, seed) {
	const folder = temporaryFolder();
	const unshare = ['unshare', process.getuid() === 0 ? '-m' : '-rm'];
	const canUnshare = process.getuid() !== 0 ||
		spawnSync(unshare[0], [unshare[1], 'true']).status === 0;
	const [command, ...words] = [...canUnshare ? unshare : [],
		process.execPath, fileURLToPath(import.meta.url), seconds, seed, folder];
	const { status, error } = spawnSync(command, words, { stdio: 'inherit' });

	if (error !== undefined)
		console.log(`${command} cannot be started: ${error.message}`);
	if (!canUnshare)
		spawnSync('umount', ['-l', path.join(folder, 'disk')]);
	cleanUp();
	return status ?? 1;
}

function longestRecovery({ faults }) {
	return Math.max(...faults.map(recovery));
}

function inSeconds(milliseconds) {
	return `${(milliseconds / 1000).toFixed(2)} s`;
}

/* Whoever wants to register applies, and what newcomers post is held. */
const RULES = { name: 'Chaos', registration: 'application', group_creation: 'members',
	voting: 'at-once', log_names: 'named', hold_first: 'on', fold_flags: '2' };

/* Those beside the members, each with figures and a verdict of its own. */
const others = ({ spammers, recovery, factors, newcomers, chances, appointments,
	folds }) =>
	[spammers, recovery, factors, newcomers, chances, appointments, folds];

async function join(site, world) {
	const names = Array.from({ length: MEMBERS }, (_, i) => `member-${i}`);
	const members = [];

	/* One by one: passwords are hashed in the background, and few may wait. */
	for (const name of names)
		members.push(new Member(name, await site.member(name), world));
	for (let i = 0; i < MODERATORS; i++) {
		const { status, err } = site.command('user', 'role', names[i],
			'moderator');

		if (status !== 0)
			throw new Error(err);
		members[i].role = { share: i, of: MODERATORS,
			sleepers: i === 0 ? names.slice(-SLEEPERS) : [] };
	}
	for (const sleeper of members.slice(-SLEEPERS))
		sleeper.sleeps = true;
	for (const name of GROUPS)
		await members[0].client.post('/groups', { name, title: name });
	for (const name of names.slice(MODERATORS)) {
		const { status } = await members[0].client.post(`/u/${name}/vouch`);

		assert.equal(status, 303);
	}
	for (const part of others(world))
		await part.join(site, world.history);
	await world.appointments.settle(RULES);
	world.history.members = names;
	world.history.groups = GROUPS;
	return members;
}

async function doFault(name, world, began) {
	const { availability } = world;
	const at = inSeconds(performance.now() - began);

	availability.begin(name);
	await FAULTS[name](world);
	availability.end();
	await availability.calm();

	const fault = availability.faults.at(-1);

	console.log(`${at}: ${name}, ${fault.failures} without an answer ` +
		`within ${inSeconds(fault.failing)}, back after ${inSeconds(recovery(fault))}`);
}

/* At least one round, then more until the time is over. */
async function doFaults(world, seconds) {
	const began = performance.now();
	const kinds = Object.keys(FAULTS);
	let order = [];

	for (let i = 0; i < kinds.length ||
		performance.now() < began + seconds * 1000; i++) {
		if (order.length === 0)
			order = world.random.shuffled(kinds);
		await doFault(order.pop(), world, began);
		await world.pause();
	}
}

/* What is chosen at random happens seldom on a slow machine. */
async function untilAllDone(world) {
	await until('each of the others has done what it is there for', () => {
		for (const { figures } of others(world)) {
			const [[name, count]] = Object.entries(figures);

			assert.ok(count > 0, name);
		}
	});
}

function print(heading, sentences) {
	for (const sentence of sentences.slice(0, SHOWN))
		console.log(`${heading}: ${sentence}`);
	if (sentences.length > SHOWN)
		console.log(`... and ${sentences.length - SHOWN} more`);
}

function printFigures({ history, availability, seed }, articles) {
	const { reads, ...changes } = history.requests;
	const all = Object.values(changes).reduce((sum, one) => sum + one, reads);
	const kinds = Object.keys(FAULTS).map((kind) => `${kind} ` +
		availability.faults.filter(({ name }) => name === kind).length);

	console.log(`${all} requests: ${reads} pages read, ` +
		`${changes[ACKNOWLEDGED]} changes acknowledged, ` +
		`${changes[REFUSED]} refused, ${changes[UNKNOWN]} without an answer`);
	console.log(`${history.seen} own votes looked for right after them, ` +
		`${history.unseen.length} not seen`);
	console.log(`${history.searches.answered} searches answered, ` +
		`${history.searches.away} while search was away`);
	console.log(Object.entries(history.order).map(([what, count]) =>
		`${count} ${what}`).join(', '));
	console.log(`${articles} articles, ${history.articles.length} of them ` +
		`acknowledged, ${history.members.length} members`);
	console.log(`${availability.faults.length} faults: ${kinds.join(', ')}`);
	console.log('longest time without an answer: ' +
		`${inSeconds(longestRecovery(availability))} after a fault's end, ` +
		`${inSeconds(availability.longestGap)} otherwise; seed ${seed}`);
}

/* Reads the whole site, after all notices are delivered. */
async function lookAtAll({ site, spammers }, members) {
	const awake = members.filter(({ sleeps }) => !sleeps);
	const [reader] = awake;
	const each = (look) => Promise.all(awake.map(async ({ name, client }) =>
		[name, await look(client)]));

	await site.untilTold();
	for (const name of spammers.names)
		await until(`what was decided on ${name} is done`, async () =>
			assert.ok(!isAtWork((await members[1].client.get(`/u/${name}/contain`)).body)));
	/* What a member hides would be missing. */
	await each((client) => until('nothing is hidden', async () =>
		assert.equal((await client.post('/hidden', { lines: '' })).status, 303)));
	const dumped = site.dumped();
	const there = dumped.articles.filter(({ removed }) => removed == null);
	const threads = [];

	for (const { id } of there)
		threads.push([id, await site.cards(reader.client, id)]);
	return { ...dumped, threads, pages: await each((client) => site.lines(client)),
		shown: await each((client) => site.shownInbox(client)),
		follows: members.map(({ name }) => [name, [site.follows(name)].flat()]),
		saves: members.map(({ name }) => [name, dumped.saved
			.filter(({ by }) => by === name).map(({ post }) => post)]),
		inboxes: members.map(({ name }) => [name, site.inbox(name)]) };
}

function printComments({ commentLog, inboxes, follows, saves }, site, told) {
	const notices = site.inboxes.reduce((sum, [, { notices: { length } }]) =>
		sum + length, 0);
	const { marked, muted, read } = inboxes.figures;
	const figures = Object.entries(commentLog.figures).map(([what, count]) =>
		`${count} ${what}`);

	console.log(`${figures.join(', ')}; ${commentLog.lookups.found} looked for right ` +
		`after that, ${commentLog.lookups.missed.length} not seen`);
	console.log(`${notices} notices delivered, lost ${told.lost.length}, ` +
		`doubled ${told.doubled.length}; ${read} inboxes read, ${marked} marked ` +
		`as read, ${muted} threads and members muted or unmuted; ` +
		`${follows.changes} groups followed or left, ` +
		`${saves.changes} posts saved or unsaved`);
}

/* Checks that everything acknowledged is there exactly once; false if not. */
async function verify(world, members) {
	const { site, history, commentLog, inboxes, applications, availability } = world;

	await site.restartRedis();
	await untilHealthy(members[0].client);

	const all = await lookAtAll(world, members);
	const { status, out, err } = site.command('check');
	const told = judgeInboxes(commentLog, inboxes, all);
	const found = [judge(history, GROUPS, all), judgeComments(commentLog, history, all), told,
		world.follows.judge(all.follows), world.saves.judge(all.saves),
		applications.judge(all.names, all.applications)];

	for (const part of others(world))
		found.push(await part.judge(all, site));
	const [lost, doubled] = ['lost', 'doubled'].map((what) =>
		found.flatMap((one) => one[what]));
	const wrong = [...history.wrong, ...inboxes.wrong];
	const unseen = [...history.unseen, ...commentLog.lookups.missed];

	printFigures(world, all.articles.length);
	printComments(world, all, told);
	console.log(`${applications.count} applications, ${applications.decided} of them ` +
		`decided on; ` + others(world).flatMap(({ figures }) => Object.entries(figures)
		.map(([what, count]) => `${count} ${what}`)).join(', '));
	console.log(status === 0 ? 'tally check: 0 breaks' : out + err);
	print('wrong answer', wrong);
	print('not seen', unseen);
	print('lost', lost);
	print('doubled', doubled);
	console.log(`lost ${lost.length}, doubled ${doubled.length}`);
	return status === 0 && longestRecovery(availability) <= MAX_RECOVERY &&
		[wrong, unseen, lost, doubled].every(({ length }) => length === 0);
}

async function run(seconds, seed, folder) {
	const faultDuration = Math.min(Math.max(seconds / 30, 0.3), 3) * 1000;
	const settings = { TALLY_VOTE_WINDOW: WINDOW, TALLY_PAGE_SIZE: 100,
		TALLY_BUCKETS: BUCKETS };
	const site = await (NODES === undefined ?
		ChaosSite.start(folder, settings) :
		NodesSite.start(folder, NODES, settings));
	const world = { site, seed, history: new History(), commentLog: new CommentLog(),
		inboxes: new Inboxes(), follows: new Follows('follows'),
		saves: new Follows('has saved'), applications: new Applications(),
		spammers: new Spammers(), recovery: new Recovery(),
		factors: new SecondFactors(), newcomers: new Newcomers(),
		chances: new SecondChances(), appointments: new Appointments(GROUPS.at(-1)),
		folds: new Folds(),
		availability: new Availability(),
		random: new Random(seed), pause: () => sleep(faultDuration) };
	const members = await join(site,
		{ ...world, random: new Random(seed + 1) });
	let over = false;
	const lives = members.map((member) => member.live(() => over));

	console.log(`seed ${seed}`);
	await doFaults(world, seconds);
	if (NODES === undefined)
		await untilAllDone(world);
	over = true;
	await Promise.all(lives);

	const good = await verify(world, members);

	await site.stop();
	return good;
}

const [seconds = 60, seed = Date.now() % 1000000, folder] =
	process.argv.slice(2);

if (folder === undefined && NODES === undefined)
	process.exit(runWithOwnMounts(seconds, seed));
try {
	process.exitCode =
		await run(+seconds, +seed, folder ?? temporaryFolder()) ? 0 : 1;
} catch (error) {
	console.log(error.stack);
	process.exitCode = 1;
}
cleanUp();
process.exit();
