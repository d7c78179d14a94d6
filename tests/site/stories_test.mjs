/*
 * Stories of a news site, loaded from a file: every title on the pages is as it
 * is in the file, and everything adds up. Our own few odd ones always; and all of
 * ../shared/data/stories.csv where somebody has put it beside the project.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { Site, runTests, tally, temporaryFolder, test } from './support.mjs';

/* RFC 4180, one character after the other. */
function readCsv(file) {
	const rows = [];
	let row = [];
	let field = '';
	let quoted = false;
	const text = fs.readFileSync(file, 'utf8').replaceAll('\r\n', '\n');

	for (let i = 0; i < text.length; i++) {
		const c = text[i];

		if (c === '"' && quoted && text[i + 1] === '"')
			field += text[++i];
		else if (c === '"')
			quoted = !quoted;
		else if (quoted || (c !== ',' && c !== '\n'))
			field += c;
		else {
			row.push(field);
			field = '';
			if (c === '\n') {
				rows.push(row);
				row = [];
			}
		}
	}
	return rows.slice(1);
}

function unescape(html) {
	const characters = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

	return html.replace(/&(amp|lt|gt|quot|#39);/g,
		(_, name) => characters[name]);
}

/* id -> title of every article, from the pages of the list. */
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

async function showsEveryTitle(file) {
	const folder = temporaryFolder() + '/site';
	const dump = spawnSync('node', ['src/tools/stories.mjs', file],
		{ maxBuffer: 1 << 28 });

	assert.equal(dump.status, 0, String(dump.stderr));
	const loaded = tally(['load', '--dir', folder, '-'],
		{ input: dump.stdout });
	assert.equal(loaded.status, 0, loaded.err);

	const site = await Site.start(
		{ folder, settings: { TALLY_PAGE_SIZE: 100 } });
	const titles = await titlesOf(site);
	const rows = readCsv(file);

	assert.equal(titles.size, rows.length);
	for (const [id, title] of rows)
		assert.equal(titles.get(id), title);
	assert.match(site.command('check').out, /^0 breaks$/m);
	await site.stop();
}

test('our own odd stories are shown as they are', () =>
	showsEveryTitle('tests/fixtures/stories.csv'));

const shared = '../shared/data/stories.csv';
if (fs.existsSync(shared))
	test('all of the shared stories are shown as they are', () =>
		showsEveryTitle(shared));
else
	console.log(`# ${shared} is not here; our own stories have to do`);

await runTests();
