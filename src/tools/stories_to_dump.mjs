/*
 * Converts stories (id, title, url, points, comments, author, posted_at) into a dump on
 * standard output:
 *
 *	node src/tools/stories_to_dump.mjs stories.csv | build/tally load -
 *
 * Members first, in the order of their first story, without passwords; then the
 * articles, in the order of the file. A story without a link gets its title as its
 * text. Its points become upvotes, including the author's own; if these exceed the
 * points, the difference becomes downvotes. Voters are unknown, and voting closes a
 * week after posting.
 */
import { readFileSync } from 'node:fs';

import { readCsv } from './csv.mjs';

const WINDOW = 604800; /* a week in seconds */
const COLUMNS = ['id', 'title', 'url', 'points', 'comments', 'author',
	'posted_at'];

/* Members since their first story. */
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
	console.error('usage: node src/tools/stories_to_dump.mjs stories.csv');
	process.exit(1);
}
const stories = readCsv(readFileSync(path, 'utf8'), COLUMNS);

for (const line of [...membersOf(stories), ...stories.map(articleOf)])
	process.stdout.write(JSON.stringify(line) + '\n');
