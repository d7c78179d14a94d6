/*
 * Commands on a machine that has the service: how they find its site, what takes
 * precedence over what, and who may run them; and backups, which the service makes.
 *
 * In a mount namespace with an /etc, a /var/lib and a /run of its own. The Redis runs
 * outside of it, with the users that src/deploy/redis-users made. Users besides root
 * exist only if root runs the tests.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

import { NOBODY, TALLY, isRoot, isSanitized, memoryOf, runTests, setUp, tearDown, temporaryFolder, test, until,
	withFolders } from './support.mjs';

const rootTest = isRoot ? test : () => undefined;
const USER = 64001; /* tally */
const REDIS_USER = 64002; /* tally-redis, whose group tally is in as well */

const folder = temporaryFolder();
const at = (...names) => path.join(folder, ...names);
const program = at('bin/tally');
const redis = [];

const write = (name, text) => fs.writeFileSync(at(name), text);
const settings = (...lines) => write('etc/tally/tally.conf', lines.join('\n'));

/* The words that run a command there, in a folder and as a user. */
const inside = (words, { user = 0, cwd = '/' } = {}) =>
	withFolders({ '/etc': at('etc'), '/var/lib': at('lib'), '/run': at('run') },
		['env', '-C', cwd, ...user === 0 ? [] : ['setpriv', `--reuid=${user}`,
			`--regid=${user}`, ...user === USER ? [`--groups=${REDIS_USER}`] :
				['--clear-groups']], ...words]);

/* Runs a program there to its end: { status, out, err }. */
function run(words, { input = '', env = {}, ...options } = {}) {
	const [command, ...rest] = inside(words, options);
	const { status, stdout, stderr } = spawnSync(command, rest, { input,
		encoding: 'utf8', cwd: '/', env: { PATH: process.env.PATH, ...env } });

	return { status, out: stdout, err: stderr };
}

const tally = (words, options) => run([program, ...words], options);

/* Its standard output; it must succeed without complaint. */
function succeed(words, options) {
	const { status, out, err } = tally(words, options);

	assert.equal(err.replace(/^tally: event .*\n/gm, ''), '');
	assert.equal(status, 0, out);
	return out;
}

const failed = (err) => ({ status: 1, out: '', err: `tally: ${err}\n` });

const member = (name) => `{"kind":"user","name":"${name}","created":1,` +
	'"role":"member","password":""}\n';

/* Starts a Redis for the service, or another one: /run/NAME/redis.sock. */
async function startRedis(name, config) {
	fs.mkdirSync(at('lib', name), { recursive: true });
	fs.mkdirSync(at('run', name), { recursive: true });
	write(`lib/${name}/redis.conf`, config);
	redis.push(spawn('redis-server', [at('lib', name, 'redis.conf')],
		{ stdio: 'ignore' }));
	await until('Redis listens', () => fs.existsSync(at('run', name, 'redis.sock')));
}

async function startServiceRedis() {
	fs.mkdirSync(at('lib/tally-redis'), { recursive: true });
	spawnSync('src/deploy/redis-users', [at('lib/tally-redis')]);
	await startRedis('tally-redis', fs.readFileSync('src/deploy/redis.conf', 'utf8')
		.replaceAll('/run/tally-redis', at('run/tally-redis'))
		.replaceAll('/var/lib/tally-redis', at('lib/tally-redis')));
}

/* As the units do it. */
function giveToUsers() {
	fs.chmodSync(at('lib/tally-redis'), 0o710);
	fs.chmodSync(at('run/tally-redis'), 0o750);
	if (isRoot)
		spawnSync('chown', ['-R', `${REDIS_USER}:${REDIS_USER}`,
			at('lib/tally-redis'), at('run/tally-redis')]);
	fs.chmodSync(at('lib/tally'), 0o700);
	if (isRoot)
		spawnSync('chown', ['-R', `${USER}:${USER}`, at('lib/tally')]);
}

