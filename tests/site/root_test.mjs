/*
 * A site that root starts runs as another user, which needs access to the site's folder
 * only; and other users cannot run a site in a folder that is not theirs.
 *
 * The first is tested only if root runs the tests.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { NOBODY, Site, TALLY, freePort, giveAway, isRoot, listening, namesIn, processesIn,
	runTests, tally, temporaryFolder, test, until, withFolders } from './support.mjs';

const rootTest = isRoot ? test : () => undefined;

/* Of /proc/PID/status. */
function statusOf(pid, name) {
	return fs.readFileSync(`/proc/${pid}/status`, 'utf8')
		.match(new RegExp(`^${name}:\\s*(.*)$`, 'm'))[1].split('\t');
}

/* A source tree, overrides and settings that only root can read. */
function closedFiles() {
	const folder = temporaryFolder();
	const at = (name) => path.join(folder, name);

	for (const name of ['templates', 'static', 'nginx'])
		fs.cpSync(name, at(`tree/${name}`), { recursive: true });
	fs.mkdirSync(at('own/static'), { recursive: true });
	fs.mkdirSync(at('own/templates'));
	fs.writeFileSync(at('tally.conf'), 'TALLY_PAGE_SIZE=10\n');
	execFileSync('chmod', ['-R', 'go-rwx', folder]);
	return { at, settings: { TALLY_SHARE: at('tree'),
		TALLY_OVERRIDES: at('own'), TALLY_CONFIG: at('tally.conf') } };
}

async function reload(site) {
	site.log = '';
	site.process.kill('SIGHUP');
	await until('it has reloaded', () => assert.match(site.log, /reload/));
}

function assertOwned(folder, owner, group = owner) {
	for (const name of ['.', ...namesIn(folder)]) {
		const { uid, gid } = fs.lstatSync(path.join(folder, name));

		assert.deepEqual([name, uid, gid], [name, owner, group]);
	}
}

rootTest('nothing but the supervisor has root, and that acts as another', async () => {
	const site = await Site.start();
	const { uid } = fs.statSync(site.folder);
	const pid = site.process.pid;

	assert.notEqual(uid, 0);
	assert.deepEqual(statusOf(pid, 'Uid').slice(0, 3), ['0', `${uid}`, '0']);
	assert.equal(statusOf(pid, 'CapEff')[0], '0000000000000000');
	const others = site.running.filter((one) => one.pid !== pid);

	assert.ok(others.length >= 5);
	for (const one of others) {
		assert.deepEqual(statusOf(one.pid, 'Uid'), Array(4).fill(`${uid}`),
			one.name);
		assert.doesNotMatch(statusOf(one.pid, 'Gid').join(), /\b0\b/);
		assert.doesNotMatch(statusOf(one.pid, 'Groups').join(), /\b0\b/);
		assert.equal(statusOf(one.pid, 'CapPrm')[0], '0000000000000000');
	}
	await site.stop();
});

rootTest('a reload reads what root alone can read', async () => {
	const { at, settings } = closedFiles();
	const site = await Site.start({ settings });
	const reader = site.client();
	const layout = (mark) => fs.readFileSync('templates/layout.mustache', 'utf8')
		.replace('</body>', `<p>${mark}</p></body>`);

	assert.equal((await reader.get('/style.css')).body,
		fs.readFileSync('static/style.css', 'utf8'));
	fs.writeFileSync(at('tree/templates/layout.mustache'), layout('shipped'));
	fs.writeFileSync(at('tree/static/style.css'), 'p { color: red }');
	fs.writeFileSync(at('own/static/icon.svg'), '<svg/>', { mode: 0o600 });
	fs.writeFileSync(at('tally.conf'), 'TALLY_ORIGIN=https://tally.example\n');
	await reload(site);
	assert.match(site.log, / reloaded /);
	reader.headers = { Host: 'tally.example', 'X-Forwarded-Proto': 'https' };
	await until('everything is in force', async () => {
		const { body } = await reader.get('/about');

		assert.match(body, /<p>shipped<\/p>/);
		assert.match(body, /https:\/\/tally\.example/);
		assert.equal((await reader.get('/style.css')).body, 'p { color: red }');
		assert.equal((await reader.get('/icon.svg')).body, '<svg/>');
	});
	fs.rmSync(at('own/static/icon.svg'));
	fs.writeFileSync(at('own/templates/layout.mustache'), layout('own'));
	await reload(site);
	await until('the owner\'s are in force', async () => {
		assert.match((await reader.get('/about')).body, /<p>own<\/p>/);
		assert.equal((await reader.get('/icon.svg')).body,
			fs.readFileSync('static/icon.svg', 'utf8'));
	});
	await site.stop();
});

