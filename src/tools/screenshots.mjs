/*
 * Takes a picture of every kind of page, at 320, 768 and 1280 px, light and dark,
 * and front.png, the one in README.md:
 *
 *	make programs browser
 *	node build/site/screenshots.mjs FOLDER [WORD]
 *
 * With a WORD, only the pictures that have it in their name. `make browser` puts
 * this script where the browser's packages and the tests' site are.
 */
import fs from 'node:fs';
import path from 'node:path';

import { contextFor, pagesOf, startBrowser, startDemoSite, visit }
	from './browser.mjs';
import { cleanUp } from './support.mjs';

const [folder, only = ''] = process.argv.slice(2);

async function take(browser, demo, width, colorScheme) {
	const contexts = {};

	for (const kind of pagesOf(demo)) {
		const file = `${kind.name}-${width}-${colorScheme}.png`;

		if (!file.includes(only))
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

async function takeFront(browser, demo) {
	const context = await contextFor(browser, demo.site, demo.ann,
		{ colorScheme: 'light', viewport: { width: 1280, height: 720 } });
	const page = await context.newPage();

	await page.goto(`http://localhost:${demo.site.port}/`);
	await page.screenshot({ path: path.join(folder, 'front.png') });
	await context.close();
}

async function takeAll() {
	const demo = await startDemoSite();
	const browser = await startBrowser();

	for (const width of [320, 768, 1280])
		for (const colorScheme of ['light', 'dark'])
			await take(browser, demo, width, colorScheme);
	if (only === '')
		await takeFront(browser, demo);
	await browser.close();
	await demo.site.stop();
}

if (folder === undefined) {
	console.error('usage: node build/site/screenshots.mjs FOLDER [WORD]');
	process.exit(1);
}
fs.mkdirSync(folder, { recursive: true });
try {
	await takeAll();
} finally {
	cleanUp();
}
