/*
 * The command line: help, errors, folders without a site, and damaged Redis files.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { Site, giveAway, namesIn, processesIn, runTests, tally,
	temporaryFolder, test } from './support.mjs';

/* The commands that a list of usage names. */
const commands = [...tally(['--help']).out
	.matchAll(/^  tally ((?:(?:user|group) )?[a-z-]+)/gm)].map(([, name]) => name);

test('every command has --help and -h', () => {
	assert.ok(commands.includes('up') && commands.includes('user role'));
	for (const name of commands)
		for (const flag of ['--help', '-h']) {
			const { status, out, err } = tally([...name.split(' '), flag]);

			assert.equal(status, 0, err);
			assert.equal(err, '');
			assert.ok(out.startsWith(`usage: tally ${name}`), out);
			assert.match(out, /-h, --help/);
		}
	assert.match(tally(['user', '-h']).out, /user role[^]*user password/);
});

test('--version and version print the version of the Makefile', () => {
	const [, number] = fs.readFileSync('Makefile', 'utf8')
		.match(/^VERSION = (\d+\.\d+\.\d+)$/m);

	for (const word of ['--version', 'version'])
		assert.deepEqual(tally([word]),
			{ status: 0, out: `tally ${number}\n`, err: '' });
	assert.equal(tally(['help']).out, tally(['--help']).out);
	assert.equal(tally(['-h']).out, tally(['--help']).out);
});

/* An error is reported on standard error, with the usage. */
function assertWrong(words, named, usage = words[0]) {
	const { status, out, err } = tally(words);

	assert.equal(status, 2, `${words}: ${err}`);
	assert.equal(out, '');
	assert.ok(err.startsWith(`tally: ${named}\nusage: tally ${usage}`), err);
}

test('extra words, unknown options and missing ones are refused', () => {
	for (const name of commands) {
		const words = name.split(' ');
		const room = { load: 0, restore: 1, 'user role': 2, 'user password': 1,
			'user suspend': 3, 'user readmit': 2, 'user recover': 2, 'user close': 3,
			'group delete': 2, 'error-pages': 1 }[name] ?? 0;

		assertWrong([...words, '--nonsense'],
			'unknown option --nonsense', name);
		if (name !== 'load')
			assertWrong([...words, ...Array(room).fill('x'), 'more'],
				'unexpected argument: more', name);
	}
	assertWrong(['dump', '--repair'],
		'dump does not take the option --repair');
	assertWrong(['serve', '--dir', 'x'],
		'serve does not take the option --dir');
	assertWrong(['dump', '--dir'], '--dir requires a folder');
	assertWrong(['load'], 'an argument is missing');
	assertWrong(['user', 'role', 'ann'], 'an argument is missing');
	assertWrong(['chekc'], 'unknown command "chekc"', 'COMMAND');
	assertWrong(['user', 'king', 'ann'], 'unknown command "user king"',
		'user role');
	assert.equal(tally([]).status, 2);
	assert.match(tally([]).err, /^ {2}tally up /m);
});

test('an unknown role is refused before anything is opened', () => {
	const { status, err } = tally(['user', 'role', 'ann', 'king']);

	assert.equal(status, 1);
	assert.equal(err,
		'tally: the role must be member, moderator or owner, not "king"\n');
});

const COMMANDS = [['check'], ['dump'], ['user', 'role', 'ann', 'moderator'],
	['user', 'password', 'ann'], ['user', 'recover', 'ann'], ['user', 'suspend', 'ann', '1'],
	['user', 'readmit', 'ann'], ['user', 'close', 'ann'],
	['group', 'delete', 'redis'], ['log']];

test('without a site no command but up and load does anything', () => {
	const folder = temporaryFolder();
	const file = path.join(folder, 'file');

	fs.writeFileSync(file, '');
	for (const words of COMMANDS)
		for (const dir of [path.join(folder, 'nowhere'),
			path.join(folder, 'a/b'), path.join(file, 'below'), folder]) {
			assert.deepEqual(tally([...words, '--dir', dir]), { status: 1,
				out: '', err: `tally: there is no site in ${dir}\n` });
			assert.deepEqual(fs.readdirSync(folder), ['file']);
		}
});