setUp(async () => {
	fs.chmodSync(folder, 0o711);
	for (const name of ['etc/tally', 'lib', 'run', 'bin', 'libexec/tally', 'elsewhere',
		'lib/tally/backups'])
		fs.mkdirSync(at(name), { recursive: true });
	for (const name of ['passwd', 'group', 'nsswitch.conf', 'ld.so.cache'])
		fs.copyFileSync(path.join('/etc', name), at('etc', name));
	fs.copyFileSync(TALLY, program);
	fs.copyFileSync('src/deploy/backup', at('libexec/tally/backup'));
	fs.copyFileSync('src/deploy/tally.conf', at('etc/tally/tally.conf'));
	await startServiceRedis();
	await startRedis('other', `port 0\nunixsocket ${at('run/other/redis.sock')}\n` +
		'unixsocketperm 777\nsave ""\n');
	giveToUsers();
});

tearDown(() => redis.forEach((one) => one.kill()));

test('commands find the service with the settings as they are installed', () => {
	const { status, err } = tally(['load', '-'], { input: member('alice') });

	assert.equal(status, 0, err);
	assert.equal(succeed(['user', 'role', 'alice', 'owner']),
		'alice is now an owner\n');
	assert.match(succeed(['check']), /^1 member, [^]*^0 breaks$/m);
	assert.match(succeed(['dump']), /"alice"/);
	assert.match(succeed(['log']), /appointed alice owner by a command/);
	assert.deepEqual(tally(['user', 'role', 'bob', 'owner']),
		failed('there is no member bob'));
});

rootTest('its user may run them as well, and nobody else', () => {
	const hint = 'Permission denied: run this as root or as the user of the site, ' +
		'which for the service is tally';

	fs.mkdirSync(at('closed'), { mode: 0o700 });
	for (const cwd of ['/', at('closed')])
		assert.match(succeed(['check'], { user: USER, cwd }), /^0 breaks$/m);
	assert.deepEqual(tally(['check'], { user: NOBODY }), failed(
		`cannot read the settings in /var/lib/tally-redis/tally.env: ${hint}`));
	fs.chmodSync(at('etc/tally/tally.conf'), 0o600);
	assert.deepEqual(tally(['check'], { user: NOBODY }), failed(
		`cannot read the settings in /etc/tally/tally.conf: ${hint}`));
	fs.chmodSync(at('etc/tally'), 0o700);
	assert.deepEqual(tally(['check'], { user: NOBODY }), failed(
		`cannot read the settings in /etc/tally/tally.conf: ${hint}`));
	fs.chmodSync(at('etc/tally'), 0o755);
	fs.chmodSync(at('etc/tally/tally.conf'), 0o644);
});

rootTest('Redis\'s data and its admin\'s password are for its user alone', () => {
	const files = spawnSync('find', [at('lib/tally-redis'), '-type', 'f', '-printf',
		'%f %m\n'], { encoding: 'utf8' }).stdout.split('\n');

	assert.ok(files.includes('users.acl 600'), files);
	assert.ok(files.includes('replication.conf 600'), files);
	assert.ok(files.includes('tally.env 640'), files);
	assert.equal(run(['ls', '/var/lib/tally-redis'], { user: USER }).status, 2);
	assert.equal(run(['cat', '/var/lib/tally-redis/users.acl'], { user: USER })
		.status, 1);
});

rootTest('root makes the passwords as the user whose folder it is', () => {
	const other = temporaryFolder();
	const script = path.join(other, 'redis-users');

	/* That user may not be able to enter the folder of the tree. */
	fs.copyFileSync('src/deploy/redis-users', script);
	fs.chownSync(other, NOBODY, NOBODY);
	assert.equal(spawnSync(script, [other]).status, 0);
	for (const name of ['tally.env', 'users.acl', 'replication.conf'])
		assert.equal(fs.statSync(path.join(other, name)).uid, NOBODY, name);
});

