/*
 * Far more simultaneous readers than the machine can serve: nothing may break. How many
 * it serves then is measured by `make bench`.
 * Runs alone: it uses the whole machine.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { Site, runTests, setUp, tearDown, temporaryFolder, test }
	from './support.mjs';

const run = promisify(execFile);
const cookies = []; /* of the members */
let site;

/* Members, and articles for them to read. */
setUp(async () => {
	site = await Site.start();
	for (let i = 0; i < 4; i++) {
		const member = await site.member(`member${i}`);

		cookies.push([...member.cookies].map((pair) => pair.join('='))
			.join('; '));
		for (let j = 0; j < 10; j++)
			await member.post('/submit', { title: `Number ${i} ${j}`,
				url: `https://example.org/${i}/${j}` });
	}
});

tearDown(() => site.stop());

/*
 * Members request the front page. Returns the numbers of requests and of pages, the
 * statuses of other answers than refusals, and broken connections.
 */
async function load(connections, seconds) {
	const script = path.join(temporaryFolder(), 'load.lua');

	fs.writeFileSync(script, `
local cookies = { ${cookies.map((cookie) => `'${cookie}'`).join(', ')} }
local threads, at = {}, 0
function setup(thread) threads[#threads + 1] = thread end
function init() s200, other, at = 0, '', 0 end
function request()
	at = at + 1
	return wrk.format('GET', '/', { Cookie = cookies[at % #cookies + 1] })
end
function response(status)
	if status == 200 then s200 = s200 + 1
	elseif status ~= 429 and status ~= 503 then other = tostring(status) end
end
function done(summary)
	local good, other = 0, ''
	for _, thread in ipairs(threads) do
		good = good + thread:get('s200')
		other = other .. thread:get('other')
	end
	local e = summary.errors
	io.write(string.format('{"all":%d,"good":%d,"other":"%s","broken":%d}\\n',
		summary.requests, good, other,
		e.connect + e.read + e.write + e.timeout))
end
`);
	const { stdout } = await run('wrk', ['-t', 2, '-c', connections,
		'-d', `${seconds}s`, '--timeout', '10s', '-s', script,
		`http://127.0.0.1:${site.port}/`].map(String));

	return JSON.parse(stdout.trim().split('\n').at(-1));
}

const pids = () => site.running.map(({ pid }) => pid).sort((a, b) => a - b);

test('2,000 connections are served, or refused at once', async () => {
	const before = pids();
	let few, many;

	/* On a shared machine either may be slower; less than a third of the other is a
	 * collapse. */
	for (let attempt = 0; attempt < 4; attempt++) {
		few = await load(64, 2);
		many = await load(2000, 3);
		assert.deepEqual([few.broken, few.other, few.all - few.good],
			[0, '', 0]);
		assert.deepEqual([many.broken, many.other], [0, '']);
		if (many.good / 3 > few.good / 2 / 3)
			break;
	}
	assert.ok(many.good / 3 > few.good / 2 / 3,
		`${many.good / 3} a second after ${few.good / 2}`);
	assert.deepEqual(pids(), before);
});

test('once they are gone, a reader is served', async () => {
	assert.equal((await site.client().get('/')).status, 200);
});

await runTests();
