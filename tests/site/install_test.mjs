/*
 * `make install`: it is complete, systemd accepts the units and rates them well
 * confined, a site runs from it, and `make uninstall` removes all of it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';

import { Client, Service, freePort, namesIn, runTests, setUp, tally, tearDown,
	temporaryFolder, test, until } from './support.mjs';

const root = temporaryFolder();
const at = (...names) => path.join(root, ...names);
const local = (...names) => at('usr/local', ...names);

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

function make(target, folder, ...words) {
	return run('make', ['-s', target, `DESTDIR=${folder}`,
		`BUILD=${process.env.BUILD ?? 'build'}`, ...words],
	{ env: { PATH: process.env.PATH } });
}

const install = (folder, ...words) => make('install', folder, ...words);

const UNITS = ['tally.service', 'tally-redis.service', 'tally.socket',
	'tally-metrics.socket', 'tally-search.socket',
	'tally-backup.service', 'tally-backup.timer'];
const units = local('lib/systemd/system');
let service;

setUp(() => install(root));

tearDown(() => service?.stop());

test('everything is where Debian expects it', () => {
	const files = namesIn(root)
		.filter((name) => fs.statSync(at(name)).isFile());
	const others = files.filter((name) =>
		!/^usr\/local\/share\/tally\/(templates|static|errors)\//.test(name));

	assert.deepEqual(others.sort(), [
		'etc/nginx/sites-available/tally',
		'etc/nginx/sites-available/tally-https',
		'etc/tally/redis-node.conf', 'etc/tally/redis.conf',
		'etc/tally/tally.conf',
		'usr/local/bin/tally',
		'usr/local/lib/systemd/system/tally-backup.service',
		'usr/local/lib/systemd/system/tally-backup.timer',
		'usr/local/lib/systemd/system/tally-metrics.socket',
		'usr/local/lib/systemd/system/tally-redis.service',
		'usr/local/lib/systemd/system/tally-redis@.service',
		'usr/local/lib/systemd/system/tally-search.socket',
		'usr/local/lib/systemd/system/tally.service',
		'usr/local/lib/systemd/system/tally.socket',
		'usr/local/lib/sysusers.d/tally.conf',
		'usr/local/libexec/tally/backup',
		'usr/local/libexec/tally/redis-users',
		'usr/local/libexec/tally/run-redis',
		'usr/local/share/bash-completion/completions/tally',
		'usr/local/share/man/man1/tally.1',
		'usr/local/share/man/man5/tally.conf.5',
		'usr/local/share/man/man7/tally.7',
		'usr/local/share/tally/installed',
		'usr/local/share/tally/nginx/acme.conf',
		'usr/local/share/tally/nginx/http.conf',
		'usr/local/share/tally/nginx/server.conf',
		'usr/local/share/tally/nginx/service-server.conf',
		'usr/local/share/tally/nginx/service.conf',
		'usr/local/share/tally/nginx/up.conf',
		'usr/local/share/tally/redis-network.conf',
	]);
	for (const folder of ['templates', 'static'])
		assert.deepEqual(fs.readdirSync(local('share/tally', folder)),
			fs.readdirSync(folder).filter((name) => name !== 'po'));
	assert.equal(fs.readdirSync(local('share/tally/errors')).length, 8);
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

/* The files and links below a folder. */
const filesIn = (folder) => namesIn(folder)
	.filter((name) => !fs.lstatSync(path.join(folder, name)).isDirectory());

test('the PREFIX holds in every file', () => {
	for (const [prefix, other] of [['/usr', '/usr/local'],
		['/usr/local', '/usr'], ['/opt/tally', '/usr']]) {
		const folder = temporaryFolder();

		install(folder, `PREFIX=${prefix}`);
		const text = filesIn(folder).filter((name) => !name.endsWith('bin/tally'))
			.map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
			.join('');

		assert.doesNotMatch(text, new RegExp(
			`[^l]${other}/(bin|libexec|share)/tally\\b`), prefix);
		assert.ok(text.includes(`ExecStart=${prefix}/bin/tally serve`));
		assert.ok(text.includes(`include ${prefix}/share/tally/nginx/server.conf`));
		assert.ok(text.includes(`.It Pa ${prefix}/share/tally\n`));
		/* It finds its own files. */
		const pages = run(path.join(folder, prefix, 'bin/tally'),
			['error-pages', temporaryFolder()],
			{ env: { PATH: process.env.PATH } });

		assert.equal(pages, '');
		assert.equal(make('uninstall', folder, `PREFIX=${prefix}`), '');
		assert.deepEqual(fs.readdirSync(folder), [], prefix);
	}
});

