/*
 * TLS connections to Redis, where hiredis supports them; clear errors where it does not,
 * and for wrong certificates.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { Nodes } from './nodes.mjs';
import { Site, freePort, runTests, setUp, tally, tearDown,
	temporaryFolder, test, until } from './support.mjs';

const IS_POSSIBLE = fs.existsSync('/usr/include/hiredis/hiredis_ssl.h');

/* A certificate of a private authority. */
function sign(name) {
	const folder = temporaryFolder();
	const file = (end) => path.join(folder, name + end);
	const make = (...words) => execFileSync('openssl', words,
		{ stdio: ['ignore', 'ignore', 'pipe'] });
	const request = (subject, key, ...words) => make('req', '-newkey',
		'ed25519', '-nodes', '-subj', `/CN=${subject}`, '-keyout', file(key),
		...words);

	request('authority', '.ca.key', '-x509', '-days', '2', '-out', file('.ca'));
	request('node', '.key', '-out', file('.csr'));
	make('x509', '-req', '-in', file('.csr'), '-CA', file('.ca'),
		'-CAkey', file('.ca.key'), '-CAcreateserial', '-days', '2',
		'-out', file('.crt'));
	/* The site's user reads them, which is not root. */
	fs.chmodSync(folder, 0o755);
	fs.chmodSync(file('.key'), 0o644);
	return { authority: file('.ca'), certificate: file('.crt'),
		key: file('.key') };
}

const settingsFor = (address, tls) => ({ TALLY_REDIS: address,
	TALLY_REDIS_CA: tls.authority ?? '', TALLY_REDIS_CERT: tls.certificate ?? '',
	TALLY_REDIS_KEY: tls.key ?? '' });

async function startSite(settings) {
	const site = new Site(path.join(temporaryFolder(), 'site'), settings);

	site.port = await freePort();
	await site.start();
	return site;
}

/* A change is still there after its master has failed. */
async function outliveAMaster(nodes, tls) {
	const site = await startSite(settingsFor(nodes.address, tls));
	const [ann, bob] = [await site.member('ann'), await site.member('bob')];
	const { headers } = await ann.post('/submit',
		{ title: 'Sealed', url: 'http://a.example/' });
	const read = async () => (await bob.get(headers.location)).body;

	assert.match(await read(), /Sealed/);
	for (const node of nodes.masters.slice(0, 1))
		await node.kill();
	await until('another master has taken over', async () => {
		const { status } = await bob.post(`${headers.location}/vote`,
			{ vote: 'down' });

		assert.equal(status, 303);
	}, 120);
	assert.match(await read(), /data-vote="down"/);
	await site.stop();
}

let tls, stranger, cluster;

setUp(async () => {
	tls = sign('own');
	stranger = sign('stranger');
	if (IS_POSSIBLE)
		cluster = await Nodes.cluster(temporaryFolder(), 3, 2, tls);
});

tearDown(async () => {
	await cluster?.stop();
});

const check = (settings) => {
	const { status, err } = tally(['check'], { settings });

	assert.equal(status, 1);
	return err;
};

if (!IS_POSSIBLE)
	test('without TLS in hiredis the start fails with an explanation', () =>
		assert.match(check(settingsFor('tls:127.0.0.1:1', tls)),
			/cannot be encrypted: .* hiredis older than 1\.0/));

if (IS_POSSIBLE) {
	test('a cluster accepts clients with a certificate', () =>
		outliveAMaster(cluster, tls));

	test('sentinels accept clients with a certificate', async () => {
		const nodes = await Nodes.sentinel(temporaryFolder(), 2, tls);

		await outliveAMaster(nodes, tls);
		await nodes.stop();
	});

	test('a certificate of another authority is not trusted', () =>
		assert.match(check(settingsFor(cluster.address,
			{ ...tls, authority: stranger.authority })),
		/self-signed certificate in certificate chain|unable to get/));

	/* A node may close the connection before its error is read. */
	test('a Redis that requires a certificate refuses clients without one', () => {
		assert.match(check(settingsFor(cluster.address,
			{ authority: tls.authority })), /certificate required|reset by peer/);
		assert.match(check(settingsFor(cluster.address,
			{ ...stranger, authority: tls.authority })), /unknown ca|reset by peer/);
	});

	test('missing files and invalid certificates are named', () => {
		const address = 'tls:127.0.0.1:1';

		assert.match(check(settingsFor(address, {})), /has to be named/);
		for (const part of ['authority', 'certificate', 'key']) {
			assert.match(check(settingsFor(address,
				{ ...tls, [part]: '/nowhere' })),
			/"\/nowhere" cannot be used: No such file or directory/);
			assert.match(check(settingsFor(address,
				{ ...tls, [part]: '/etc/hostname' })), /"\/etc\/hostname"/);
		}
	});

	test('a Redis without TLS is an error at once', () => {
		/* A command that waited would be killed before it prints that. */
		assert.match(check(settingsFor(
			cluster.address.replace('tls:', ''), {})), /does not answer|closed/);
	});
}

await runTests();