rootTest('what is in the site\'s folder is never read with root\'s rights', async () => {
	const secret = path.join(temporaryFolder(), 'secret');
	const site = await Site.start();
	const own = (name) => path.join(site.folder, 'share', name);

	fs.writeFileSync(secret, 'what nobody is to see {{', { mode: 0o600 });
	for (const name of ['templates/error.mustache', 'static/style.css',
		'static/icon.svg'])
		for (const settings of [{}, { TALLY_OVERRIDES: own('') }]) {
			const said = `${own(name)}:? (cannot be read: )?Permission denied`;

			site.settings = { ...site.settings, ...settings };
			fs.mkdirSync(path.dirname(own(name)), { recursive: true });
			fs.symlinkSync(secret, own(name));
			await reload(site);
			assert.match(site.err, new RegExp(said));
			await site.stop();
			const start = tally(['up', '--dir', site.folder], { settings:
				{ TALLY_PORT: site.port, ...settings } });

			assert.equal(start.status, 1);
			assert.match(start.err, new RegExp(said));
			for (const copy of ['static', 'own/static'].map((folder) =>
				path.join(site.folder, folder, path.basename(name))))
				assert.ok(!fs.existsSync(copy) || !fs.readFileSync(copy, 'utf8')
					.includes('what nobody'));
			fs.unlinkSync(own(name));
			await site.start();
		}
	await site.stop();
});

rootTest('the owner of the folder runs the site, and gets what was root\'s', async () => {
	const site = await Site.start();
	const ann = await site.member('ann');
	const id = await ann.submit({ title: 'Kept', text: 'A text.' });

	await site.stop();
	/* As earlier versions left it: owned by root, with links. */
	execFileSync('chown', ['-R', '0:0', site.folder]);
	fs.rmSync(path.join(site.folder, 'static'), { recursive: true });
	fs.symlinkSync(path.resolve('static'), path.join(site.folder, 'static'));
	fs.chownSync(site.folder, NOBODY, NOBODY);
	await site.start();
	for (const { pid } of site.running.filter(({ parent }) =>
		parent === site.process.pid))
		assert.equal(statusOf(pid, 'Uid')[0], `${NOBODY}`);
	assert.match((await site.client().get(`/articles/${id}`)).body, /Kept/);
	assert.equal(fs.statSync('static').uid, fs.statSync('.').uid);
	await site.stop();
	assertOwned(site.folder, NOBODY);
});

/* A free port below 1024. */
async function lowPort() {
	for (let port = 1023; port > 512; port--) {
		const server = await listening(port, '127.0.0.1');

		server?.close();
		if (server !== null)
			return port;
	}
	throw new Error('no port below 1024 is free');
}

rootTest('nginx alone may listen on a low port', async () => {
	const site = new Site();
	const first = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
	const NET_BIND_SERVICE = '0000000000000400';

	assert.ok(+fs.readFileSync(first, 'utf8') > 512);
	site.port = await lowPort();
	await site.start();
	assert.equal((await site.client().get('/about')).status, 200);
	for (const { pid, name } of site.running)
		assert.equal(statusOf(pid, 'CapEff')[0], name === 'nginx' ?
			NET_BIND_SERVICE : '0000000000000000', name);
	await site.stop();
});