test('a Redis without a site counts as no site', () => {
	const folder = temporaryFolder();

	fs.mkdirSync(path.join(folder, 'appendonlydir'));
	for (const words of COMMANDS)
		assert.deepEqual(tally([...words, '--dir', folder]), { status: 1,
			out: '', err: `tally: there is no site in ${folder}\n` });
	assert.deepEqual(processesIn(folder), []);
});

const modeOf = (file) => fs.statSync(file).mode & 0o777;

/* Loads an empty dump into a folder. */
const loadInto = (folder, options) =>
	tally(['load', '--dir', folder, '-'], options);

test('a site makes its folder private, an existing one as well', () => {
	const folder = path.join(temporaryFolder(), 'open');

	for (let i = 0; i < 2; i++) {
		fs.mkdirSync(folder, { recursive: true });
		fs.chmodSync(folder, 0o755);
		assert.equal(loadInto(folder).status, 0);
		assert.equal(modeOf(folder), 0o700);
	}
	for (const name of namesIn(folder))
		assert.equal(modeOf(path.join(folder, name)) & 0o077, 0, name);
});

test('a folder that others may use is not changed', () => {
	const folder = temporaryFolder();

	fs.writeFileSync(path.join(folder, 'letter.txt'), '');
	fs.chmodSync(folder, 0o755);
	giveAway(folder);
	assert.deepEqual(loadInto(folder), { status: 1, out: '', err:
		`tally: ${folder} is open to other users and contains files that are ` +
		'not a site\'s, such as letter.txt: name another folder, or close it: chmod 700 ' +
		`${folder}\n` });
	assert.deepEqual(fs.readdirSync(folder), ['letter.txt']);
	assert.equal(modeOf(folder), 0o755);
	/* By the command that the message names. */
	fs.chmodSync(folder, 0o700);
	assert.equal(loadInto(folder).status, 0);
});

test('load creates a site, which the other commands find', () => {
	const folder = path.join(temporaryFolder(), 'new');
	const { status, err } = tally(['load', `--dir=${folder}`, '-'], { input:
		'{"kind":"user","name":"ann","created":1,"role":"member",' +
		'"password":""}\n' });

	assert.equal(status, 0, err);
	assert.equal(err, 'tally: loaded 1 member (0 already there), ' +
		'0 groups (0 already there), 0 articles (0 already there); ' +
		'refused 0 lines\n');
	const check = tally(['check', '--dir', folder]);

	assert.equal(check.status, 0);
	assert.match(check.out, /^1 member, 0 groups, /m);
	assert.match(check.out, /^0 breaks$/m);
});

/* Creates a stopped site with one article; returns its files. */
async function stoppedSite() {
	const site = await Site.start();
	const ann = await site.member('ann');
	const id = await ann.submit({ title: 'Kept', text: 'A text.' });

	await site.member('carl');
	await site.stop();
	const name = fs.readdirSync(path.join(site.folder, 'appendonlydir'))
		.find((file) => file.endsWith('.incr.aof'));
	const file = path.join(site.folder, 'appendonlydir', name);

	site.log = '';
	return { site, id, name, file, whole: fs.readFileSync(file) };
}

/* The site starts with everything that was there. */
async function assertGoesOn({ site, id }) {
	await site.start();
	assert.match((await site.client().get(`/articles/${id}`)).body, /Kept/);
	await (await site.member('bob')).submit({ title: 'More', text: 'Text.' });
	await site.stop();
	assert.match(site.command('check').out, /^0 breaks$/m);
}