const OTHER = 'unix:/run/other/redis.sock';
const nothingAt = (where) => failed(`there is no site in ${where}`);
const nothingAtOther = nothingAt(`the Redis at ${OTHER}`);

test('what is nearer takes precedence: words, environment, file, default', () => {
	const env = { TALLY_REDIS: OTHER };

	/* The default is that of the service, which has a site. */
	settings('');
	assert.match(succeed(['check']), /^1 member/m);
	settings(`TALLY_REDIS=${OTHER}`);
	assert.deepEqual(tally(['check']), nothingAtOther);
	settings('TALLY_REDIS=unix:/run/none/redis.sock');
	assert.deepEqual(tally(['check'], { env }), nothingAtOther);
	assert.deepEqual(tally(['check', '--dir', '/nowhere'], { env }),
		nothingAt('/nowhere'));
	settings('');
	assert.deepEqual(tally(['check'], { env }), nothingAtOther);
	/* Another file is read in place of the service's. */
	write('etc/other.conf', `TALLY_REDIS=${OTHER}\n`);
	assert.deepEqual(tally(['check'], { env: { TALLY_CONFIG: '/etc/other.conf' } }),
		nothingAtOther);
});

test('each setting of the service\'s file yields to the environment alone', () => {
	const env = Object.fromEntries(fs.readFileSync(at('lib/tally-redis/tally.env'),
		'utf8').trim().split('\n').map((line) => line.split('=')));

	settings('TALLY_REDIS_ADMIN_PASSWORD=wrong');
	assert.match(tally(['check']).err, /^tally: .*WRONGPASS/m);
	succeed(['check'], { env });
	settings('');
	env.TALLY_REDIS_ADMIN_PASSWORD = 'wrong';
	assert.match(tally(['check'], { env }).err, /^tally: .*WRONGPASS/m);
});

test('passwords are included for a Redis that is named', () => {
	const address = 'TALLY_REDIS=unix:/run/tally-redis/redis.sock';

	settings(address);
	assert.match(tally(['check']).err, /NOAUTH|Authentication/);
	settings(address, 'include /var/lib/tally-redis/tally.env');
	succeed(['check']);
	settings(address, 'include /var/lib/none');
	assert.deepEqual(tally(['check']), failed('cannot read the settings in ' +
		'/var/lib/none: No such file or directory'));
	settings('');
});

test('the passwords of the service go to no Redis that the environment names', () => {
	/* It would refuse them: its default user has none. */
	assert.deepEqual(tally(['check'], { env: { TALLY_REDIS: OTHER } }),
		nothingAtOther);
});

test('a folder var with a site is meant before the service', () => {
	const cwd = at('elsewhere');
	const options = { cwd };

	fs.mkdirSync(path.join(cwd, 'var'));
	assert.match(succeed(['check'], options), /^1 member/m, 'without a site in it');
	assert.equal(tally(['load', '--dir', 'var', '-'],
		{ ...options, input: member('bob') + member('carl') }).status, 0);
	assert.match(succeed(['check'], options), /^2 members/m);
	assert.deepEqual(tally(['check'], { ...options, env: { TALLY_REDIS: OTHER } }),
		nothingAtOther);
});

test('an unknown name in the file is a warning, an invalid value an error', () => {
	settings('TALLY_PROT=80');
	const { status, err } = tally(['check']);

	assert.equal(status, 0);
	assert.equal(err, 'tally: warning: unknown setting TALLY_PROT\n');
	settings('TALLY_PORT=80a');
	assert.deepEqual(tally(['check']),
		failed('TALLY_PORT must be a number from 1 to 65535, not "80a"'));
	settings('');
});

/* The processes that a process started. */
const childrenOf = (pid) => fs.readdirSync('/proc').filter((other) => {
	try {
		return fs.readFileSync(`/proc/${other}/stat`, 'utf8')
			.match(/.*\) \w (\d+)/s)[1] === `${pid}`;
	} catch {
		return false;
	}
});

