/*
 * What a site says of itself: rules, links at the foot, an announcement and a logo, set by
 * the owner and seen through nginx with its cache on; and in a Chromium without scripts.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';

import { clickThrough, contextFor, startBrowser } from './browser.mjs';
import { Site, runTests, setUp, tearDown, test, until } from './support.mjs';

const ASKED = 200; /* times, by each reader */
const texts = { name: 'Byways', registration: 'open', group_creation: 'members',
	voting: 'at-once', log_names: 'named' };

const picture = 'static/apple-touch-icon.png';

let site, owner, browser;

const set = async (fields) => {
	const { status } = await owner.post('/settings/site', { ...texts, ...fields });

	assert.equal(status, 303);
};

/* Once nginx's copies of the pages before are a second old. */
const seen = (reader, target, words) => until(`${target} has ${words}`, async () =>
	(await reader.get(target)).body.includes(words));

setUp(async () => {
	site = await Site.start({ settings: { TALLY_CACHE: 1 } });
	owner = await site.member('olga');
	assert.equal(site.command('user', 'role', 'olga', 'owner').status, 0);
	browser = await startBrowser();
});

tearDown(async () => {
	await browser?.close();
	await site.stop();
});

/* The fields of the form that a page has, as a browser without scripts sends them. */
function dismissalIn(body) {
	const [, form] = body.match(/<form method="post" action="\/dismiss">(.*?)<\/form>/);

	return Object.fromEntries([...form.matchAll(/name="(\w+)" value="([^"]*)"/g)]
		.map(([, name, value]) => [name, value]));
}

async function dismiss(client, body) {
	const fields = new URLSearchParams(dismissalIn(body)).toString();

	return client.request('POST', '/dismiss', { body: fields, headers: {
		'Content-Type': 'application/x-www-form-urlencoded' } });
}

test('rules and links are on the pages of readers', async () => {
	await set({ rules: '1. Be kind.',
		foot_links: 'Imprint https://example.org/imprint' });
	const reader = site.client();

	assert.match((await reader.get('/rules')).body, /<li[^>]*>Be kind\./);
	assert.match((await reader.get('/register')).body, /read the <a href="\/rules"/);
	assert.match((await reader.get('/')).body,
		/<a href="https:\/\/example\.org\/imprint" dir="auto">Imprint<\/a>/);
});

test('who has dismissed an announcement shares no cached page with who has not',
	async () => {
		await set({ announcement: 'The site moves on Sunday.' });
		const readers = [site.client(), site.client()];
		const shown = (body) => body.includes('moves on Sunday');

		await seen(readers[0], '/', 'moves on Sunday');
		const first = await readers[0].get('/');

		assert.equal(first.headers['cache-control'], 'public, max-age=1');
		assert.equal(dismissalIn(first.body).csrf, undefined);
		const { status, headers } = await dismiss(readers[0], first.body);

		assert.equal(status, 303);
		assert.equal(headers.location, '/');
		for (let i = 0; i < ASKED; i++) {
			const answers = await Promise.all(readers.map((r) => r.get('/')));

			assert.deepEqual(answers.map(({ body }) => shown(body)), [false, true]);
			for (const answer of answers)
				assert.equal(answer.headers['cache-control'], 'public, max-age=1');
		}
	});

test('a made-up cookie hides the announcement from nobody else', async () => {
	await set({ announcement: 'Another one.' });
	const other = site.client(), pages = ['/', '/about', '/interesting'];

	for (const target of pages)
		await seen(other, target, 'Another one.');
	for (const Cookie of ['tally-dismissed=9999999999', 'tally-dismissed=x',
		'__Host-tally-dismissed=9999999999', 'tally-dismissed=99999999999999999',
		'tally-dismissed=1; tally-dismissed=9999999999',
		';\ttally-dismissed=9999999999', 'xtally-dismissed=9999999999',
		'tally-dismissed=9999999999x'])
		for (const target of pages) {
			await site.client().get(target, { headers: { Cookie } });
			assert.match((await other.get(target)).body, /Another one\./, Cookie);
		}
});

