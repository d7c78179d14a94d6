/*
 * The owner's templates and static files, which override the shipped ones, for `tally up`
 * and for the service.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { Service, Site, runTests, setUp, tally, tearDown, temporaryFolder, test,
	until } from './support.mjs';

let service, site;

/* Writes a file of the owner's. */
function write(folder, name, text) {
	const file = path.join(folder, name);

	fs.mkdirSync(path.dirname(file), { recursive: true });
	fs.writeFileSync(file, text);
}

const shipped = (name) => fs.readFileSync(name, 'utf8');
const layout = (foot) => shipped('templates/layout.mustache')
	.replace('</body>', `<p>${foot}</p></body>`);

setUp(async () => {
	const folder = path.join(temporaryFolder(), 'site');

	write(folder, 'share/templates/layout.mustache', layout('Mine'));
	write(folder, 'share/static/icon.svg', '<svg/>');
	write(folder, 'share/static/secret.txt', 'not served');
	site = await Site.start({ folder });
	service = await Service.start();
});

tearDown(async () => {
	await site?.stop();
	await service?.stop();
});

test('`tally up` takes the owner\'s files from DIR/share', async () => {
	const reader = site.client();

	assert.match((await reader.get('/about')).body, /<p>Mine<\/p>/);
	assert.equal((await reader.get('/icon.svg')).body, '<svg/>');
	assert.equal((await reader.get('/style.css')).body,
		shipped('static/style.css'));
	assert.equal((await reader.get('/secret.txt')).status, 404);
	/* nginx's own error pages use them, too. */
	const large = await reader.request('POST', '/submit',
		{ body: 'x'.repeat(300000) });

	assert.equal(large.status, 413);
	assert.match(large.body, /<p>Mine<\/p>/);
});

test('a reload reads the owner\'s changed files', async () => {
	const reader = service.client();

	assert.doesNotMatch((await reader.get('/about')).body, /<p>Mine<\/p>/);
	write(service.own, 'templates/layout.mustache', layout('Mine'));
	write(service.own, 'static/style.css', 'body { color: green }');
	await service.reload();
	await until('the template is shown', async () =>
		assert.match((await reader.get('/about')).body, /<p>Mine<\/p>/));
	assert.equal((await reader.get('/style.css')).body,
		'body { color: green }');
	assert.equal((await reader.get('/icon.svg')).body,
		shipped('static/icon.svg'));
});

test('an answer has one set of headers, with the owner\'s files as well', async () => {
	for (const target of ['/style.css', '/icon.svg']) {
		const { headers, all } = await service.client().get(target);

		for (const name of ['cache-control', 'content-type',
			'content-security-policy', 'x-content-type-options', 'vary'])
			assert.equal(all(name).length, 1, `${name} of ${target}`);
		assert.equal(headers.expires, undefined);
		assert.match(headers['content-type'], /^(text\/css; charset=utf-8|image\/svg\+xml)$/);
	}
});

test('the style sheet is kept a year under its version, and under no other', async () => {
	/* Comments and spaces are left out. */
	const bare = (css) => css.replace(/\/\*[^]*?\*\//g, '').replace(/\s/g, '');
	const control = async (target, who = service) =>
		(await who.client().get(target)).headers['cache-control'];

	for (const who of [service, site]) {
		const page = (await who.client().get('/about')).body;
		const [address] = page.match(/\/base\.css\?v=[0-9a-f]{12}/);
		const sheet = await who.client().get(address);

		assert.equal(sheet.headers['cache-control'],
			'public, max-age=31536000, immutable');
		assert.equal(bare(sheet.body), bare((await who.client().get('/style.css')).body));
		/* Else a made-up version would be cached with the current content. */
		for (const target of ['/base.css?v=0123456789ab', '/base.css'])
			assert.equal(await control(target, who), 'private, no-store');
		for (const target of ['/style.css', '/style.css?w',
			'/style.css?v=0123456789ab'])
			assert.equal(await control(target, who), 'max-age=3600');
		assert.equal(await control('/icon.svg', who), 'max-age=604800');
		assert.equal(await control('/apple-touch-icon.png?v=1', who),
			fs.existsSync('static/apple-touch-icon.png') ?
				'max-age=604800' : 'private, no-store');
	}
	const posted = await service.client()
		.request('POST', '/style.css?v=0123456789ab');

	assert.equal(posted.status, 405);
	assert.equal(posted.headers['cache-control'], 'private, no-store');
});

test('the owner can replace nginx\'s own error pages', async () => {
	write(service.own, 'errors/413.html', 'Too much for me');
	const large = await service.client().request('POST', '/submit',
		{ body: 'x'.repeat(300000) });

	assert.equal(large.status, 413);
	assert.equal(large.body, 'Too much for me');
	assert.equal(large.headers['cache-control'], 'private, no-store');
});

test('a reload with a template of the owner\'s that does not fit is refused',
	async () => {
		const file = path.join(service.own, 'templates/error.mustache');

		write(service.own, 'templates/error.mustache', 'x\n {{nonsense}}');
		await service.reload();
		await until('the log says so', () =>
			assert.match(service.err, /reload failed: continuing/));
		assert.ok(service.err.includes(`${file}:2:2: `), service.err);
		assert.equal((await service.client().get('/about')).status, 200);
		fs.rmSync(file);
	});

/* error-pages checks the templates as `up` and `serve` do. */
function start(settings) {
	return tally(['error-pages', temporaryFolder()], { settings });
}

test('a template of the owner\'s that does not fit stops the start', () => {
	const own = temporaryFolder();

	write(own, 'templates/article_row.mustache', '<h1>\n  {{headnig}}</h1>\n');
	const { status, err } = start({ TALLY_OVERRIDES: own });

	assert.equal(status, 1);
	assert.ok(err.includes(`${own}/templates/article_row.mustache:2:3: `), err);
});

test('a template of the owner\'s may show less than the shipped one', () => {
	const own = temporaryFolder();

	write(own, 'templates/error.mustache',
		'{{<layout}}{{$main}}{{#words}}{{title}}{{/words}}{{/main}}{{/layout}}');
	assert.deepEqual(start({ TALLY_OVERRIDES: own }),
		{ status: 0, out: '', err: '' });
});

test('a folder that is named must exist', () => {
	const { status, err } = start({ TALLY_OVERRIDES: '/no/such/folder' });

	assert.equal(status, 1);
	assert.match(err,
		/TALLY_OVERRIDES: cannot open \/no\/such\/folder: No such file/);
});

await runTests();