/* Resolves to the log of `tally serve` once it takes requests or has ended; in between
 * calls look with the ids of its processes. */
async function serve(env = {}, look = () => undefined) {
	const [command, ...words] = inside([program, 'serve']);
	const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'pipe'],
		env: { PATH: process.env.PATH, TALLY_SHARE: process.cwd(), ...env } });
	let log = '';

	child.stderr.on('data', (data) => { log += data; });
	const ended = new Promise((resolve) => child.on('close', resolve));

	try {
		await until('it has started or ended', () => / started /.test(log) ||
			child.exitCode !== null);
		await look(childrenOf(child.pid));
	} finally {
		child.kill();
		await ended;
	}
	return log;
}

test('`tally serve` needs no settings besides the file', async () => {
	settings('TALLY_SOCKET=/run/tally.sock', 'TALLY_WORKERS=1');
	assert.match(await serve({}), /^tally: event .* started /m);
	settings('TALLY_SOCKET=/run/tally.sock', 'TALLY_WORKERS=1',
		'TALLY_REDIS=unix:/run/none/redis.sock');
	assert.match(await serve({}), /\/run\/none\/redis\.sock/);
	assert.match(await serve({ TALLY_REDIS: OTHER, TALLY_SOCKET: '/run/tally.sock' }),
		/ started /);
	settings('');
});

const backups = at('lib/tally/backups');
const backupOf = (day) => `site-${day}.jsonl.gz`;
const kept = () => fs.readdirSync(backups).filter((name) => name !== 'lock').sort();

/* Runs src/deploy/backup as its unit does; more programs are found first in a folder. */
const backUp = ({ programs = '', ...env } = {}) =>
	run([at('libexec/tally/backup'), '/var/lib/tally/backups'], {
		user: isRoot ? USER : 0,
		env: { PATH: `${programs}:${process.env.PATH}`, ...env } });

/* A file's lines, uncompressed. */
const unpacked = (file) => zlib.gunzipSync(fs.readFileSync(file)).toString();

/* Makes one; returns its path. It is midnight at most once. */
function makeBackup() {
	const before = kept();

	assert.deepEqual(backUp(), { status: 0, out: '', err: '' });
	const name = kept().filter((one) => !before.includes(one))[0] ?? kept().at(-1);

	return path.join(backups, name);
}

test('a backup is the compressed dump, for its owner alone', () => {
	const file = makeBackup();

	assert.match(path.basename(file), /^site-\d{4}-\d\d-\d\d\.jsonl\.gz$/);
	assert.equal(unpacked(file), succeed(['dump']));
	assert.equal(fs.statSync(file).mode & 0o777, 0o600);
	assert.equal(kept().length, 1);
});

test('a backup is restored into a new site, and into no other', () => {
	const file = makeBackup();
	const restored = tally(['restore', '--dir', '/run/restored', file]);

	assert.equal(restored.status, 0, restored.err);
	assert.match(restored.out, /^1 member, [^]*^0 breaks$/m);
	assert.equal(succeed(['dump', '--dir', '/run/restored']), unpacked(file));
	for (const where of [['--dir', '/run/restored'], []])
		assert.deepEqual(tally(['restore', ...where, file]), failed('the site is ' +
			'not empty: a backup is restored into a new one; to add to this ' +
			'one, use load'));
	assert.equal(succeed(['dump']), unpacked(file));
	/* Uncompressed as well, also from standard input. */
	const piped = tally(['restore', '--dir', '/run/piped', '-'],
		{ input: unpacked(file) });

	assert.match(piped.out, /^0 breaks$/m);
	assert.equal(tally(['load', '--dir', '/run/restored', file]).status, 0);
});

test('a Redis that is empty, but for the functions of a service, takes a backup', () => {
	const env = { TALLY_REDIS: OTHER };
	const file = makeBackup();

	assert.match(tally(['restore', file], { env }).out, /^0 breaks$/m);
	assert.equal(succeed(['dump'], { env }), unpacked(file));
});