test('a member dismisses it once, with every browser', async () => {
	await set({ announcement: 'For members, too.' });
	const mira = await site.member('mira'), elsewhere = site.client();
	const { body } = await mira.get('/');

	await elsewhere.logIn('mira', 'correct horse');
	assert.match((await elsewhere.get('/')).body, /For members, too/);
	assert.equal((await dismiss(mira, body)).status, 303);
	for (const client of [mira, elsewhere])
		assert.doesNotMatch((await client.get('/')).body, /For members, too/);
	assert.match((await owner.get('/')).body, /For members, too/);
});

test('an owner uploads a logo and dismisses an announcement, without scripts',
	async () => {
		await set({ announcement: 'A new **logo**.' });
		const context = await contextFor(browser, site, owner,
			{ javaScriptEnabled: false });
		const page = await context.newPage();
		const logo = page.locator('.brand img');
		const button = (name) => page.getByRole('button', { name, exact: true });

		page.setDefaultTimeout(60000);
		await page.goto(`http://localhost:${site.port}/settings/site`);
		assert.equal(await logo.count(), 0);
		await page.getByLabel('Logo').setInputFiles(
			{ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('GIF89a') });
		await clickThrough(button('Upload').first());
		assert.match(await page.locator('#logo-problem').textContent(),
			/isn’t a PNG image/);
		await page.getByLabel('Logo').setInputFiles(picture);
		await clickThrough(button('Upload').first());
		assert.match(await page.getByRole('status').textContent(), /saved/);
		assert.equal(await logo.count(), 1);
		assert.ok((await logo.boundingBox()).width > 20);
		assert.equal(await page.getByRole('complementary').textContent()
			.then((words) => words.includes('A new logo.')), true);
		await clickThrough(button('Hide'));
		assert.equal(new URL(page.url()).pathname, '/settings/site');
		assert.equal(await page.getByRole('complementary').count(), 0);
		assert.equal(await logo.count(), 1);
		await context.close();
	});

test('nginx caches a logo under its version, as nothing but an image', async () => {
	const reader = site.client();

	await seen(reader, '/', '/logo.png?v=');
	const [address] = (await reader.get('/')).body.match(/\/logo\.png\?v=\w+/);

	for (const who of [reader, owner]) {
		const { status, headers, all, bytes } = await who.get(address);

		assert.equal(status, 200);
		assert.deepEqual(bytes, fs.readFileSync(picture));
		assert.equal(headers['cache-control'],
			'public, max-age=31536000, immutable');
		assert.equal(headers['content-type'], 'image/png');
		assert.equal(headers['x-content-type-options'], 'nosniff');
		assert.match(headers['content-security-policy'], /^default-src 'none'/);
		assert.equal(all('set-cookie').length, 0);
	}
	for (const other of ['/logo.png', '/logo.png?v=0', `${address}0`])
		assert.equal((await reader.get(other)).headers['cache-control'],
			'private, no-store');
});

test('a file beyond all limits is refused, and changes nothing', async () => {
	const before = (await owner.get('/settings/site')).body;
	const part = (head, value) => Buffer.concat([Buffer.from('--b\r\n' +
		`Content-Disposition: form-data; ${head}\r\n\r\n`), value,
	Buffer.from('\r\n')]);
	const upload = (bytes) => owner.request('POST', '/settings/site/logo',
		{ headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
			body: Buffer.concat([part('name="csrf"', Buffer.from(owner.token)),
				part('name="file"; filename="a"', bytes),
				Buffer.from('--b--\r\n')]) });

	for (const [size, status] of [[65537, 422], [262144, 413], [300000, 413]])
		assert.equal((await upload(Buffer.alloc(size))).status, status, size);
	assert.equal((await upload(fs.readFileSync(picture))).status, 303);
	assert.equal((await owner.get('/settings/site')).body
		.match(/logo\.png\?v=\w+/)[0], before.match(/logo\.png\?v=\w+/)[0]);
});

await runTests();
