/*
 * Assertions about answers of the whole site, and a parser of raw ones.
 */
import assert from 'node:assert/strict';

const security = {
	'content-security-policy': "default-src 'none'; style-src 'self'; " +
		"img-src 'self'; connect-src 'self'; form-action 'self'; " +
		"base-uri 'none'; frame-ancestors 'none'",
	'x-content-type-options': 'nosniff',
	'cross-origin-opener-policy': 'same-origin',
	'cross-origin-resource-policy': 'same-origin',
	'permissions-policy': 'browsing-topics=()',
};

/* True of every answer, nginx's own included: each header exactly once. */
export function assertHeaders(answer, what,
	{ https = false, referrer = 'same-origin' } = {}) {
	const expected = { ...security, 'referrer-policy': referrer };

	for (const [name, value] of Object.entries(expected))
		assert.deepEqual(answer.all(name), [value], `${what}: ${name}`);
	assert.equal(answer.all('cache-control').length, 1,
		`${what}: one Cache-Control`);
	assert.equal(answer.all('vary').length, 1, `${what}: one Vary`);
	assert.match(answer.headers.vary, /^Accept-Encoding\b/, what);
	assert.deepEqual(answer.all('strict-transport-security'),
		https ? ['max-age=63072000'] : [], `${what}: HSTS`);
	assert.equal(answer.headers.server, 'nginx', `${what}: no version`);
}

/* An error page in the site's design that says what happened and what to do. */
export function assertErrorPage(body, status, what) {
	assert.match(body, /<link rel="stylesheet" href="\/(style\.css|base\.css\?v=[0-9a-f]+)">/, what);
	assert.match(body, new RegExp(`<p class="status">${status}</p>`), what);
	assert.match(body, /<h1>[^<]+<\/h1>\n<p>[^<]+<\/p>\n<p>[^<]+<\/p>/, what);
	assert.match(body, /<a href="\/">Go to the front page<\/a>/, what);
}

/* The submitted form, to be sent again, with the same message above its fields. */
export function assertRefusedForm(body, action, what) {
	assert.match(body, new RegExp(`<form [^>]*action="${action}">`), what);
	assert.match(body,
		/<p class="alert" role="alert" tabindex="-1" autofocus><b>[^<]+\.<\/b> [^<]+<(\/p|a )/, what);
}

/* Parses a raw answer into what support.mjs's Client returns. */
export function parse(bytes) {
	const [head, ...rest] = bytes.split('\r\n\r\n');
	const [first, ...lines] = head.split('\r\n');
	const pairs = lines.map((line) => line.split(/: (.*)/s));
	const all = (name) => pairs.filter(([n]) => n.toLowerCase() === name)
		.map(([, value]) => value);

	return { status: +first.split(' ')[1], all, body: rest.join('\r\n\r\n'),
		headers: Object.fromEntries(pairs.map(([n, v]) =>
			[n.toLowerCase(), v])) };
}
