/*
 * Stories of a CSV file, loaded into a site: every title is shown as in the file, and
 * everything adds up. The few odd ones of tests/fixtures are always loaded, the many of
 * ../shared/data/stories.csv where that file exists.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

import { readCsv } from './csv.mjs';
import { Site, runTests, tally, temporaryFolder, test } from './support.mjs';

test('a quoted field may hold commas, quotes and line ends', () => {
	assert.deepEqual(readCsv('a,b\r\n1,"x, ""y"""\n,"line\r\nline"\n"",z'),
		[{ a: '1', b: 'x, "y"' }, { a: '', b: 'line\r\nline' },
			{ a: '', b: 'z' }]);
});

test('the last row may end in an empty field, and without a line end', () => {
	assert.deepEqual(readCsv('a,b\n1,'), [{ a: '1', b: '' }]);
});

test('a mistake in a CSV file is reported with its place', () => {
	for (const [text, message] of [
		['', /^the columns are not a,b$/],
		['a,c\n', /^the columns are not a,b$/],
		['a,b\n1,2\n3\n', /^row 3 has 1 fields$/],
		['a,b\n1,2,3\n', /^row 2 has 3 fields$/],
		['a,b\n1,2"3"\n', /^no field begins at character 6$/],
		['a,b\n1,"2\n', /^no field begins at character 6$/],
	])
		assert.throws(() => readCsv(text, ['a', 'b']), { message }, text);
});

function unescape(html) {
	const characters = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

	return html.replace(/&(amp|lt|gt|quot|#39);/g,
		(_, name) => characters[name]);
}

/* From the pages of the list: id -> title of every article. */
async function titlesOf(site) {
	const titles = new Map();
	const client = site.client();

	for (let page = 1; ; page++) {
		const { status, body } =
			await client.get(`/?order=oldest&page=${page}`);

		assert.equal(status, 200);
		for (const [, id, title] of body.matchAll(
			/data-id="(\d+)".*?class="title"[^>]*>([^<]*)<\/a>/gs))
			titles.set(id, unescape(title));
		if (!body.includes('rel="next"'))
			return titles;
	}
}

async function assertTitlesShown(file) {
	const folder = temporaryFolder() + '/site';
	const dump = spawnSync('node', ['src/tools/stories_to_dump.mjs', file],
		{ maxBuffer: 1 << 28 });

	assert.equal(dump.status, 0, String(dump.stderr));
	const loaded = tally(['load', '--dir', folder, '-'],
		{ input: dump.stdout });
	assert.equal(loaded.status, 0, loaded.err);

	const site = await Site.start(
		{ folder, settings: { TALLY_PAGE_SIZE: 100 } });
	const titles = await titlesOf(site);
	const stories = readCsv(fs.readFileSync(file, 'utf8'));

	assert.equal(titles.size, stories.length);
	for (const { id, title } of stories)
		assert.equal(titles.get(id), title);
	assert.match(site.command('check').out, /^0 breaks$/m);
	await site.stop();
}

test('the unusual stories of tests/fixtures are shown unchanged', () =>
	assertTitlesShown('tests/fixtures/stories.csv'));

const shared = '../shared/data/stories.csv';
if (fs.existsSync(shared))
	test('all of the shared stories are shown as they are', () =>
		assertTitlesShown(shared));
else
	console.log(`# ${shared} does not exist: only our own stories are tested`);

await runTests();