test('uninstalling leaves files that were changed, added or there before',
	() => {
		const folder = temporaryFolder();
		const within = (name) => path.join(folder, name);
		const write = (name) => {
			fs.mkdirSync(path.dirname(within(name)), { recursive: true });
			fs.writeFileSync(within(name), '# mine\n');
		};

		write('etc/tally/redis.conf');
		fs.mkdirSync(within('usr/local/bin'), { recursive: true });
		install(folder);
		assert.equal(fs.readFileSync(within('etc/tally/redis.conf'), 'utf8'),
			'# mine\n');
		for (const name of ['etc/tally/tally.conf',
			'etc/tally/share/static/style.css', 'var/lib/tally-redis/data'])
			write(name);
		/* An update from a version with another template. */
		const list = within('usr/local/share/tally/installed');
		const old = 'usr/local/share/tally/templates/old.mustache';

		write(old);
		fs.appendFileSync(list, `${run('sha256sum', [within(old)])
			.split(' ')[0]} ${old}\n`);
		install(folder);
		assert.ok(!fs.existsSync(within(old)));
		assert.equal(make('uninstall', folder),
			`left, since it was changed: ${folder}/etc/tally/tally.conf\n` +
			`left: ${folder}/etc/tally/share\n` +
			`left: ${folder}/var/lib/tally-redis\n`);
		assert.deepEqual(filesIn(folder).sort(), ['etc/tally/redis.conf',
			'etc/tally/share/static/style.css', 'etc/tally/tally.conf',
			'var/lib/tally-redis/data']);
		assert.deepEqual(fs.readdirSync(within('usr/local')), ['bin']);
	});

test('the former program stays until the next is installed, or none is', () => {
	const folder = temporaryFolder();
	const bin = (name) => path.join(folder, 'usr/local/bin', name);
	const read = (name) => fs.readFileSync(bin(name));

	install(folder);
	assert.ok(!fs.existsSync(bin('tally.previous')));
	const program = read('tally');

	fs.writeFileSync(bin('tally'), 'the former one');
	for (let i = 0; i < 2; i++) {
		install(folder);
		assert.deepEqual(read('tally'), program);
		assert.equal(read('tally.previous').toString(), 'the former one');
	}
	fs.writeFileSync(bin('tally'), 'another one');
	install(folder);
	assert.equal(read('tally.previous').toString(), 'another one');
	assert.equal(make('uninstall', folder), '');
	assert.deepEqual(fs.readdirSync(folder), []);
});

test('an installation in use is not uninstalled', () => {
	const folder = temporaryFolder();
	const link = (name) => {
		fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
		fs.symlinkSync('/nowhere', path.join(folder, name));
	};

	install(folder);
	const before = filesIn(folder);
	const links = ['etc/systemd/system/sockets.target.wants/tally.socket',
		'etc/nginx/sites-enabled/tally-https'];

	links.map(link);
	const { status, stderr } = spawnSync('make', ['-s', 'uninstall',
		`DESTDIR=${folder}`], { encoding: 'utf8',
		env: { PATH: process.env.PATH } });

	assert.notEqual(status, 0);
	assert.match(stderr, /systemctl disable --now tally tally\.socket tally-redis tally-backup\.timer/);
	assert.match(stderr, /sites-enabled\/tally-https, and reload nginx/);
	assert.deepEqual(filesIn(folder).sort(), [...before, ...links].sort());
});

