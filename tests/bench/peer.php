<?php
/*
 * The peer of the benchmark (peers.mjs): a front page and votes in PHP, with plain commands of Redis,
 * as someone would write them who follows the usual write-ups (layout.h). Beside their keys:
 *
 *	session:COOKIE	the member's key
 *	user:NNN	a hash: name, token (of forms)
 *	against:ID	as voted:ID, those who voted down
 *
 * It has no groups, no points of members, no comments, and nothing that keeps two votes of one member
 * that come at once apart.
 */
declare(strict_types=1);

const VOTE_SCORE = 432, PAGE_SIZE = 25;

function escape(string $text): string
{
	return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');
}

function age(int $posted): string
{
	$minutes = intdiv(max(0, time() - $posted), 60);
	foreach ([1440 => 'day', 60 => 'hour', 1 => 'minute'] as $length => $unit) {
		$count = intdiv($minutes, $length);
		if ($count > 0)
			return $count . ' ' . $unit . ($count === 1 ? '' : 's') . ' ago';
	}
	return 'just now';
}

function find_articles(Redis $redis, string $user): array
{
	$keys = $redis->zRevRange('score:', 0, PAGE_SIZE - 1);
	$pipe = $redis->multi(Redis::PIPELINE);
	foreach ($keys as $key) {
		$id = substr($key, strlen('article:'));
		$pipe->hGetAll($key);
		$pipe->sIsMember("voted:$id", $user);
		$pipe->sIsMember("against:$id", $user);
	}
	$replies = $pipe->exec();
	$articles = [];
	foreach ($keys as $i => $key) {
		$articles[] = $replies[3 * $i] + [
			'id' => substr($key, strlen('article:')),
			'vote' => $replies[3 * $i + 1] <=> $replies[3 * $i + 2],
		];
	}
	return $articles;
}

function arrow(array $article, string $word, int $sign, string $text): string
{
	$vote = $article['vote'] === $sign ? 'none' : $word;
	$class = $article['vote'] === $sign ? 'arrow voted' : 'arrow';
	return "<button class=\"$class\" name=\"vote\" value=\"$vote\" formaction=\"/articles/" .
		"{$article['id']}/vote\" aria-label=\"$text: " . escape($article['title']) .
		"\">$text</button>";
}

function show_article(array $article, int $place): string
{
	$host = parse_url($article['link'], PHP_URL_HOST) ?? '';
	return "<article id=\"article-{$article['id']}\" data-id=\"{$article['id']}\">\n" .
		"<span class=\"place\">$place</span>\n" .
		arrow($article, 'up', 1, 'up') . arrow($article, 'down', -1, 'down') .
		"\n<h2><a href=\"" . escape($article['link']) . '">' .
		escape($article['title']) . "</a></h2> <span class=\"host\">(" .
		escape($host) . ")</span>\n<p>{$article['votes']} points by " .
		'<a href="/u/' . escape($article['poster']) . '">' .
		escape($article['poster']) . '</a> ' . age((int)$article['time']) .
		" <a href=\"/articles/{$article['id']}\">comments</a></p>\n</article>\n";
}

function show_front(Redis $redis, string $user, array $member): void
{
	$rows = '';
	foreach (find_articles($redis, $user) as $i => $article)
		$rows .= show_article($article, $i + 1);
	header('Cache-Control: private, no-store');
	echo "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n",
		"<meta name=\"viewport\" content=\"width=device-width\">\n",
		"<title>Front page</title>\n<link rel=\"stylesheet\" href=\"/style.css\">\n",
		"<header><a href=\"/\">Top</a> <a href=\"/new\">New</a> <a href=\"/submit\">",
		'Submit</a> <a href="/u/', escape($member['name']), '">',
		escape($member['name']), "</a></header>\n<main>\n<form method=\"post\">\n",
		'<input type="hidden" name="csrf" value="', escape($member['token']),
		"\">\n", $rows, "</form>\n<a href=\"/?page=2\">More</a>\n</main>\n";
}

function vote(Redis $redis, string $id, string $user): int
{
	$signs = ['up' => 1, 'none' => 0, 'down' => -1];
	$is = $signs[$_POST['vote'] ?? ''] ?? null;
	if ($is === null)
		return 400;
	if (!$redis->exists("voted:$id"))
		return 403;
	$was = $redis->sIsMember("voted:$id", $user) <=>
		$redis->sIsMember("against:$id", $user);
	if ($was === $is)
		return 303;
	$change = $redis->multi();
	foreach (['voted' => 1, 'against' => -1] as $set => $sign) {
		if ($was === $sign)
			$change->sRem("$set:$id", $user);
		if ($is === $sign)
			$change->sAdd("$set:$id", $user);
	}
	$change->hIncrBy("article:$id", 'votes', $is - $was);
	$change->zIncrBy('score:', VOTE_SCORE * ($is - $was), "article:$id");
	$change->exec();
	return 303;
}

$redis = new Redis();
$redis->pconnect($_SERVER['REDIS_SOCKET']);
$user = $redis->get('session:' . ($_COOKIE['tally'] ?? ''));
$member = $user === false ? [] : $redis->hGetAll($user);

if ($member === []) {
	http_response_code(403);
} elseif (preg_match('#^/articles/(\d+)/vote$#', $_SERVER['REQUEST_URI'], $found)) {
	$is_own = hash_equals($member['token'], $_POST['csrf'] ?? '');
	http_response_code($is_own ? vote($redis, $found[1], $user) : 403);
	header("Location: /#article-{$found[1]}");
} else {
	show_front($redis, $user, $member);
}
