/*
 * The link by which a member becomes the owner: printed by the start of a site without an
 * owner, followed by a visitor, good once, and in no log.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { Service, Site, csrfOf, filesWith, runTests, setUp, tally, tearDown, test,
	until, untilHealthy } from './support.mjs';

const LINK = /http:\/\/localhost(?::\d+)?(\/link\/owner\.([0-9a-f]{64}))\n/;

let site, service;

setUp(async () => {
	site = await Site.start();
	service = await Service.start();
});

tearDown(async () => {
	await site?.stop();
	await service?.stop();
});

/* The path of the link that was printed, and its secret. */
async function printed(from) {
	await until('the link is printed', () => LINK.test(from.out));
	const [, link, secret] = from.out.match(LINK);

	return { link, secret };
}

/* Registers as the page of the link says, and presses its button. */
async function follow(from, link, username) {
	const reader = from.client();
	const page = await reader.get(link);
	const register = page.body.match(/href="(\/register\?return_to=[^"]*)"/)[1];
	const { body } = await reader.get(register);
	const returnTo = body.match(/name="return_to" value="([^"]*)"/)[1];
	let answer = await reader.post('/register', { username,
		password: 'correct horse', return_to: returnTo }, { from: register });

	assert.equal(answer.status, 303);
	/* To the address without a secret, and from there to the link. */
	assert.equal(answer.headers.location, '/link');
	answer = await reader.get(answer.headers.location);
	assert.equal(answer.headers.location, link);
	answer = await reader.get(link);
	assert.equal(answer.headers['referrer-policy'], 'no-referrer');
	assert.match(answer.headers['cache-control'], /no-store/);
	reader.token = csrfOf(answer.body);
	/* It may take too long on a busy machine, and is then sent again. */
	await until('an answer', async () => {
		answer = await reader.post(link);
		return answer.status !== 503;
	});
	return { reader, answer };
}

test('whoever registers by the printed link becomes the owner', async () => {
	const { link, secret } = await printed(site);
	const { reader, answer } = await follow(site, link, 'olga');

	assert.equal(answer.status, 303);
	assert.equal(answer.headers.location, '/settings/site');
	assert.equal((await reader.get('/settings/site')).status, 200);
	const ben = await site.member('ben');

	assert.equal((await ben.post(link)).status, 410);
	assert.equal((await ben.get(link)).status, 404);
	assert.equal((await ben.get('/settings/site')).status, 403);
	/* Redis has a digest of it, and the logs have nothing. */
	assert.deepEqual(filesWith(site.folder, secret), []);
	assert.doesNotMatch(site.log, new RegExp(secret));
	assert.equal(site.events.filter((line) => / appointed /.test(line)).length,
		1);
});

test('a site with an owner prints no link', async () => {
	await site.stop();
	await site.start();
	await until('it has started', () => site.events.some((line) =>
		/ started /.test(line)));
	const { status, out, err } = site.command('user', 'owner-link');

	assert.equal(status, 1);
	assert.equal(out, '');
	assert.match(err, /the site has an owner/);
	await site.stop();
	assert.equal(site.ownerLink, undefined);
	await site.start();
});

test('a site that has lost its owner prints one again', async () => {
	assert.equal(site.command('user', 'role', 'olga', 'member').status, 0);
	const { status, out } = site.command('user', 'owner-link');

	assert.equal(status, 0);
	assert.match(out, LINK);
	await site.stop();
	await site.start();
	const { link } = await printed(site);

	assert.notEqual(link, out.match(LINK)[1]);
	/* Both are good, until one is used. */
	const { reader, answer } = await follow(site, out.match(LINK)[1], 'ada');

	assert.equal(answer.status, 303);
	assert.equal((await reader.get('/settings/site')).status, 200);
	assert.equal((await site.client().get(link)).status, 410);
});

test('TALLY_ORIGIN is the base of the link', () => {
	site.command('user', 'role', 'ada', 'member');
	const { out } = tally(['user', 'owner-link', '--dir', site.folder],
		{ settings: { TALLY_ORIGIN: 'https://tally.example' } });

	assert.match(out, /^https:\/\/tally\.example\/link\/owner\.[0-9a-f]{64}$/m);
});

test('the link leads to the nginx of the site', async () => {
	await printed(service);
	/* That of the service listens on port 80. */
	assert.match(service.out, /^http:\/\/localhost\/link\/.*\nTALLY_ORIGIN is not set/m);
	assert.match(fs.readFileSync('nginx/tally.conf', 'utf8'),
		/^\tlisten 80;\n(.*\n)?\tserver_name example.org localhost;$/m);
	const { out } = site.command('user', 'owner-link');

	assert.match(out, /^http:\/\/localhost:\d+\/link\//m);
	assert.doesNotMatch(out, /TALLY_ORIGIN/);
});

/* With the log that the site's file names, while nginx answers by itself, too. */
test('no log of the service has the link', async () => {
	const { link, secret } = await printed(service);
	const reader = service.client();

	await service.stop();
	fs.rmSync(service.socket);
	for (const page of [link, '/about']) {
		const { status, headers } = await reader.get(page);

		assert.equal(status, 503);
		assert.equal(headers['referrer-policy'],
			page === link ? 'no-referrer' : 'same-origin');
	}
	service.systemd.stdin.end();
	service.startSystemd();
	await service.start();
	await untilHealthy(reader);
	assert.equal((await reader.get(link)).status, 200);
	assert.equal((await follow(service, link, 'olga')).answer.status, 303);
	assert.equal((await reader.request('POST', link,
		{ body: 'x'.repeat(300001) })).status, 413);
	await until('the log has the last request', () => fs.readFileSync(path.join(
		service.folder, 'access.log'), 'utf8').includes('GET /about'));
	assert.match(fs.readFileSync(path.join(service.folder, 'nginx-error.log'),
		'utf8'), /connect\(\) to unix:.*GET \/about /);
	assert.deepEqual(filesWith(service.folder, secret), []);
	assert.doesNotMatch(service.log, new RegExp(secret));
});

await runTests();
