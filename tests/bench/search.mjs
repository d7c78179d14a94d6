/*
 * The index of search: what building it, a search and a reader cost, without Redis and the
 * page. Its posts and queries are those of search.c.
 */
import path from 'node:path';
import { execFileSync } from 'node:child_process';

import { folder, program } from './sites.mjs';

export function searchSizes(count) {
	const run = (what) => JSON.parse(execFileSync(program('search'),
		[what, path.join(folder('search'), 'index'), String(count)]));
	const { build } = run('build'), asked = run('ask');
	const row = (name, order, limit) =>
		[`search ms, ${name}, ${order}`, asked[`${name}, ${order}`], limit];

	return [
		row('a common word', 'newest', 1),
		row('a common word', 'points'),
		row('a common word', 'relevance'),
		row('two common words', 'newest'),
		row('two common words', 'points'),
		row('two common words', 'relevance'),
		row('a phrase', 'relevance'),
		row('a prefix', 'relevance'),
		row('a group', 'relevance'),
		row('a month', 'relevance'),
		['searches that are late, %', asked.late, 1],
		['search reader MB', asked.megabytes, 40],
		['search bytes per post', asked.bytes],
		['search µs to index a post', build],
	];
}