test('systemd finds the users', () => {
	const { stdout } = spawnSync('systemd-sysusers',
		[`--root=${root}`, '--cat-config'], { encoding: 'utf8' });

	assert.match(stdout, /^# .*\/usr\/local\/lib\/sysusers\.d\/tally\.conf$/m);
	assert.match(stdout, /^u +tally-redis /m);
});

const PAGES = ['man1/tally.1', 'man5/tally.conf.5', 'man7/tally.7'];

test('mandoc finds no fault with the manual pages', () => {
	for (const page of PAGES)
		run('mandoc', ['-Tlint', '-Wwarning', local(`share/man/${page}`)]);
});

/* A page as text, without its layout. */
const manual = (page = 'man1/tally.1') => run('mandoc', ['-Tascii',
	'-Owidth=500', local(`share/man/${page}`)]).replace(/.\x08/g, '');

test('the manual pages name the version', () => {
	const version = tally(['version']).out.split(' ')[1].trim();

	for (const page of PAGES)
		assert.match(manual(page), new RegExp(`^Tally ${version} `, 'm'));
});

test('the manual page has every setting, with its default', () => {
	const lines = tally(['--help']).out.split('\n')
		.join('\n').replace(/\n {20,}/g, ' ').split('\n');
	const page = manual('man5/tally.conf.5').replace(/\s+/g, ' ');
	const settings = lines.map((line) =>
		line.match(/^ {2}(TALLY_\w+) .*\[(.*)\]$/)).filter((found) => found);

	assert.ok(settings.length > 30, `${settings.length}`);
	for (const [, name, value] of settings)
		assert.ok(page.includes(value === '' ? ` ${name} ` :
			` ${name} [${value}] `), `${name} [${value}]`);
});

test('the manual page has every command, option and exit status', () => {
	const page = manual();
	const help = tally(['--help']).out;

	for (const [, name] of help.matchAll(/^ {2}tally ((?:user )?[a-z-]+)/gm)) {
		const { out } = tally([...name.split(' '), '--help']);

		assert.match(page, new RegExp(`^ +tally ${name}\\b`, 'm'));
		for (const [option] of out.matchAll(/--[a-z-]+/g))
			assert.ok(page.includes(option), option);
	}
	assert.match(page, /EXIT STATUS\s+0 [^]* 1 [^]* 2 /);
});

/* Bash's completions after these words. */
function complete(...words) {
	return run('bash', ['--norc', '-c', `. "$0" && COMP_WORDS=("$@") &&
		COMP_CWORD=$(($# - 1)) && _tally && printf '%s\\n' "\${COMPREPLY[@]}"`,
	local('share/bash-completion/completions/tally'), ...words],
	{ cwd: at('etc'), env: { PATH: process.env.PATH } })
		.split('\n').filter((word) => word !== '').sort();
}

test('bash completes commands, options, roles and files', () => {
	run('bash', ['-n', local('share/bash-completion/completions/tally')]);
	const names = [...tally(['--help']).out.matchAll(/^ {2}tally ([a-z-]+)/gm)]
		.map(([, name]) => name);

	assert.deepEqual(complete('tally', ''), [...new Set(names)].sort());
	assert.deepEqual(complete('tally', 'se'), ['search', 'serve', 'setup']);
	assert.deepEqual(complete('tally', 'user', ''),
		['close', 'owner-link', 'password', 'readmit', 'recover', 'role', 'suspend']);
	assert.deepEqual(complete('tally', 'user', 'role', 'ann', ''),
		['member', 'moderator', 'owner']);
	assert.deepEqual(complete('tally', 'user', '--dir', 'x', 'role', 'ann', 'mo'),
		['moderator']);
	assert.deepEqual(complete('tally', 'check', '--dir', 'n'), ['nginx']);
	assert.deepEqual(complete('tally', 'load', 'tally/t'),
		['tally/tally.conf']);
	for (const name of new Set(names)) {
		const options = [...tally([name, '--help']).out
			.matchAll(/^ {2}.*?(--[a-z-]+)/gm)].map(([, option]) => option);

		assert.deepEqual(complete('tally', name, '--'),
			[...new Set(options)].sort(), name);
	}
});

/* With a stub for the program of another package. */
test('systemd accepts the units', () => {
	fs.mkdirSync(at('usr/bin'), { recursive: true });
	fs.writeFileSync(at('usr/bin/sh'), '', { mode: 0o755 });
	fs.symlinkSync('usr/bin', at('bin'));
	fs.cpSync('/lib/systemd/system', units,
		{ recursive: true, force: false, verbatimSymlinks: true });
	run('systemd-analyze', ['verify', '--man=no', `--root=${root}`, ...UNITS]);
});

test('the units set nothing that tally.conf could not change', () => {
	for (const unit of fs.readdirSync(units).filter((name) => /^tally/.test(name)))
		assert.doesNotMatch(fs.readFileSync(path.join(units, unit), 'utf8'),
			/^(Environment|PassEnvironment|SetCredential|LoadCredential)/m, unit);
});

/* As tally(7) has it copied. */
const NETWORKED = ['tally.service', 'tally-backup.service'];

test('systemd accepts the drop-in for a Redis on other machines', () => {
	for (const unit of NETWORKED) {
		fs.mkdirSync(path.join(units, `${unit}.d`));
		fs.copyFileSync(local('share/tally/redis-network.conf'),
			path.join(units, `${unit}.d`, 'redis-network.conf'));
	}
	run('systemd-analyze', ['verify', '--man=no', `--root=${root}`, ...UNITS]);
	for (const unit of NETWORKED) {
		const analysis = run('systemd-analyze', ['security', '--offline=true',
			'--threshold=20', '--no-pager', `--root=${root}`, unit]);

		console.log(`# ${analysis.match(/Overall exposure.*: ([\d.]+)/)[0]}`);
		assert.match(analysis, /✗ PrivateNetwork=/);
		assert.match(analysis, /✗ RestrictAddressFamilies=~AF_\(INET\|INET6\)/);
		fs.rmSync(path.join(units, `${unit}.d`), { recursive: true });
	}
});

/* What is not Essential in Debian is named by the package's dependencies. */
test('the units start programs that every Debian has, and those of packages named', () => {
	const known = ['/bin/sh', '/usr/local/libexec/tally/run-redis', '/usr/local/bin/tally',
		'/usr/local/libexec/tally/redis-users', '/usr/local/libexec/tally/backup'];

	for (const unit of fs.readdirSync(units).filter((name) => /^tally/.test(name)))
		for (const [, program] of fs.readFileSync(path.join(units, unit), 'utf8')
			.matchAll(/^Exec\w+=(\S+)/gm))
			assert.ok(known.includes(program), `${unit}: ${program}`);
});

for (const unit of ['tally.service', 'tally-redis.service', 'tally-backup.service'])
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
		this.program = local('bin/tally');
		this.share = local('share/tally');
		spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes',
			'-subj', '/CN=localhost', '-keyout', 'privkey.pem',
			'-out', 'fullchain.pem'], { cwd: this.folder });
	}

	async startRedis() {
		run(local('libexec/tally/redis-users'), [this.folder]);
		fs.writeFileSync(path.join(this.folder, 'redis.conf'),
			fs.readFileSync(at('etc/tally/redis.conf'), 'utf8')
				.replaceAll(/\/(run|var\/lib)\/tally-redis/g, this.folder));
		this.spawn(local('libexec/tally/run-redis'), ['redis.conf']);
		await this.untilRedisListens();
	}

	/* The passwords, which are read by themselves only in /var/lib. */
	get moreSettings() {
		return Object.fromEntries(fs.readFileSync(
			path.join(this.folder, 'tally.env'), 'utf8').trim().split('\n')
			.map((line) => line.split('=')));
	}

	get siteFile() {
		return fs.readFileSync(at('etc/nginx/sites-available/tally'), 'utf8');
	}

	get httpsFile() {
		return fs.readFileSync(at('etc/nginx/sites-available/tally-https'), 'utf8')
			.replace(/#(map \$host \$tally_subdomains \{\n)#(.*\n)#/, '$1$2')
			.replace('listen 80;', `listen 127.0.0.1:${this.leading};`)
			.replace('listen 443 ', `listen 127.0.0.1:${this.secure} `)
			.replaceAll(/\/etc\/letsencrypt\/live\/example.org/g, this.folder);
	}

	/* Of the two, a machine has one. */
	async startNginx() {
		fs.mkdirSync(path.join(this.folder, 'webroot'));
		await super.startNginx();
		await super.startNginx(this.httpsFile, 'https');
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
	Installed.prototype.secure = await freePort();
	Installed.prototype.leading = await freePort();
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

test('only https sends Strict-Transport-Security', async () => {
	const answer = await new Promise((resolve, reject) => https.get(
		{ host: '127.0.0.1', port: service.secure, path: '/nowhere',
			rejectUnauthorized: false, agent: false }, (response) => {
			response.resume();
			response.on('end', () => resolve(response));
		}).on('error', reject));

	assert.equal(answer.statusCode, 404);
	assert.equal(answer.headers['strict-transport-security'],
		'max-age=63072000; includeSubDomains');
	assert.equal((await service.client().get('/')).headers[
		'strict-transport-security'], undefined);
});

/* Resolves to the answer over HTTP/2, which must be what was agreed on. */
function getOverHttp2(target) {
	const session = http2.connect(`https://127.0.0.1:${service.secure}`,
		{ rejectUnauthorized: false });

	return new Promise((resolve, reject) => {
		const request = session.request({ ':path': target });
		let body = '', headers;

		session.on('error', reject);
		request.on('error', reject);
		request.on('response', (got) => { headers = got; });
		request.on('data', (data) => { body += data; });
		request.on('end', () => resolve({ headers, body,
			protocol: session.alpnProtocol }));
		request.end();
	}).finally(() => session.close());
}

test('https has HTTP/2', async () => {
	for (const [target, what] of [['/about', /<html/], ['/style.css', /body/]]) {
		const { headers, body, protocol } = await getOverHttp2(target);

		assert.equal(protocol, 'h2');
		assert.equal(headers[':status'], 200);
		assert.match(body, what);
		assert.match(headers['strict-transport-security'], /^max-age=63072000/);
	}
});

test('an authority finds its file over http, with and without https', async () => {
	const place = '/.well-known/acme-challenge';
	const folder = path.join(service.folder, 'webroot', place);

	fs.mkdirSync(folder, { recursive: true });
	fs.writeFileSync(path.join(folder, 'token'), 'token.key');
	fs.writeFileSync(path.join(service.folder, 'webroot', 'index.html'), 'not this');
	for (const reader of [new Client(service.leading), service.client()]) {
		const { status, headers, body } = await reader.get(`${place}/token`);

		assert.equal(status, 200);
		assert.equal(body, 'token.key');
		assert.match(headers['content-type'], /^text\/plain/);
		assert.equal((await reader.get(`${place}/other`)).status, 404);
		assert.equal((await reader.get(`${place}/`)).status, 404);
		assert.doesNotMatch((await reader.get(
			`${place}/../../index.html`)).body, /not this/);
	}
	const { headers, body } = await getOverHttp2(`${place}/token`);

	assert.equal(headers[':status'], 200);
	assert.equal(body, 'token.key');
});

/* nginx 1.25 and newer would have HTTP/2 said otherwise, as older ones cannot. */
test('nginx takes both sites without another complaint', () => {
	for (const name of ['nginx', 'https']) {
		const { status, stderr } = spawnSync('nginx', ['-t', '-q', '-p',
			service.folder, '-c', path.join(service.folder, `${name}.conf`)],
		{ encoding: 'utf8', env: { PATH: `${process.env.PATH}:/usr/sbin` } });

		assert.equal(status, 0, stderr);
		assert.equal(stderr.replace(/^.*"listen \.\.\. http2" directive is deprecated.*\n/gm,
			''), '');
	}
});

test('http redirects to https', async () => {
	const { status, headers } = await new Client(service.leading)
		.get('/g/redis?order=new', { headers: { Host: 'example.org' } });

	assert.equal(status, 301);
	assert.equal(headers.location, 'https://example.org/g/redis?order=new');
});

test('what is in no log is not in that of what http redirects, either', async () => {
	const leading = new Client(service.leading);
	const log = path.join(service.folder, 'access.log');

	for (const target of ['/search?q=hushed', '/home.atom?key=hushed', '/link/owner.hushed',
		'/groups'])
		assert.equal((await leading.get(target,
			{ headers: { Host: 'example.org' } })).status, 301);
	await until('the last one is logged', () =>
		/GET \/groups HTTP\/1\.1" 301/.test(fs.readFileSync(log, 'utf8')));
	assert.doesNotMatch(fs.readFileSync(log, 'utf8'), /hushed/);
});

test('https accepts TLS 1.2 and newer', async () => {
	for (const [version, good] of [['TLSv1.1', false], ['TLSv1.2', true],
		['TLSv1.3', true]])
		assert.equal(await new Promise((resolve) => {
			const socket = tls.connect({ host: '127.0.0.1',
				port: service.secure, rejectUnauthorized: false,
				minVersion: version, maxVersion: version,
				ciphers: 'DEFAULT@SECLEVEL=0' }, () => {
				resolve(true);
				socket.destroy();
			});

			socket.on('error', () => resolve(false));
		}), good, version);
});

test('the installed Redis lets nobody in without a password', async () => {
	const { TALLY_REDIS_PASSWORD: web, TALLY_REDIS_ADMIN_PASSWORD: admin } =
		service.moreSettings;

	assert.match(await service.ask('PING'), /^-NOAUTH/);
	assert.match(await service.ask(`AUTH tally ${web}`, 'PING',
		'CONFIG GET port'), /^\+OK\r\n\+PONG\r\n-NOPERM/);
	const settings = await service.ask(`AUTH admin ${admin}`,
		'CONFIG GET port', 'CONFIG GET appendfsync',
		'CONFIG GET maxmemory-policy', 'CONFIG GET unixsocketperm',
		'CONFIG GET lazyfree-lazy-expire', 'CONFIG GET lazyfree-lazy-user-del');

	for (const [name, value] of [['port', '0'], ['appendfsync', 'always'],
		['maxmemory-policy', 'noeviction'], ['unixsocketperm', '770'],
		['lazyfree-lazy-expire', 'yes'], ['lazyfree-lazy-user-del', 'yes']])
		assert.match(settings, new RegExp(`${name}\r\n\\$\\d+\r\n${value}\r\n`));
	for (const [name, mode] of [['users.acl', 0o600], ['replication.conf', 0o600],
		['tally.env', 0o640]])
		assert.equal(fs.statSync(path.join(service.folder, name)).mode & 0o777,
			mode, name);
});

await runTests();
