/*
 * What `make install` puts into place: that it is all there, that systemd takes
 * the units and finds little to fault, and that the site runs from it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';

import { Service, freePort, runTests, temporaryFolder, test, until }
	from './support.mjs';

const root = temporaryFolder();
const at = (...names) => path.join(root, ...names);

/* Ends well and says nothing; returns what it wrote to standard output. */
function run(program, words, options) {
	const { status, stdout, stderr, error } = spawnSync(program, words,
		{ encoding: 'utf8', ...options });

	if (error !== undefined)
		throw error;
	assert.equal(stderr, '', `${program} ${words.join(' ')}`);
	assert.equal(status, 0, stdout);
	return stdout;
}

const UNITS = ['tally.service', 'tally-redis.service', 'tally.socket'];
const units = at('usr/lib/systemd/system');

test('everything is where Debian expects it', () => {
	run('make', ['-s', 'install', `DESTDIR=${root}`,
		`BUILD=${process.env.BUILD ?? 'build'}`],
	{ env: { PATH: process.env.PATH } });
	const files = fs.readdirSync(root, { recursive: true })
		.filter((name) => fs.statSync(at(name)).isFile());
	const others = files.filter((name) =>
		!/^usr\/share\/tally\/(templates|static|errors)\//.test(name));

	assert.deepEqual(others.sort(), [
		'etc/nginx/sites-available/tally',
		'etc/tally/redis.conf',
		'etc/tally/tally.conf',
		'usr/bin/tally',
		'usr/lib/systemd/system/tally-redis.service',
		'usr/lib/systemd/system/tally.service',
		'usr/lib/systemd/system/tally.socket',
		'usr/lib/sysusers.d/tally.conf',
		'usr/libexec/tally/redis-users',
		'usr/share/man/man1/tally.1',
		'usr/share/tally/nginx/http.conf',
		'usr/share/tally/nginx/server.conf',
		'usr/share/tally/nginx/up.conf',
	]);
	for (const folder of ['templates', 'static'])
		assert.deepEqual(fs.readdirSync(at('usr/share/tally', folder)),
			fs.readdirSync(folder));
	assert.equal(fs.readdirSync(at('usr/share/tally/errors')).length, 7);
	for (const name of files)
		assert.equal(fs.statSync(at(name)).mode & 0o444, 0o444, name);
});

test('installing again leaves settings as they are', () => {
	for (const name of ['tally/tally.conf', 'tally/redis.conf',
		'nginx/sites-available/tally'])
		fs.appendFileSync(at('etc', name), '# mine\n');
	run('make', ['-s', 'install', `DESTDIR=${root}`,
		`BUILD=${process.env.BUILD ?? 'build'}`]);
	for (const name of ['tally/tally.conf', 'tally/redis.conf',
		'nginx/sites-available/tally'])
		assert.match(fs.readFileSync(at('etc', name), 'utf8'), /# mine/);
});

test('another PREFIX is meant everywhere', () => {
	const other = temporaryFolder();

	run('make', ['-s', 'install', `DESTDIR=${other}`, 'PREFIX=/usr/local',
		`BUILD=${process.env.BUILD ?? 'build'}`]);
	const { status } = spawnSync('grep', ['-rE', '/usr/(bin|libexec|share)/tally',
		path.join(other, 'usr/local/lib'), path.join(other, 'etc')]);

	assert.equal(status, 1);
});

test('the manual page is clean', () =>
	run('mandoc', ['-Tlint', '-Wwarning', at('usr/share/man/man1/tally.1')]));

/* With stand-ins for what other packages bring. */
test('systemd takes the units', () => {
	for (const name of ['kill', 'redis-server'])
		fs.writeFileSync(at('usr/bin', name), '', { mode: 0o755 });
	fs.symlinkSync('usr/bin', at('bin'));
	fs.cpSync('/lib/systemd/system', units,
		{ recursive: true, force: false, verbatimSymlinks: true });
	run('systemd-analyze', ['verify', '--man=no', `--root=${root}`, ...UNITS]);
});

for (const unit of ['tally.service', 'tally-redis.service'])
	test(`${unit} is exposed by 2.0 at most`, () => {
		const said = run('systemd-analyze', ['security', '--offline=true',
			'--threshold=20', '--no-pager', path.join(units, unit)]);

		console.log(`# ${said.match(/Overall exposure.*: ([\d.]+)/)[0]}`);
	});

/* The service from the installed tree, with its own Redis and https. */
class Installed extends Service {
	install() {
		this.program = at('usr/bin/tally');
		this.share = at('usr/share/tally');
		spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes',
			'-subj', '/CN=localhost', '-keyout', 'key.pem',
			'-out', 'cert.pem'], { cwd: this.folder });
	}

	get inFolder() {
		return fs.readFileSync(at('etc/tally/redis.conf'), 'utf8')
			.replaceAll(/\/(run|var\/lib)\/tally-redis/g, this.folder);
	}

	async startRedis() {
		run(at('usr/libexec/tally/redis-users'), [this.folder]);
		fs.writeFileSync(path.join(this.folder, 'redis.conf'), this.inFolder);
		this.spawn('redis-server', ['redis.conf']);
		await until('Redis is there', () =>
			fs.existsSync(path.join(this.folder, 'redis.sock')));
	}

	/* What EnvironmentFile= has for the service. */
	get more() {
		return Object.fromEntries(fs.readFileSync(
			path.join(this.folder, 'tally.env'), 'utf8').trim().split('\n')
			.map((line) => line.split('=')));
	}

	get site() {
		const pem = (name) => path.join(this.folder, name);

		return fs.readFileSync(at('etc/nginx/sites-available/tally'), 'utf8')
			.replace('# listen 443 ssl', `listen 127.0.0.1:${this.secure} ssl`)
			.replace(/# (ssl_certificate) .*/, `$1 ${pem('cert.pem')};`)
			.replace(/# (ssl_certificate_key) .*/, `$1 ${pem('key.pem')};`);
	}

	/* What Redis answers to lines of commands. */
	ask(...lines) {
		return new Promise((resolve, reject) => {
			const socket = net.connect(path.join(this.folder, 'redis.sock'));
			let answer = '';

			socket.on('error', reject);
			socket.on('data', (data) => { answer += data; });
			socket.on('close', () => resolve(answer));
			socket.end(lines.concat('QUIT', '').join('\r\n'));
		});
	}
}

let service;

test('a site runs from it', async () => {
	const secure = await freePort();

	Installed.prototype.secure = secure;
	service = await Installed.start();
	const ann = await service.member('ann');
	const id = await ann.submit({ title: 'Installed', text: 'A text.' });

	assert.match((await service.client().get(`/articles/${id}`)).body,
		/Installed/);
	assert.equal((await service.client().get('/style.css')).status, 200);
	const large = await ann.request('POST', '/submit',
		{ body: 'x'.repeat(300000) });

	assert.equal(large.status, 413);
	assert.match(large.body, /<p class="status">413<\/p>/);
});

test('under https, and only there, browsers are told to stay', async () => {
	const answer = await new Promise((resolve, reject) => https.get(
		{ host: '127.0.0.1', port: service.secure, path: '/nowhere',
			rejectUnauthorized: false, agent: false }, (response) => {
			response.resume();
			response.on('end', () => resolve(response));
		}).on('error', reject));

	assert.equal(answer.statusCode, 404);
	assert.equal(answer.headers['strict-transport-security'],
		'max-age=63072000');
	assert.equal((await service.client().get('/')).headers[
		'strict-transport-security'], undefined);
});

test('its Redis lets nobody in without a password', async () => {
	const { TALLY_REDIS_PASSWORD: web, TALLY_REDIS_ADMIN_PASSWORD: admin } =
		service.more;

	assert.match(await service.ask('PING'), /^-NOAUTH/);
	assert.match(await service.ask(`AUTH tally ${web}`, 'PING',
		'CONFIG GET port'), /^\+OK\r\n\+PONG\r\n-NOPERM/);
	const settings = await service.ask(`AUTH admin ${admin}`,
		'CONFIG GET port', 'CONFIG GET appendfsync',
		'CONFIG GET maxmemory-policy', 'CONFIG GET unixsocketperm');

	for (const [name, value] of [['port', '0'], ['appendfsync', 'always'],
		['maxmemory-policy', 'noeviction'], ['unixsocketperm', '770']])
		assert.match(settings, new RegExp(`${name}\r\n\\$\\d+\r\n${value}\r\n`));
	for (const name of ['users.acl', 'tally.env'])
		assert.equal(fs.statSync(path.join(service.folder, name)).mode & 0o777,
			0o600, name);
	await service.stop();
});

await runTests();
