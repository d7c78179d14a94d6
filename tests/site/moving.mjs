/*
 * Folders of sites whose data have an earlier layout, as programs of then have made them.
 *
 * fixtures/layout_4*.tar.gz, with 1 and with 4 buckets, are of the release before, each with the
 * dump that it made. fixtures/layout_1.tar.gz is of commit 580e2ca: a folder that Redis has not
 * rewritten yet (commands), and one that it has (snapshot), each with its dump.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { temporaryFolder } from './support.mjs';

export const COMPLETE = 'all data are moved on to layout 5';

/* A folder of a fixture, or a folder in it: { folder, lines }, of which lines are its dump. */
export function unpack(fixture, inside = '') {
	const unpacked = path.join(temporaryFolder(), 'site');

	fs.mkdirSync(unpacked, { mode: 0o700 });
	execFileSync('tar', ['-xzf', `tests/fixtures/${fixture}.tar.gz`,
		'-C', unpacked, '--no-same-owner']);
	const folder = path.join(unpacked, inside);
	const dump = path.join(folder, 'dump.jsonl');
	const lines = fs.readFileSync(dump, 'utf8');

	fs.unlinkSync(dump);
	return { folder, lines };
}

/* Records of a dump, without voters of closed posts, which have expired, and without kept front
 * pages: one more may be kept while a test runs. */
export function records(lines) {
	return lines.trim().split('\n').map((line) => {
		const record = JSON.parse(line);

		if (record.closes * 1000 < Date.now())
			delete record.voters;
		return record;
	}).filter(({ kind }) => kind !== 'front');
}

/* Members who were muted are hidden once the data are moved, from that moment on. */
const moved = (record) => record.kind === 'mute' && record.member ?
	{ ...record, kind: 'hidden' } : record;

function withoutMoment(record) {
	const copy = { ...record };

	if (copy.kind === 'hidden')
		delete copy.at;
	return copy;
}

/* Records of a dump that was made after the move are those of the dump before. */
export function assertMovedRecords(after, before) {
	assert.deepEqual(after.map(withoutMoment), before.map(moved));
}
