/*
 * What `make install` installs: that it is complete, that systemd accepts the
 * units and finds them well confined, and that a site runs from it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';

import { Service, freePort, runTests, setUp, tearDown, temporaryFolder, test }
	from './support.mjs';

const root = temporaryFolder();
const at = (...names) => path.join(root, ...names);

/* Runs a program, which must succeed without complaint; returns its output. */
function run(program, words, options) {
	const { status, stdout, stderr, error } = spawnSync(program, words,
		{ encoding: 'utf8', ...options });

	if (error !== undefined)
		throw error;
	assert.equal(stderr, '', `${program} ${words.join(' ')}`);
	assert.equal(status, 0, stdout);
	return stdout;
}

function install(folder, ...words) {
	run('make', ['-s', 'install', `DESTDIR=${folder}`,
		`BUILD=${process.env.BUILD ?? 'build'}`, ...words],
	{ env: { PATH: process.env.PATH } });
}

const UNITS = ['tally.service', 'tally-redis.service', 'tally.socket'];
const units = at('usr/lib/systemd/system');
let service;

setUp(() => install(root));

tearDown(() => service?.stop());

test('everything is where Debian expects it', () => {
	const files = fs.readdirSync(root, { recursive: true })
		.filter((name) => fs.statSync(at(name)).isFile());
	const others = files.filter((name) =>
		!/^usr\/share\/tally\/(templates|static|errors)\//.test(name));

	assert.deepEqual(others.sort(), [
		'etc/nginx/sites-available/tally',
		'etc/tally/redis-node.conf', 'etc/tally/redis.conf',
		'etc/tally/tally.conf',
		'usr/bin/tally',
		'usr/lib/systemd/system/tally-redis.service',
		'usr/lib/systemd/system/tally-redis@.service',
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

test('installing again leaves the settings as they are', () => {
	for (const name of ['tally/tally.conf', 'tally/redis.conf',
		'nginx/sites-available/tally'])
		fs.appendFileSync(at('etc', name), '# mine\n');
	install(root);
	for (const name of ['tally/tally.conf', 'tally/redis.conf',
		'nginx/sites-available/tally'])
		assert.match(fs.readFileSync(at('etc', name), 'utf8'), /# mine/);
});

test('another PREFIX holds in every file', () => {
	const other = temporaryFolder();

	install(other, 'PREFIX=/usr/local');
	const { status } = spawnSync('grep', ['-rE', '/usr/(bin|libexec|share)/tally',
		path.join(other, 'usr/local/lib'), path.join(other, 'etc')]);

	assert.equal(status, 1);
});

test('mandoc finds no fault with the manual page', () =>
	run('mandoc', ['-Tlint', '-Wwarning', at('usr/share/man/man1/tally.1')]));

/* With stand-ins for programs that other packages bring. */
test('systemd accepts the units', () => {
	for (const name of ['kill', 'redis-server'])
		fs.writeFileSync(at('usr/bin', name), '', { mode: 0o755 });
	fs.symlinkSync('usr/bin', at('bin'));
	fs.cpSync('/lib/systemd/system', units,
		{ recursive: true, force: false, verbatimSymlinks: true });
	run('systemd-analyze', ['verify', '--man=no', `--root=${root}`, ...UNITS]);
});

for (const unit of ['tally.service', 'tally-redis.service'])
	test(`${unit} has an exposure level of 2.0 at most`, () => {
		const analysis = run('systemd-analyze', ['security',
			'--offline=true', '--threshold=20', '--no-pager',
			path.join(units, unit)]);

		console.log(`# ${analysis.match(/Overall exposure.*: ([\d.]+)/)[0]}`);
	});

/* The service run from the installed tree, with the Redis of its own unit and
 * an nginx that listens for https as well. */
class Installed extends Service {
	install() {
		this.program = at('usr/bin/tally');
		this.share = at('usr/share/tally');
		spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes',
			'-subj', '/CN=localhost', '-keyout', 'key.pem',
			'-out', 'cert.pem'], { cwd: this.folder });
	}

	async startRedis() {
		run(at('usr/libexec/tally/redis-users'), [this.folder]);
		fs.writeFileSync(path.join(this.folder, 'redis.conf'),
			fs.readFileSync(at('etc/tally/redis.conf'), 'utf8')
				.replaceAll(/\/(run|var\/lib)\/tally-redis/g, this.folder));
		this.spawn('redis-server', ['redis.conf']);
		await this.untilRedisListens();
	}

	/* What the unit's EnvironmentFile= gives the service. */
	get moreSettings() {
		return Object.fromEntries(fs.readFileSync(
			path.join(this.folder, 'tally.env'), 'utf8').trim().split('\n')
			.map((line) => line.split('=')));
	}

	get siteFile() {
		const pem = (name) => path.join(this.folder, name);

		return fs.readFileSync(at('etc/nginx/sites-available/tally'), 'utf8')
			.replace('# listen 443 ssl', `listen 127.0.0.1:${this.secure} ssl`)
			.replace(/# (ssl_certificate) .*/, `$1 ${pem('cert.pem')};`)
			.replace(/# (ssl_certificate_key) .*/, `$1 ${pem('key.pem')};`);
	}

	/* Sends Redis lines of commands; resolves to all of its answers. */
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

test('a site runs from the installed files', async () => {
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

test('only under https are browsers told to stay with it', async () => {
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

test('the installed Redis lets nobody in without a password', async () => {
	const { TALLY_REDIS_PASSWORD: web, TALLY_REDIS_ADMIN_PASSWORD: admin } =
		service.moreSettings;

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
});

await runTests();