test('a damaged backup is refused before anything is written', () => {
	const whole = fs.readFileSync(makeBackup());
	const changed = Buffer.from(whole);
	const file = at('damaged.gz');

	changed[whole.length - 6] ^= 1; /* of its checksum */
	for (const bytes of [whole.subarray(0, -10), whole.subarray(0, 30), changed]) {
		fs.writeFileSync(file, bytes);
		assert.deepEqual(tally(['restore', '--dir', '/run/damaged', file]),
			failed(`cannot read ${file}: Bad message`));
		assert.equal(tally(['load', '--dir', '/run/damaged', file]).status, 1);
	}
	fs.writeFileSync(file, whole);
	assert.equal(tally(['restore', '--dir', '/run/undamaged', file]).status, 0);
	assert.deepEqual(tally(['restore', '--dir', '/run/none', '/nowhere']),
		failed('cannot read /nowhere: No such file or directory'));
});

test('the newest 14 backups stay, and files of other names', () => {
	for (let day = 10; day < 30; day++)
		fs.writeFileSync(path.join(backups, backupOf(`2001-01-${day}`)), '');
	fs.writeFileSync(path.join(backups, 'mine.jsonl.gz'), '');
	const today = path.basename(makeBackup());
	const days = Array.from({ length: 13 }, (_, i) => backupOf(`2001-01-${17 + i}`));

	assert.deepEqual(kept(), ['mine.jsonl.gz', ...days, today].sort());
});

/* Programs that are found before those of the system: { name: script }. */
function programsOf(scripts) {
	const programs = temporaryFolder();

	fs.chmodSync(programs, 0o755);
	for (const [name, script] of Object.entries(scripts))
		fs.writeFileSync(path.join(programs, name), `#!/bin/sh\n${script}\n`,
			{ mode: 0o755 });
	return programs;
}

test('a backup that fails changes and removes nothing', () => {
	const file = makeBackup();
	const text = fs.readFileSync(file);
	const old = path.join(backups, backupOf('2000-01-01'));

	fs.writeFileSync(old, '');
	const before = kept();
	const full = programsOf({ gzip: 'head -c 20; exit 1' });
	const killed = programsOf({ gzip: 'cat >/dev/null; kill -9 $$' });

	for (const env of [{ TALLY_REDIS: 'unix:/run/none/redis.sock' },
		{ TALLY_REDIS_ADMIN_PASSWORD: 'wrong' }, { programs: full },
		{ programs: killed }]) {
		const { status, err } = backUp(env);

		assert.notEqual(status, 0, JSON.stringify(env));
		if (env.programs === undefined)
			assert.match(err, /^backup: the dump is incomplete/m);
		assert.deepEqual(kept(), before);
		assert.deepEqual(fs.readFileSync(file), text);
	}
	fs.rmSync(old);
});

test('one backup is made at a time, and a killed one leaves none behind', async () => {
	/* It compresses until its standard input ends, which this test holds. */
	const programs = programsOf({ gzip: 'echo half; touch /run/begun; sleep 600' });
	const before = kept();

	fs.chmodSync(at('run'), 0o777);
	const [command, ...words] = inside([at('libexec/tally/backup'),
		'/var/lib/tally/backups'], { user: isRoot ? USER : 0 });
	const first = spawn(command, words, { detached: true, stdio: 'ignore',
		env: { PATH: `${programs}:${process.env.PATH}` } });

	await until('it compresses', () => fs.existsSync(at('run/begun')));
	assert.deepEqual(backUp(), { status: 1, out: '',
		err: 'backup: another one is being made\n' });
	process.kill(-first.pid, 'SIGKILL');
	await new Promise((resolve) => first.on('close', resolve));
	assert.deepEqual(kept(), [...before, 'new.gz'].sort());
	/* The lock is free when all of its processes have ended. */
	await until('another one is made', () => assert.equal(backUp().status, 0));
	assert.deepEqual(kept(), before);
});

