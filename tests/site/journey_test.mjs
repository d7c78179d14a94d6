/*
 * From registering to moderating, by the accessibility tree of Chromium alone: each step is found by
 * its role and name, as by those who hear the page or talk to it. Without scripting.
 */
import assert from 'node:assert/strict';

import { startBrowser } from './browser.mjs';
import { Site, runTests, setUp, tearDown, test, until } from './support.mjs';

let site, browser, tree;

/* What assistive programs know of a page. */
class Tree {
	#tab;
	#session;

	static async open() {
		const context = await browser.newContext({ javaScriptEnabled: false });
		const opened = new Tree();

		opened.#tab = await context.newPage();
		opened.#session = await context.newCDPSession(opened.#tab);
		return opened;
	}

	async go(path) {
		await this.#tab.goto(`http://localhost:${site.port}${path}`);
	}

	/* All that is not ignored, in the order of reading: { role, name, id }. */
	async #all() {
		const { nodes } = await this.#session.send('Accessibility.getFullAXTree');
		const byId = new Map(nodes.map((node) => [node.nodeId, node]));
		const all = [];
		const walk = (node) => {
			if (!node.ignored)
				all.push({ role: node.role.value, name: node.name?.value ?? '',
					id: node.backendDOMNodeId });
			for (const child of node.childIds ?? [])
				if (byId.has(child))
					walk(byId.get(child));
		};

		walk(nodes.find(({ parentId }) => parentId === undefined));
		return all;
	}

	/* The only one with that role and name; or, after another one, the first. */
	async find(role, name, after = undefined) {
		const isIt = (node) => node.role === role &&
			(name instanceof RegExp ? name.test(node.name) : node.name === name);
		let found;

		await until(`there is ${role} ${name}`, async () => {
			const all = await this.#all();
			const first = after === undefined ? 0 :
				all.findIndex(({ id }) => id === after.id) + 1;
			const matching = all.slice(first).filter(isIt);

			assert.ok(matching.length === 1 || matching.length > 1 && after !== undefined,
				`${matching.length} of ${all.filter((node) =>
					node.role === role).map((node) => node.name).join('; ')}`);
			[found] = matching;
		});
		return found;
	}

	async press(role, name, after = undefined) {
		const { id: backendNodeId } = await this.find(role, name, after);

		await this.#session.send('DOM.scrollIntoViewIfNeeded', { backendNodeId });
		const { quads: [[left, top, , , right, bottom]] } = await this.#session.send(
			'DOM.getContentQuads', { backendNodeId });

		await Promise.all([this.#tab.waitForEvent('load'),
			this.#tab.mouse.click((left + right) / 2, (top + bottom) / 2)]);
	}

	async type(name, text) {
		const { id: backendNodeId } = await this.find('textbox', name);

		await this.#session.send('DOM.focus', { backendNodeId });
		await this.#tab.keyboard.insertText(text);
	}

	/* A sentence somewhere on the page. */
	says(sentence) {
		return until(`the page says ${sentence}`, async () =>
			assert.match((await this.#all()).filter(({ role }) => role === 'StaticText')
				.map(({ name }) => name).join(' '), sentence));
	}
}

setUp(async () => {
	site = await Site.start();
	const bob = await site.member('bob');
	const quiet = await bob.submit({ title: 'A quiet place', text: 'Is there one?' });

	await bob.say(quiet, 'Not here.');
	await bob.submit({ title: 'A loud place', text: 'There are many.' });
	await site.member('mod');
	assert.equal(site.command('user', 'role', 'mod', 'moderator').status, 0);
	browser = await startBrowser();
	tree = await Tree.open();
});

tearDown(async () => {
	await browser?.close();
	await site.stop();
});

test('a stranger registers', async () => {
	await tree.go('/');
	await tree.press('link', 'Register');
	await tree.type('Username', 'ann');
	await tree.type('Password', 'correct horse');
	await tree.press('button', 'Register');
	await tree.says(/Welcome,\s+ann/);
	await tree.find('link', 'ann');
});

test('a member posts', async () => {
	await tree.press('link', 'Submit');
	await tree.find('heading', 'Submit an article');
	await tree.type('Title', 'What do you hear?');
	await tree.type('Text', 'I read with my ears.');
	await tree.press('button', 'Submit');
	await tree.find('heading', 'What do you hear?');
	await tree.says(/I read with my ears\./);
});

test('a member votes, and hears of it', async () => {
	await tree.press('link', 'Tally');
	await tree.press('button', 'Upvote: A quiet place');
	await tree.says(/You upvoted\./);
	await tree.press('button', 'Undo upvote: A quiet place');
	await tree.press('button', 'Downvote: A loud place');
	await tree.says(/You downvoted\./);
});

test('a member answers, and votes on what was answered', async () => {
	await tree.press('link', 'A quiet place');
	await tree.find('heading', /^bob · author · 1 point · /);
	await tree.press('button', 'Upvote: comment 1 by bob');
	await tree.press('link', 'Reply', await tree.find('heading', /^bob · author · 2 points · /));
	await tree.find('heading', /^Reply to bob on “A quiet place”$/);
	await tree.type('Your comment', 'With the windows shut.');
	await tree.press('button', 'Post');
	await tree.find('heading', /^bob · author · 2 points · 1 reply · /);
	await tree.find('heading', /^ann · 1 point · .* · in reply to bob$/);
	await tree.says(/With the windows shut\./);
});

test('a moderator removes it', async () => {
	await tree.press('button', 'Log out');
	await tree.press('link', 'Log in');
	await tree.type('Username', 'mod');
	await tree.type('Password', 'correct horse');
	await tree.press('button', 'Log in');
	await tree.press('link', /^Moderation \d+ to review$/);
	await tree.find('heading', 'Moderation');
	await tree.press('button', 'Remove: What do you hear?');
	await tree.press('link', 'Log', await tree.find('heading', 'Moderation'));
	await tree.find('heading', 'Moderation log');
	await tree.says(/removed\s+“\s*What do you hear\?/);
	assert.doesNotMatch((await site.client().get('/')).body, /What do you hear/);
});

await runTests();
