/*
 * The changes that members of a chaos run requested, their answers, and the comparison of
 * the site with both. The states (chaos_states.mjs) are a member's vote on a post, and if
 * an article is in a group, removed or withdrawn, a vote void, and a member suspended.
 * Comments are in chaos_comments.mjs.
 */
import { ACKNOWLEDGED, REFUSED, States, UNKNOWN, judgeState }
	from './chaos_states.mjs';

export class History {
	members = []; /* names */
	articles = []; /* { id, author }, in the order they were acknowledged */
	posts = new Map(); /* title -> { ids, author, begun, ended }, in epochs */
	requests = { reads: 0, [ACKNOWLEDGED]: 0, [REFUSED]: 0, [UNKNOWN]: 0 };
	seen = 0; /* own votes found right after they were acknowledged */
	unseen = []; /* those that were not */
	searches = { answered: 0, away: 0 };
	wrong = []; /* answers that none of these requests should have got */
	epoch = 0; /* how often Redis's clock has been moved */
	#votes = new States('none');
	#places = new States('out');
	#voidings = new States('counted');
	#removals = new States('there');
	#withdrawals = new States('offered');
	#standings = new States('in');
	batches = 0; /* of articles that were removed at once */
	barriers = 0; /* articles that moderators took out of a group, or put back */
	#changes = new Map(); /* key -> how often a voiding on it was begun */

	votesOf(member, id) {
		return this.#votes.of(`${member} ${id}`);
	}

	placesOf(id, group) {
		return this.#places.of(`${id} ${group}`);
	}

	/* Of a member's vote on an article: counted or void. */
	voidingsOf(member, id) {
		return this.#voidings.of(`${member} ${id}`);
	}

	/* The number of voidings on it that were begun, for readers meanwhile. */
	voidingsBegun(member, id) {
		return this.#changes.get(`${member} ${id}`) ?? 0;
	}

	/* To be called before a voiding is sent. */
	beginVoiding(member, id) {
		this.#changes.set(`${member} ${id}`, this.voidingsBegun(member, id) + 1);
	}

	noteVoiding(member, id, voiding, outcome) {
		this.#voidings.note(`${member} ${id}`, voiding, outcome);
	}

	/* By a moderator: there or removed. */
	removalsOf(id) {
		return this.#removals.of(id);
	}

	noteRemoval(id, place, outcome) {
		this.#removals.note(id, place, outcome);
	}

	/* By its author, permanently: offered or withdrawn. */
	withdrawalsOf(id) {
		return this.#withdrawals.of(id);
	}

	noteWithdrawal(id, outcome) {
		this.#withdrawals.note(id, 'withdrawn', outcome);
	}

	/* Of a member: in or out. */
	standingsOf(member) {
		return this.#standings.of(member);
	}

	noteStanding(member, standing, outcome) {
		this.#standings.note(member, standing, outcome);
	}