test('of the file\'s passwords workers and the processes beside them do not hold the admin\'s', async () => {
	const logins = fs.readFileSync(at('lib/tally-redis/tally.env'), 'utf8');
	const passwordOf = (name) =>
		logins.match(new RegExp(`^TALLY_REDIS_${name}=(.*)$`, 'm'))[1];
	const common = ['TALLY_SOCKET=/run/tally.sock', 'TALLY_WORKERS=1'];
	const include = 'include /var/lib/tally-redis/tally.env';
	/* On a busy machine a process may not have run since it was forked. */
	const look = async (pids) => {
		assert.equal(pids.length, 6);
		for (const pid of isSanitized ? [] : pids)
			await until('it has forgotten the password of the admin', () => {
				const memory = memoryOf(pid);

				assert.ok(memory.includes(passwordOf('PASSWORD')));
				assert.ok(!memory.includes(passwordOf('ADMIN_PASSWORD')));
			});
	};

	for (const lines of [[], [include], [include, logins],
		['TALLY_REDIS=unix:/run/tally-redis/redis.sock', include]]) {
		settings(...common, ...lines);
		assert.match(await serve({}, look), / started /);
	}
	settings('');
});

/* The steps that `tally setup` finds done, as [0, 2], and its exit status. */
function setup() {
	const { status, out, err } = tally(['setup']);
	const lines = out.match(/^\[.\].*/gm);

	assert.equal(err, '');
	return [lines.flatMap((line, i) => line[1] === 'x' ? [i] : []), status];
}

test('`tally setup` says what is left, from the state of the machine', () => {
	const link = (target, name) => {
		fs.mkdirSync(path.dirname(at(name)), { recursive: true });
		fs.symlinkSync(target, at(name));
	};
	const sites = 'etc/nginx/sites-available';

	settings('');
	succeed(['user', 'role', 'alice', 'member']);
	assert.deepEqual(setup(), [[1], 1]);
	fs.mkdirSync(at(sites), { recursive: true });
	fs.mkdirSync(at('etc/nginx/sites-enabled'));
	for (const name of ['tally', 'tally-https'])
		fs.copyFileSync(`nginx/${name}.conf`, at(sites, name));
	/* Each of the commands that it prints ends a step. */
	for (const command of tally(['setup']).out.match(/^ +(sed|ln -s |echo).*/gm)) {
		const done = setup()[0].length;

		assert.equal(run(['sh', '-c', command.replaceAll('NAME', 'tally.test')])
			.status, 0);
		assert.equal(setup()[0].length, done + 1, command);
	}
	assert.deepEqual(setup(), [[1, 2, 3, 5], 1]);
	/* A link by another name, to the other file. */
	fs.rmSync(at('etc/nginx/sites-enabled/tally'));
	link('../sites-available/tally-https', 'etc/nginx/sites-enabled/site');
	link('/lib/tally.socket', 'etc/systemd/system/sockets.target.wants/tally.socket');
	assert.deepEqual(setup(), [[1, 2, 3, 4, 5], 1]);
	link('/lib/tally.service',
		'etc/systemd/system/multi-user.target.wants/tally.service');
	assert.deepEqual(setup(), [[0, 1, 2, 3, 4, 5], 1]);
	succeed(['user', 'role', 'alice', 'owner']);
	assert.deepEqual(setup(), [[0, 1, 2, 3, 4, 5, 6], 0]);
	settings('TALLY_REDIS=unix:/run/none/redis.sock');
	assert.deepEqual(setup(), [[0, 2, 3, 4], 1]);
	settings('');
});

test('where no site is, the sentence says how to name one', () => {
	fs.rmSync(at('etc/tally/tally.conf'));
	assert.deepEqual(tally(['check']), failed('there is no site in var, and no other ' +
		'is named: by --dir, TALLY_REDIS, or /etc/tally/tally.conf, which a ' +
		'service has'));
});

await runTests();