test('commands suspend, close and delete, and print the log', async () => {
	const site = await Site.start();
	const ann = await site.member('ann');
	const cat = await site.member('cat');
	const run = (...words) => {
		const { status, out, err } = site.command(...words);

		assert.equal(status, 0, `${words}: ${err}`);
		return out;
	};
	const refused = (said, ...words) => assert.deepEqual(
		site.command(...words), { status: 1, out: '', err: `tally: ${said}\n` });

	await ann.post('/groups', { name: 'noise', title: 'Noise' });
	const id = await ann.submit({ title: 'Kept', text: 'A text.', groups: 'noise' });
	const other = await ann.submit({ title: 'Removed', text: 'Another text.' });
	const said = await ann.say(id, 'Rude.');

	const mod = await site.member('dan');

	run('user', 'role', 'dan', 'moderator');
	await mod.post(`/articles/${id}/comments/${said}/remove`, { reason: 'Unkind' });
	await mod.post(`/articles/${other}/remove`);

	refused('there is no member bob', 'user', 'suspend', 'bob', '3');
	refused('there is no group silence', 'group', 'delete', 'silence');
	refused('the data to erase must be name or texts, not "all"', 'user', 'close', 'ann', 'all');
	assert.equal(site.command('user', 'suspend', 'ann', 'soon').status, 1);
	assert.match(run('user', 'suspend', 'ann', '3', 'Too loud'),
		/^ann is suspended until .* UTC and is logged out everywhere\n$/);
	assert.equal((await ann.get('/settings')).status, 303);
	refused('the member is suspended: tally user readmit NAME ends that', 'user', 'recover', 'ann');
	assert.match((await site.client().post('/login', { username: 'ann',
		password: 'correct horse' }, { from: '/login' })).body, /Too loud/);
	assert.equal(run('user', 'readmit', 'ann'), 'ann can log in again\n');
	refused('what is turned off must be factor, not "all"', 'user', 'recover', 'ann', 'all');
	const [, link] = run('user', 'recover', 'ann').match(
		/^With this link ann can choose a new password, once, within a day:\nhttp:\/\/[^/]+(\/link\/recover\.\d+\.[0-9a-f]{64})\n$/);
	const answer = await site.client().post(`${link}/password`,
		{ password: 'another horse' }, { from: link });

	assert.equal(answer.status, 303);
	assert.equal((await site.client().get(link)).status, 404);
	await ann.logIn('ann', 'another horse');
	assert.match(run('user', 'suspend', 'ann', '0'), /suspended permanently/);
	assert.match(run('group', 'delete', 'noise', 'Nothing but noise'),
		/^The group noise is deleted; its articles stay\n$/);
	assert.equal((await cat.get('/g/noise')).status, 404);
	assert.equal((await cat.get(`/articles/${id}`)).status, 200);
	assert.equal(run('user', 'close', 'cat', 'name'), 'cat’s account is closed\n');
	refused('the account is closed', 'user', 'recover', 'closed-2');
	assert.equal((await cat.get('/settings')).status, 303);
	assert.equal((await site.client().get('/u/cat')).status, 404);
	assert.deepEqual(run('log').trim().split('\n').map((line) =>
		line.replace(/\d{4}-\d\d-\d\dT[\d:]{8}Z/g, 'T')), [
		'T group-deleted noise by a command: Nothing but noise',
		'T suspended ann by a command',
		'T recovery-link ann by a command',
		'T readmitted ann by a command',
		'T suspended ann until T by a command: Too loud',
		`T removed article ${other} of ann by dan`,
		`T removed comment ${said} on article ${id} of ann by dan: Unkind`,
		'T appointed dan moderator by a command']);
	await site.stop();
	assert.match(site.command('check').out, /^0 breaks$/m);
});

/* A Redis that fails before it opens its log. */
test('when Redis does not start, its last words are shown', () => {
	const folder = temporaryFolder();
	const programs = path.join(folder, 'bin');

	fs.mkdirSync(programs);
	fs.writeFileSync(path.join(programs, 'redis-server'), `#!/bin/sh
echo 'Reading the configuration file'
echo '*** FATAL CONFIG FILE ERROR ***' >&2
echo 'Bad directive or wrong number of arguments' >&2
exit 1
`, { mode: 0o755 });
	fs.chmodSync(folder, 0o755);
	fs.chmodSync(programs, 0o755);
	const { status, out, err } = tally(['up', '--dir',
		path.join(folder, 'site')], { settings: {
		PATH: `${programs}:${process.env.PATH}` } });

	assert.equal(status, 1);
	assert.equal(out, '');
	assert.deepEqual(err.trim().split('\n').slice(-4), [
		'tally: Redis: Reading the configuration file',
		'tally: Redis: *** FATAL CONFIG FILE ERROR ***',
		'tally: Redis: Bad directive or wrong number of arguments',
		'tally: Redis did not start; see redis.log in the folder of the site']);
});