	/* Counts of moderators' actions. */
	get order() {
		return { 'votes voided or counted again': this.#voidings.acknowledged,
			'articles removed or restored': this.#removals.acknowledged,
			'decisions on several articles': this.batches,
			'articles withdrawn': this.#withdrawals.acknowledged,
			'articles taken out of a group or put back': this.barriers,
			'members suspended or let in': this.#standings.acknowledged };
	}

	isOut(member) {
		const standings = this.standingsOf(member);

		return standings.size === 1 && standings.has('out');
	}

	noteVote(member, id, vote, outcome) {
		this.#votes.note(`${member} ${id}`, vote, outcome);
	}

	noteBarrier(id, group, place, outcome) {
		this.notePlace(id, group, place, outcome);
		if (outcome === ACKNOWLEDGED)
			this.barriers++;
	}

	notePlace(id, group, place, outcome) {
		this.#places.note(`${id} ${group}`, place, outcome);
	}

	/* A search for a member's articles may miss some for a moment, but finds no others. */
	noteSearch(author, { status, body }) {
		if (status !== 200) {
			this.searches.away++;
			return;
		}
		this.searches.answered++;
		for (const [, id] of body.matchAll(/data-id="(\d+)"/g)) {
			const by = this.articles.find((article) => article.id === +id)?.author;

			if (by !== undefined && by !== author)
				this.wrong.push(`a search for ${author}'s has ${by}'s ${id}`);
		}
	}

	/* To be called before it is sent. The same title may be sent again. */
	notePosting(title, author) {
		if (!this.posts.has(title))
			this.posts.set(title, { ids: new Set(), author,
				begun: this.epoch, ended: this.epoch });
	}

	/* To be called after the answer; without one, id is undefined. */
	notePosted(title, groups, id) {
		const post = this.posts.get(title);

		post.ended = this.epoch;
		if (id === undefined || post.ids.has(id))
			return;
		if (post.ids.size === 0) {
			this.articles.push({ id, author: post.author });
			this.noteVote(post.author, id, 'up', ACKNOWLEDGED);
			for (const group of groups.split(' '))
				this.notePlace(id, group, 'in', ACKNOWLEDGED);
		}
		post.ids.add(id);
	}
}

/*
 * An article reserves its link only while voting is open: the same link sent again
 * after that may be another article.
 */
function copiesAllowed(post) {
	return 1 + post.ended - post.begun;
}

function judgePosts(history, articles, found) {
	const copies = new Map();

	for (const { title, author } of articles) {
		copies.set(title, (copies.get(title) ?? 0) + 1);
		if (history.posts.get(title)?.author !== author)
			found.doubled.push(`"${title}" by ${author}: never posted`);
	}
	for (const [title, post] of history.posts) {
		const count = Math.max(copies.get(title) ?? 0, post.ids.size);

		if (count > copiesAllowed(post))
			found.doubled.push(`"${title}" exists ${count} times`);
	}
}

const WAYS = { up: ['up', 'counted'], down: ['down', 'counted'],
	voided_up: ['up', 'void'], voided_down: ['down', 'void'] };

/* Each voter, and each void vote. */
export function judgeVoters(history, { id, voters }, found) {
	for (const member of history.members) {
		const votes = Object.keys(WAYS).flatMap((way) => (voters[way] ?? [])
			.filter((name) => name === member).map(() => WAYS[way]));
		const [vote, voiding] = votes[0] ?? ['none', 'counted'];

		if (votes.length > 1)
			found.doubled.push(`${member} on ${id}: ${votes.join(' and ')}`);
		judgeState(`${member} on ${id}`, history.votesOf(member, id), vote,
			found);
		judgeState(`${member}'s vote on ${id}`, history.voidingsOf(member, id),
			voiding, found);
	}
}

/* It is in the state in which its moderator and its author left it. */
function judgeComment(history, { id, author, removed, removed_by: by }, found) {
	const isWithdrawn = removed != null && by === author;

	judgeState(`${id}'s withdrawal`, history.withdrawalsOf(id),
		isWithdrawn ? 'withdrawn' : 'offered', found);
	if (!isWithdrawn)
		judgeState(`${id}'s removal`, history.removalsOf(id),
			removed == null ? 'there' : 'removed', found);
}

/* The sums, which remain after voting has closed and the voters are deleted. */
export function judgeCounts(history, article, found) {
	const states = history.members.map((member) => ({
		votes: history.votesOf(member, article.id),
		voidings: history.voidingsOf(member, article.id) }));

	for (const vote of ['up', 'down']) {
		const possible = states.filter(({ votes, voidings }) =>
			votes.has(vote) && voidings.has('counted'));
		const certain = possible.filter(({ votes, voidings }) =>
			votes.size === 1 && voidings.size === 1);
		const what = `${vote} of ${article.id} is ${article[vote]}`;

		if (article[vote] < certain.length)
			found.lost.push(`${what}, not ${certain.length}`);
		if (article[vote] > possible.length)
			found.doubled.push(`${what}, not ${possible.length}`);
	}
}

function judgePlaces(history, { id, groups }, all, found) {
	for (const group of all) {
		const place = groups.includes(group) ? 'in' : 'out';

		if (!history.placesOf(id, group).has(place))
			found.lost.push(`${id} is ${place} of ${group}`);
		if (groups.indexOf(group) !== groups.lastIndexOf(group))
			found.doubled.push(`${id} is twice in ${group}`);
	}
}

/* A member's pages: one row per article, with the member's vote. */
function judgePages(member, lines, articles, found) {
	const shown = new Map();

	for (const { id, vote } of lines) {
		if (shown.has(id))
			found.doubled.push(`${id} is twice in ${member}'s list`);
		shown.set(id, vote);
	}
	for (const { id, voters, removed } of articles) {
		if (removed != null) {
			if (shown.has(id))
				found.lost.push(`${id} is removed, but in ${member}'s list`);
			continue;
		}
		const vote = ['up', 'down'].find((way) =>
			voters?.[way].includes(member)) ?? 'none';

		if (shown.get(id) !== vote)
			found.lost.push(`${member} on ${id}: ${vote}, ` +
				`but the page shows ${shown.get(id)}`);
	}
}

/*
 * Lost and doubled changes, as sentences. articles are lines of a
 * dump; pages are pairs of a member and the lines { id, vote } of the list of
 * all articles as that member sees it; suspended are names.
 */
export function judge(history, groups, { articles, pages, suspended = [] }) {
	const found = { lost: [], doubled: [] };
	const byId = new Map(articles.map((article) => [article.id, article]));

	judgePosts(history, articles, found);
	for (const { id } of history.articles) {
		const article = byId.get(id);

		if (article === undefined) {
			found.lost.push(`article ${id} is missing`);
			continue;
		}
		if (article.voters !== undefined)
			judgeVoters(history, article, found);
		judgeCounts(history, article, found);
		judgeComment(history, article, found);
		judgePlaces(history, article, groups, found);
	}
	for (const member of history.members)
		judgeState(`${member}'s standing`, history.standingsOf(member),
			suspended.includes(member) ? 'out' : 'in', found);
	for (const [member, lines] of pages)
		judgePages(member, lines, articles, found);
	return found;
}
