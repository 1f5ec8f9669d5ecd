import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { strFromU8, unzipSync, zipSync } from 'fflate'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { exportedTables } from '#api/features/move-out/tables-rules.ts'
import { rowsOf } from '#api/testing/enquiries.ts'
import { fillEverything } from '#cli/testing/everything.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'
import { SettingName } from '#shared/contract/site-settings.ts'

let full: DataFolder
let empty: DataFolder
let folder: string
beforeEach(() => {
  full = openDataFolder()
  empty = openDataFolder()
  folder = mkdtempSync(join(tmpdir(), 'alliance-typed-'))
})
afterEach(() => {
  full.close()
  empty.close()
  rmSync(folder, { recursive: true })
})

type Row = Record<string, unknown>
type Rows = Record<string, Row[]>

const utf8 = new TextEncoder()
const comingBack = exportedTables.filter(({ row }) => row !== null)

/** What a site with one of everything gave out. */
async function exported() {
  await fillEverything(full)
  const file = join(folder, 'full.zip')
  expect(await full.local(`export all ${file}`)).toMatchObject({ code: 0 })
  const files = unzipSync(await Bun.file(file).bytes())
  const rowsIn = (name: string): Row[] => JSON.parse(strFromU8(files[`json/${name}.json`] ?? new Uint8Array()))
  return { files, rows: Object.fromEntries(comingBack.map(({ name }) => [name, rowsIn(name)])) }
}

function zip(files: Record<string, Uint8Array>, rows: Rows): string {
  const file = join(folder, 'odd.zip')
  const lists = Object.entries(rows).map(([name, list]) => [`json/${name}.json`, utf8.encode(JSON.stringify(list))])
  writeFileSync(file, zipSync({ ...files, ...Object.fromEntries(lists) }))
  return file
}

const isTime = (name: string) => /At$|Until$|^at$|^since$/.test(name)
const isAheadAllowed = (name: string) => /^(publishedAt|accessUntil)$/.test(name)

/** Wrong for any column of its kind, whatever it's for. */
function wrongValues(name: string, column: SQLiteColumn): unknown[] {
  if (isTime(name)) {
    const times = ['2026-13-45T99:99:99.999Z', '2026-01-01', '0001-01-01T00:00:00.000Z', 7, { a: 1 }]
    return isAheadAllowed(name) ? times : [...times, '2999-12-31T00:00:00.000Z']
  }
  if (column.dataType.startsWith('boolean')) return ['yes', 2, { a: 1 }]
  if (column.dataType.startsWith('number')) return [-1, '1', { a: 1 }]
  // The cleaner of posts takes hidden characters out itself.
  if (name === 'content') return ['x'.repeat(200_001), 7, { a: 1 }]
  const tooLong = 'x'.repeat(/^(transcript|captions)$/.test(name) ? 400_001 : 50_001)
  if (column.dataType.startsWith('string')) return ['\u0007x', '\ud800', tooLong, 7, { a: 1 }]
  return [7, { a: 1 }, [{ a: 1 }]]
}

/** What looks right and isn't. */
function deceptions({ rows, ownerId }: { rows: Rows; ownerId: string }): Rows {
  const of = (name: string): Row => rows[name]?.[0] ?? {}
  const elsewhere = [
    '//evil.test',
    'https://evil.test',
    '/\\evil.test',
    '/api/logout',
    '/x/../api/logout',
    'javascript:1',
  ]
  const ofPeople = ['addresses', 'photos', 'progress', 'positions', 'mail-agreed', 'mail-refused']
  const internal = ['backup_schedule', 'generation', 'reports_watched', 'two_factor', 'cache', 'x']
  const publicFiles = rows.media?.filter(({ isPublic }) => isPublic === true) ?? []
  return {
    ...Object.fromEntries(ofPeople.map((name) => [name, [{ ...of(name), userId: ownerId }]])),
    people: [
      { ...of('people'), accessOverride: null, accessUntil: '2030-01-01T00:00:00.000Z' },
      { ...of('people'), accessOverride: 'revoked', accessTier: 'vip' },
    ],
    notes: [
      { ...of('notes'), aboutId: ownerId },
      { ...of('notes'), about: 'applications' },
      { ...of('notes'), kind: 'reply' },
    ],
    videos: [
      { ...of('videos'), videoType: 'embed', videoId: '', embedUrl: 'https://evil.test/player' },
      { ...of('videos'), videoType: 'youtube', videoId: 'https://evil.test/' },
    ],
    'video-tiers': [{ ...of('video-tiers'), tierSlug: 'gold' }],
    'video-files': publicFiles.map(({ id }) => ({ ...of('video-files'), mediaId: id })),
    'video-downloads': publicFiles.map(({ id }) => ({ ...of('video-downloads'), mediaId: id })),
    'old-addresses': elsewhere.map((to) => ({ ...of('old-addresses'), postId: null, to })),
    posts: [
      { ...of('posts'), featuredImage: 'https://evil.test/pixel.png' },
      { ...of('posts'), content: '<script>alert(1)</script>' },
    ],
    episodes: [{ ...of('episodes'), mediaId: of('video-files').mediaId }],
    settings: SettingName.options.map((name) => ({ ...of('settings'), name, value: 'javascript:{1}\u0007' })),
    words: [
      { ...of('words'), entry: '__proto__.title' },
      { ...of('words'), entry: 'nothing.of.ours' },
      { ...of('words'), page: 'settings' },
    ],
    'video-categories': internal.map((key) => ({ ...of('video-categories'), key })),
  }
}

