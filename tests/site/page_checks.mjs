/*
 * What every page is checked for, in a browser: html-validate, axe-core in light and dark and on a
 * narrow screen, names that exist, and nothing to scroll sideways.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';

import { HtmlValidate } from 'html-validate';

import { markup } from './markup.mjs';

const axeSource = fs.readFileSync(
	createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const validator = new HtmlValidate(markup);

async function validate(name, html, without) {
	const { results } = await validator.validateString(html);
	const messages = results.flatMap((result) => result.messages)
		.filter(({ ruleId }) => !without.includes(ruleId))
		.map((m) => `${m.line}:${m.column} ${m.ruleId}: ${m.message}`);

	assert.deepEqual(messages, [], name);
	assert.doesNotMatch(html, /<script|<style|\sstyle=|\son[a-z]+=/i, name);
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa',
	'best-practice'];

async function inspect(tab, name) {
	if (await tab.evaluate(() => !('axe' in globalThis)))
		await tab.evaluate(`${axeSource}; undefined`);
	const violations = await tab.evaluate(async (tags) => {
		/* global axe, document */
		for (const details of document.querySelectorAll('details'))
			details.open = true;
		const found = await axe.run(document, { resultTypes: ['violations'],
			runOnly: { type: 'tag', values: tags } });

		return found.violations.map(({ id, nodes }) =>
			[id, ...nodes.map(({ html, failureSummary }) =>
				`${html} ${failureSummary}`)]);
	}, standards);

	assert.deepEqual(violations, [], name);
}

export async function assertNoScrolling(tab, name) {
	const [wanted, there] = await tab.evaluate(() => {
		/* global document, window */
		return [document.documentElement.scrollWidth, window.innerWidth];
	});

	assert.ok(wanted <= there, `${name} is ${wanted} px wide`);
}

/* Elements that describe or label others exist. */
async function assertNamesExist(tab, name) {
	const missing = await tab.evaluate(() => ['aria-describedby',
		'aria-labelledby', 'aria-controls', 'for'].flatMap((attribute) =>
		[...document.querySelectorAll(`[${attribute}]`)].flatMap((element) =>
			element.getAttribute(attribute).split(/\s+/)
				.filter((id) => document.getElementById(id) === null)
				.map((id) => `${attribute}="${id}"`))));

	assert.deepEqual(missing, [], name);
}

/* All of it, for a page that a tab shows with scripting on, which axe-core needs, and with the
 * security policy off; without some rules of html-validate. */
export async function checkPage(tab, name, html, without = []) {
	await validate(name, html, without);
	await assertNamesExist(tab, name);
	await inspect(tab, `${name}, light`);
	await tab.setViewportSize({ width: 320, height: 640 });
	await tab.emulateMedia({ colorScheme: 'dark' });
	await assertNoScrolling(tab, name);
	await inspect(tab, `${name}, dark, 320 px`);
}
