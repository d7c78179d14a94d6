/*
 * A conversation from end to end in w3m and lynx: a thread is read and folded, a reply
 * previewed, sent, edited and deleted, comments are voted on, and the notice is found in
 * the inbox. There are no styles, and <details> is not supported: text that graphical
 * browsers hide is visible here.
 */
import assert from 'node:assert/strict';

import { Site, runTests, setUp, tearDown, test, until } from './support.mjs';
import { Lynx, W3m } from './terminal.mjs';

let site, address, ann, bob;

setUp(async () => {
	site = await Site.start({});
	address = `http://localhost:${site.port}`;
	[ann, bob] = [await site.member('ann'), await site.member('bob')];
});

tearDown(() => site.stop());

for (const Browser of [W3m, Lynx]) {
	const name = Browser.name.toLowerCase();
	const member = `by${name}`;
	let terminal, article, thread;

	/* A step of the conversation; the browser stays open from one to the next. */
	const step = (what, run) => test(`${name}: ${what}`, run);

	step('a member logs in', async () => {
		await site.member(member);
		article = await ann.submit({ title: 'A place to talk',
			text: `What do you think of ${name}?` });
		thread = `${address}/articles/${article}`;
		await bob.say(article, 'I think so, too.');
		await ann.say(article, 'And why do you?', 1);
		terminal = new Browser(`${address}/login`);
		await terminal.shows(/Username/);
		await terminal.logIn(member);
	});

	step('a thread names the parent of each reply, and marks the author', async () => {
		await terminal.go(thread);
		await terminal.shows(/2 comments/,
			/bob · 1 point · 1 reply · .+\s+I think so, too\./,
			/ann · author .+ · in reply to bob\s+And why do you\?/,
			/Add a comment\s+(\[ {60}\]|_{60})\n/,
			/Post (\(BUTTON\) )?Preview/, /Reply Parent Flag Fold/);
	});

	step('a fold is in the address, and hides nothing here', async () => {
		await terminal.press('I think so', 'Fold');
		await terminal.shows(/I think so, too\.\s+.*Downvote\s+Reply Flag Unfold/,
			/And why do you\?\s+.*Downvote\s+Reply Parent Flag Fold/);
		await terminal.press('I think so', 'Unfold');
		await terminal.shows(/I think so, too\.\s+.*Downvote\s+Reply Flag Fold/);
	});

	step('a reply is previewed, and sent', async () => {
		await terminal.press('I think so', 'Reply');
		await terminal.shows(/Reply to \S+ on “A place to talk”/,
			/In reply to\n[^]*I think so, too\./);
		await terminal.write('A *fine* point, @bob.', 'Post');
		await terminal.press('Preview');
		await terminal.shows(/Preview\n\s*A fine point, @bob\.\n/,
			/A \*fine\* point, @bob\./);
		await terminal.press('Post');
		/* In the thread, at the comment. */
		await terminal.shows(/3 comments/, /in reply to bob\s+A fine point, @bob\./);
	});

	step('the reply is edited', async () => {
		await terminal.press('A fine point', 'Edit');
		await terminal.shows(/Edit your comment on “A place to talk”/,
			/A \*fine\* point, @bob\./);
		await terminal.write('A **very** fine point, @bob.', 'Save');
		await terminal.press('Save');
		await terminal.shows(new RegExp(`${member}’s comment on “A place`),
			/in reply to bob\s+A very fine point, @bob\./);
	});

	step('a vote on a comment is cast, switched and cancelled', async () => {
		await terminal.goAgain(thread, /How this score/, /3 comments/);
		await terminal.press('Oldest', 'Upvote');
		await terminal.shows(/bob · 2 points · /,
			/You upvoted\.\s+.*Undo upvote .*Downvote/);
		await terminal.press('Oldest', 'Downvote');
		await terminal.shows(/bob · 0 points · /,
			/You downvoted\.\s+.*Upvote .*Undo downvote/);
		await terminal.press('Oldest', 'Undo downvote');
		await terminal.shows(/Oldest\s+bob · 1 point · /);
	});

	step('the parent\'s author is notified, and marks the notice as read', async () => {
		await until('bob is told', async () =>
			assert.match((await bob.get('/inbox')).body, /very/));
		const other = new Browser(`${address}/login?return_to=/groups`);

		try {
			await other.shows(/Username/);
			await other.logIn('bob');
			await other.shows(/Inbox \d unread/);
			await other.press('Inbox');
			await other.shows(/Reply to your comment unread\n/,
				new RegExp(`${member} .*on “A place to talk`),
				/A very fine point, @bob\./,
				/Mute/, /Hide /);
			await other.press('Reply to your comment');
			await other.shows(/A very fine point, @bob\./, /The comment, the comments above it/);
			await other.goAgain(`${address}/inbox`, /Reply to your comment/,
				/Reply to your comment\n/);
		} finally {
			other.end();
		}
	});

	step('a comment with a reply is deleted, and leaves a stub', async () => {
		await bob.say(article, 'Thank you.', 3);
		await terminal.goAgain(`${thread}/comments/3`, /Delete this comment/,
			/Thank you\./);
		await terminal.press('Delete permanently');
		await terminal.shows(/You deleted this comment/);
		await terminal.goAgain(thread, /How this score/,
			/Deleted by its author · 1 reply · /,
			/bob .+ in reply to a deleted comment\s+Thank you\./);
		await terminal.showsNot(/fine point/);
		terminal.end();
	});
}

test('in the end everything adds up', () => {
	const { status, out } = site.command('check');

	assert.equal(status, 0, out);
});

await runTests();
