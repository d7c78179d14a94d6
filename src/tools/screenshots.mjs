/*
 * Takes a picture of every kind of page, at 360, 768 and 1280 px, light and dark:
 *
 *	make programs browser
 *	node build/site/screenshots.mjs FOLDER [WORD [LANGUAGE...]]
 *
 * With a WORD, only the pictures with it in their name; "" is all. With languages, such as de,
 * pictures in those, not in English; pages that need a button pressed are left out, since its name
 * is another one there. With two files, those in README.md, light and dark, which `make pictures`
 * makes:
 *
 *	node build/site/screenshots.mjs LIGHT.png DARK.png
 *
 * `make browser` copies this script to the npm packages and the tests' modules.
 */
import fs from 'node:fs';
import path from 'node:path';

import { contextFor, mistakes, pagesOf, startBrowser, startDemoSite, visit }
	from './browser.mjs';
import { cleanUp } from './support.mjs';

const [folder, only = '', ...languages] = process.argv.slice(2);
const isFront = folder?.endsWith('.png');

async function take(browser, demo, width, colorScheme, language) {
	const contexts = {};

	for (const kind of pagesOf(demo)) {
		const suffix = language === 'en' ? '' : `-${language}`;
		const file = `${kind.name}-${width}-${colorScheme}${suffix}.png`;

		if (!file.includes(only) ||
			(language !== 'en' && mistakes[kind.name] !== undefined))
			continue;
		contexts[kind.who] ??= await contextFor(browser, demo.site,
			demo[kind.who], { colorScheme, viewport: { width, height: 800 } });
		const page = await contexts[kind.who].newPage();

		await visit(page, demo.site, kind);
		await page.screenshot({ path: path.join(folder, file), fullPage: true });
		await page.close();
	}
	for (const context of Object.values(contexts))
		await context.close();
}

/* The front page as a member sees it, as far down as whole articles fit. */
async function takeFront(browser, demo, file, colorScheme) {
	const WIDTH = 1000, ARTICLES = 9;
	const context = await contextFor(browser, demo.site, demo.ann,
		{ colorScheme, deviceScaleFactor: 2,
			viewport: { width: WIDTH, height: 1000 } });
	const page = await context.newPage();

	await page.goto(`http://localhost:${demo.site.port}/`);
	const last = await page.locator('.articles .article').nth(ARTICLES - 1)
		.boundingBox();

	await page.screenshot({ path: file, clip: { x: 0, y: 0, width: WIDTH,
		height: Math.floor(last.y + last.height) } });
	await context.close();
}

async function takeAll() {
	const demo = await startDemoSite();
	const browser = await startBrowser();

	if (isFront) {
		await takeFront(browser, demo, folder, 'light');
		await takeFront(browser, demo, only, 'dark');
	}
	for (const language of isFront ? [] : languages.length > 0 ? languages : ['en']) {
		await demo.owner.post('/settings/site', { name: 'Tally', registration: 'open',
			group_creation: 'members', voting: 'at-once', log_names: 'named', language });
		for (const width of [360, 768, 1280])
			for (const colorScheme of ['light', 'dark'])
				await take(browser, demo, width, colorScheme, language);
	}
	await browser.close();
	await demo.site.stop();
}

if (folder === undefined) {
	console.error('usage: node build/site/screenshots.mjs FOLDER [WORD [LANGUAGE...]], or ' +
		'LIGHT.png DARK.png');
	process.exit(1);
}
fs.mkdirSync(isFront ? path.dirname(folder) : folder, { recursive: true });
try {
	await takeAll();
} finally {
	cleanUp();
}
