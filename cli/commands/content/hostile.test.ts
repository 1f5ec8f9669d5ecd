import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rowsOf } from '#api/testing/enquiries.ts'
import { fillEverything } from '#cli/testing/everything.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let full: DataFolder
let empty: DataFolder
let folder: string
beforeEach(() => {
  full = openDataFolder()
  empty = openDataFolder()
  folder = mkdtempSync(join(tmpdir(), 'alliance-hostile-'))
})
afterEach(() => {
  full.close()
  empty.close()
  rmSync(folder, { recursive: true })
})

type Row = Record<string, unknown>
type Copy = Record<'videos' | 'posts' | 'episodes' | 'tiers' | 'hours' | 'media', Row[]> & {
  words: Record<string, Row>
  settings: Row
}

async function exported(): Promise<Copy> {
  await fillEverything(full)
  expect(await full.local(`content export ${join(folder, 'site.json')}`)).toMatchObject({ code: 0 })
  return JSON.parse(readFileSync(join(folder, 'site.json'), 'utf8'))
}

async function importCopy(copy: object) {
  writeFileSync(join(folder, 'site.json'), typeof copy === 'string' ? copy : JSON.stringify(copy))
  return empty.local(`content import ${join(folder, 'site.json')} --yes --json`)
}

const brackets = `${'['.repeat(50_000)}${']'.repeat(50_000)}`

const hidden = ['\u0007x', '\ud800']
const elsewhere = ['//evil.test', '/\\evil.test', 'javascript:alert(1)', 'data:text/html,x', 'https://evil.test/x']

const links = [...elsewhere.slice(0, 4), 'https:/evil.test', 'https:///evil.test']

const tables = ['member_videos', 'blog_posts', 'podcast_episodes', 'content_overrides', 'site_settings', 'call_hours']
const stored = () => JSON.stringify(tables.map((table) => rowsOf(empty.world, table)))

test('what couldn’t be typed isn’t imported: each is named, and the rest comes in', async () => {
  const copy = await exported()
  const [video = {}] = copy.videos
  const [post = {}] = copy.posts
  const [episode = {}] = copy.episodes
  const long = 'x'.repeat(250_000)
  const each = (row: Row, names: readonly string[], values: readonly unknown[]) =>
    names.flatMap((name) => values.map((value) => ({ ...row, [name]: value })))
  const given = {
    ...copy,
    videos: [
      video,
      ...each(video, ['title', 'category'], [...hidden, long]),
      ...each({ ...video, title: 'No film', files: [] }, ['videoId'], ['javascript:alert(1)', '//evil.test', long]),
      { ...video, title: 'Player', videoType: 'embed', embedUrl: 'https://evil.test/player', files: [] },
      { ...video, title: 'Order', orderIndex: -1 },
      { ...video, title: 'Minutes', duration: 1e9 },
      { ...video, title: 'Day', availableFrom: '2026-13-45' },
      { ...video, title: 'Captions', reading: { notes: null, transcript: null, captions: 'not captions' } },
    ],
    posts: [
      ...each({ ...post, slug: 'odd-title' }, ['title', 'author'], [...hidden, long]),
      ...each(post, ['slug'], ['../up', '/x', 'A b', '', long]),
      ...each({ ...post, slug: 'odd-picture' }, ['featuredImage', 'shareImage'], [...elsewhere, '/api/logout']),
      ...each({ ...post, slug: 'odd-day' }, ['publishedAt'], ['2026-13-45', 'x']),
    ],
    episodes: [
      ...each(episode, ['title', 'summary'], [...hidden, long]),
      ...each({ ...episode, title: 'Odd' }, ['number', 'seconds'], [-1, 1.5, 1e12]),
    ],
    words: {
      about: {
        'nothing.of.ours': 'x',
        'title.__proto__': 'x',
        [`a${'.a'.repeat(9000)}`]: 'x',
        lead: 'a\u202eb',
        title: 'b\u0007',
        'story.heading': 'b\ud800',
        'story.paragraphs': links.map((link) => `[x](${link})`),
      },
      nowhere: { title: 'x' },
    },
    settings: { PIXEL_URL: 'javascript:alert(1)', SELLER_EMAIL: 'x', EMBED_HOSTS: 'evil.test/x y' },
    tiers: [],
    hours: [],
  }
  const { code, out, err } = await importCopy(given)
  const rows = [...given.videos, ...given.posts, ...given.episodes]
  expect([code, err]).toEqual([1, ''])
  const skipped: { what: string; why: string }[] = JSON.parse(out).skipped
  expect(skipped.length).toBe(rows.length - 1 + 8 + 3)
  expect(rowsOf(empty.world, 'member_videos').map(({ title }) => title)).toEqual([video.title])
  expect(stored()).not.toMatch(/evil|javascript:|\\u0007|\u202e|x{1000}/)
})

test('a file with another type anywhere, or brackets without end, is refused whole in a sentence', async () => {
  const copy = await exported()
  const before = stored()
  const [video = {}] = copy.videos
  const odd: unknown[] = [
    ...Object.keys(video)
      .filter((name) => name !== 'versions')
      .map((name) => ({ ...copy, videos: [{ ...video, [name]: { a: 1 } }] })),
    { ...copy, media: [{ ...copy.media[0], id: '../../etc/passwd' }] },
    { ...copy, media: [{ ...copy.media[0], format: 'exe' }] },
    { ...copy, settings: { SELLER_NAME: 7 } },
    { ...copy, settings: { generation: 'x' } },
    '{"format":'.repeat(100_000),
    `${'['.repeat(500_000)}`,
    'null',
  ]
  // A `JSON.stringify` of values as deep as these would use up the stack.
  const holding = (part: object, json: string) => JSON.stringify({ ...copy, ...part }).replace('"HERE"', () => json)
  const named: [copy: unknown, says: RegExp][] = [
    [holding({ words: 'HERE' }, brackets), /words\.0\.0\.0 is nested too deeply/],
    [holding({ settings: 'HERE' }, brackets), /settings\.0\.0\.0 is nested too deeply/],
    [holding({ words: { about: { lead: 'HERE' } } }, brackets), /words\.about\.lead\.0 is nested too deeply/],
    [holding({ words: { about: 'HERE' } }, '{"constructor":"x"}'), /words\.about\.constructor isn’t a name/],
    [holding({ words: { about: { lead: 'HERE' } } }, '{"__proto__":{}}'), /words\.about\.lead\.__proto__ isn’t a name/],
    [holding({ words: 'HERE' }, '{"__proto__":{"lead":"x"}}'), /words\.__proto__ isn’t a name/],
    [holding({ settings: 'HERE' }, '{"prototype":"x"}'), /settings\.prototype isn’t a name/],
    [{ ...copy, words: [] }, /: words is a list/],
    [{ ...copy, words: { about: [] } }, /: words\.about is a list/],
    [{ ...copy, settings: [] }, /: settings is a list/],
    [{ ...copy, videos: [{ ...video, versions: [] }] }, /: videos\.0\.versions is a list/],
  ]
  for (const [one, says] of named) {
    const { code, out, err } = await importCopy(one as object)
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(says)])
    expect(err.length).toBeLessThan(200)
  }
  for (const one of odd) {
    const { code, out, err } = await importCopy(one as object)
    expect([JSON.stringify(one).slice(0, 200), code, out]).toEqual([expect.any(String), 2, ''])
    expect(err).not.toMatch(/\n +at |RangeError|TypeError/)
  }
  expect(stored()).toBe(before)
})