/** Rows that fit: those given out, and those that need more than one of everything. */
function fittingRows(rows: Rows, updatedAt: string): Rows {
  const [userId, videoId, mediaId] = [rows.people?.[0]?.id, rows.videos?.[0]?.id, rows['video-files']?.[0]?.mediaId]
  const address = { line1: '1 Yard', line2: null, town: 'Hull', postcode: 'HU1', country: 'GB' }
  return {
    ...rows,
    addresses: [{ userId, ...address, updatedAt }],
    'video-categories': [{ key: 'video_categories', value: { names: ['Money', 'Time'], version: 1 }, updatedAt }],
    'video-versions': [{ videoId, form: 'light', mediaId }],
    'mail-refused': [{ userId, purpose: 'news', at: updatedAt }],
  }
}

test('a ZIP with a wrong value in each column of each table brings nothing that couldn’t be typed', {
  tags: ['full'],
}, async () => {
  const { world } = empty
  const ownerId = world.addOwner().id
  const { files, rows } = await exported()
  const good = fittingRows(rows, world.ctx.now().toISOString())
  const tricks = deceptions({ rows: good, ownerId })
  const [given, expected]: [Rows, Record<string, unknown>] = [{}, {}]
  for (const { name, table, columns } of comingBack) {
    const known: Record<string, SQLiteColumn> = getTableColumns(table)
    const fitting = good[name] ?? []
    const wrong = Object.entries(known).flatMap(([column, found]) =>
      column in columns ? wrongValues(column, found).map((value) => ({ ...fitting[0], [column]: value })) : [],
    )
    // What isn't given out isn't taken in: a password, an owner's rights, a customer at Stripe.
    const hidden = Object.entries(known).filter(([column]) => !(column in columns))
    const marks = Object.fromEntries(hidden.map(([column, { dataType }]) => [column, dataType === 'boolean' || 'evil']))
    // One lacks every column.
    const all = [{}, ...wrong, ...(tricks[name] ?? [])]
    given[name] = [...all, ...fitting.map((row) => ({ ...row, ...marks }))]
    expected[name] = { added: fitting.length, there: 0, refused: all.length }
  }
  const { code, out } = await empty.local(`import all ${zip(files, given)} --yes --json`)
  const { taken }: { taken: Row[] } = JSON.parse(out)
  const came = taken.map(({ file, added, there, refused }) => [file, { added, there, refused }])
  expect([code, Object.fromEntries(came)]).toEqual([1, expected])
  for (const { table } of comingBack) expect(JSON.stringify(rowsOf(world, getTableName(table)))).not.toContain('"evil"')
  expect(rowsOf(world, 'users').filter(({ isAdmin }) => isAdmin === 1)).toHaveLength(1)
})

test('settings that lead somewhere are printed with the command that sets each, in a dry run too', async () => {
  const { files } = await exported()
  await empty.local('settings set PIXEL_URL https://ours.example/pixel.js')
  const updatedAt = full.world.ctx.now().toISOString()
  const row = (name: string, value: string) => ({ name, value, version: 1, updatedAt })
  const settings = [
    row('PIXEL_URL', `https://evil.test/a.js?'x'`),
    row('SELLER_EMAIL', 'else@evil.test'),
    row('EMBED_HOSTS', 'evil.test'),
    row('OWNERS_SECOND_FACTOR', 'no'),
    row('SELLER_NAME', 'Ours Ltd'),
  ]
  const file = zip(files, { settings })
  const before = rowsOf(empty.world, 'site_settings')
  const said = [
    `settings: PIXEL_URL. Here it’s “https://ours.example/pixel.js”, there it was “https://evil.test/a.js?'x'”.`,
    String.raw`alliance settings set PIXEL_URL 'https://evil.test/a.js?'\''x'\'''`,
    'settings: SELLER_EMAIL. Here it’s not set, there it was “else@evil.test”.',
    `alliance settings set EMBED_HOSTS 'evil.test'`,
    `alliance settings set OWNERS_SECOND_FACTOR 'no'`,
  ]
  const tried = await empty.local(`import all ${file} --dry-run`)
  for (const one of said) expect(tried.err).toContain(one)
  expect([tried.code, rowsOf(empty.world, 'site_settings'), rowsOf(empty.world, 'media')]).toEqual([0, before, []])
  const done = await empty.local(`import all ${file} --yes`)
  for (const one of said) expect(done.err).toContain(one)
  const ours = expect.objectContaining({ name: 'SELLER_NAME', value: 'Ours Ltd' })
  expect(rowsOf(empty.world, 'site_settings')).toEqual([...before, ours])
})