const HALF = '*3\r\n$3\r\nSET\r\n$4\r\nsi';
const ends = { zeros: Buffer.alloc(4096), 'very many zeros': Buffer.alloc(2e6), 'an incomplete command and zeros':
	Buffer.concat([Buffer.from(HALF), Buffer.alloc(100)]),
'bytes of something else': Buffer.from('nonsense'.repeat(100)) };

for (const [what, end] of Object.entries(ends))
	test(`a file that ends with ${what} is repaired when asked`, async () => {
		const stopped = await stoppedSite();
		const { site, name, file, whole } = stopped;
		const up = async (...words) => tally(['up', '--dir', site.folder,
			...words], { settings: { TALLY_PORT: site.port } });

		fs.appendFileSync(file, end);
		const damaged = fs.readFileSync(file);
		const { status, out, err } = await up();

		assert.equal(status, 1);
		assert.equal(out, '');
		assert.ok(err.includes(`${file} is damaged from byte ` +
			`${whole.length} on`), err);
		assert.ok(err.includes(`its last ${end.length} bytes`), err);
		assert.ok(err.includes(
			`tally up --dir ${site.folder} --repair\n`), err);
		assert.equal(err.includes('more than a power failure damages'),
			end.length > 1e6);
		assert.deepEqual(fs.readFileSync(file), damaged, 'left as it was');
		assert.deepEqual(processesIn(site.folder), []);

		/* Every command reports it. */
		assert.ok(site.command('check').err.includes('--repair\n'));

		site.words = ['--repair'];
		await assertGoesOn(stopped);
		const [, kept] = site.err.match(/the original is (.*)\n/);

		assert.match(kept, new RegExp(`/${name}\\.damaged-\\d{8}T\\d{6}Z$`));
		assert.deepEqual(fs.readFileSync(kept), damaged);
		assert.ok(site.err.includes(
			`cut ${end.length} bytes off appendonlydir/${name} at byte ` +
			`${whole.length};`), site.err);
	});

for (const [what, change] of Object.entries({
	'ends with an incomplete command': (file) => fs.appendFileSync(file, HALF),
	'is some bytes short': (file, whole) =>
		fs.truncateSync(file, whole.length - 7) }))
	test(`of a file that ${what} Redis cuts off the rest`, async () => {
		const stopped = await stoppedSite();
		const { site, name, file, whole } = stopped;

		change(file, whole);
		await assertGoesOn(stopped);
		assert.match(site.err, new RegExp(`tally: appendonlydir/${name} ended ` +
			'with an incomplete command, .*; Redis truncated it at byte \\d+\n'));
	});

test('repair of an intact file changes nothing', async () => {
	const stopped = await stoppedSite();

	stopped.site.words = ['--repair'];
	await assertGoesOn(stopped);
	assert.match(stopped.site.err, /there is nothing to repair/);
});

test('a file damaged in the middle is not truncated', async () => {
	const { site, file } = await stoppedSite();
	const base = file.replace('.incr.aof', '.base.rdb');
	const bytes = fs.readFileSync(base);

	bytes.fill('X', 20, 30);
	fs.writeFileSync(base, bytes);
	for (const words of [[], ['--repair']]) {
		const { status, err } = tally(['up', '--dir', site.folder, ...words],
			{ settings: { TALLY_PORT: site.port } });

		assert.equal(status, 1);
		assert.ok(err.includes(`${base} is damaged and cannot be repaired`),
			err);
	}
	assert.deepEqual(fs.readFileSync(base), bytes);
});

await runTests();
