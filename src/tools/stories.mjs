// Turns stories.csv (id, title, url, points, comments, author, posted_at) into
// a dump on standard output:
//
//	node src/tools/stories.mjs stories.csv | build/tally load -
//
// Members first, in the order of their first story, without passwords; then the
// articles, in the order of the file. A story without a link gets its title as
// its text. Its points become votes up, the author's own among them, so that
// up - down = points; one of less than 1 point gets the author's vote up, and
// the rest as votes down. Who voted is not known, and voting closes a week
// after posting.

import { readFileSync } from 'node:fs';

const WINDOW = 604800;
const COLUMNS = ['id', 'title', 'url', 'points', 'comments', 'author',
	'posted_at'];

// RFC 4180: a quoted field may hold commas, line ends, and quotes, each written
// twice. What a piece of the pattern does not cover is a fault of the file.
function rowsOf(text) {
	const piece = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|$)/y;
	const rows = [];
	let row = [];
	while (piece.lastIndex < text.length) {
		const start = piece.lastIndex;
		const match = piece.exec(text);
		if (match === null)
			throw new Error(`no field begins at character ${start}`);
		const [, field, end] = match;
		row.push(field.startsWith('"') ?
			field.slice(1, -1).replaceAll('""', '"') : field);
		if (end !== ',') {
			rows.push(row);
			row = [];
		}
	}
	return rows;
}

function storiesOf(text) {
	const [names, ...rows] = rowsOf(text);
	if (names.join() !== COLUMNS.join())
		throw new Error(`the columns are not ${COLUMNS}`);
	return rows.map((row, index) => {
		if (row.length !== COLUMNS.length)
			throw new Error(`row ${index + 2} has ${row.length} fields`);
		return Object.fromEntries(
			COLUMNS.map((name, i) => [name, row[i]]));
	});
}

// When each author posted first: by then they were members.
function membersOf(stories) {
	const since = new Map();
	for (const { author, posted_at } of stories)
		since.set(author,
			Math.min(since.get(author) ?? Infinity, posted_at));
	return [...since].map(([name, created]) =>
		({ kind: 'user', name, created, role: 'member', password: '' }));
}

function articleOf(story) {
	const points = Number(story.points);
	const posted = Number(story.posted_at);
	const up = Math.max(points, 1);
	return {
		kind: 'article', id: Number(story.id), title: story.title,
		url: story.url || null, text: story.url ? null : story.title,
		author: story.author, posted, closes: posted + WINDOW, groups: [],
		up, down: up - points, interesting: null, removed: null,
	};
}

const [path] = process.argv.slice(2);
if (path === undefined) {
	console.error('usage: node src/tools/stories.mjs stories.csv');
	process.exit(1);
}
const stories = storiesOf(readFileSync(path, 'utf8'));
for (const line of [...membersOf(stories), ...stories.map(articleOf)])
	process.stdout.write(JSON.stringify(line) + '\n');