rootTest('commands leave nothing of root\'s either, and read what root names', () => {
	const folder = path.join(temporaryFolder(), 'site');
	const dump = path.join(temporaryFolder(), 'dump.jsonl');

	fs.writeFileSync(dump, '{"kind":"user","name":"ann","created":1,' +
		'"role":"member","password":""}\n', { mode: 0o600 });
	assert.equal(tally(['load', '--dir', folder, dump]).status, 0);
	const { uid, gid } = fs.statSync(folder);

	assert.notEqual(uid, 0);
	assert.match(tally(['check', '--dir', folder]).out, /^1 member/m);
	assert.match(tally(['dump', '--dir', folder]).out, /"ann"/);
	assert.equal(tally(['user', 'role', 'ann', 'owner', '--dir', folder]).status,
		0);
	assertOwned(folder, uid, gid);
});

rootTest('a folder of root\'s with files of something else is left as it is', () => {
	const folder = temporaryFolder();
	const file = path.join(folder, 'letter.txt');

	fs.writeFileSync(file, '');
	const { status, err } = tally(['load', '--dir', folder, '-']);

	assert.equal(status, 1);
	assert.equal(err, `tally: ${folder} belongs to root and contains files that ` +
		'are not a site\'s, such as letter.txt: name another folder, or give it to ' +
		`the user who is to run the site: chown USER ${folder}\n`);
	assertOwned(folder, 0);
	giveAway(folder);
	assert.equal(tally(['load', '--dir', folder, '-']).status, 0);
	assert.equal(fs.statSync(file).uid, 0, 'which is no site\'s');
});

/* Loads an empty dump into a folder on a system without the user; `prepare` runs there
 * first. */
function withoutUser(folder, prepare) {
	const etc = path.join(temporaryFolder(), 'etc');

	execFileSync('cp', ['-a', '/etc', etc]);
	for (const name of ['passwd', 'shadow', 'group', 'gshadow'])
		fs.writeFileSync(path.join(etc, name),
			fs.readFileSync(path.join(etc, name), 'utf8')
				.replace(/^tally:.*\n/m, ''));
	const [command, ...words] = withFolders({ '/etc': etc }, ['sh', '-c',
		`${prepare} ${TALLY} load --dir ${folder} - </dev/null && cat /etc/passwd`]);

	return spawnSync(command, words, { encoding: 'utf8', cwd: '/' });
}

rootTest('the user is made if it is missing, or the start says what to do', () => {
	const folder = path.join(temporaryFolder(), 'site');
	const failed = withoutUser(folder, 'mount --bind /bin/false /usr/sbin/useradd &&');

	assert.equal(failed.status, 1);
	assert.equal(failed.stderr, 'tally: a site does not run as root, and the user tally ' +
		'cannot be created: create it, or give the folder to the user who is ' +
		'to run the site\n');
	assert.deepEqual(fs.readdirSync(folder), []);
	const made = withoutUser(folder, '');

	assert.equal(made.status, 0, made.stderr);
	const [, uid] = made.stdout.match(
		/^tally:x:(\d+):\d+::\/nonexistent:\/usr\/sbin\/nologin$/m);

	assert.equal(fs.statSync(folder).uid, +uid);
});

test('another user\'s folder is refused', () => {
	const folder = temporaryFolder();
	const program = path.join(folder, 'tally');

	fs.chmodSync(folder, 0o755);
	fs.copyFileSync(TALLY, program);
	const { status, stderr } = spawnSync(program, ['load', '--dir', '/', '-'],
		{ encoding: 'utf8', ...isRoot ? { uid: NOBODY, gid: NOBODY } : {} });

	assert.equal(status, 1);
	assert.match(stderr, /^tally: \/ belongs to another user: name a folder of your own/);
});

await runTests();
