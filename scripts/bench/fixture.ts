import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Context, openContext } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { users } from '#api/db/schema/people.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { setVideoTiers } from '#api/db/video-tiers.ts'
import { startSession } from '#api/features/accounts/login/session-service.ts'
import { listVideos } from '#api/features/videos/service.ts'
import { readSettings } from '#api/settings.ts'
import { videoSeeds } from '#data/seed/videos.ts'
import { shippedTierSlugs } from '#shared/contract/tier.ts'
import { ask, startProduct } from './programs.ts'

export const videoCount = 134
/** With this many ticks the progress response is about 2 kB. */
const tickCount = 19
const otherMemberCount = 6

export type Member = { id: string; email: string; cookie: string }

/** A seeded sandbox with a full list of videos, and a member who has ticked some. */
export type Fixture = {
  member: Member
  /** Members of the same tier without ticks, for rows that write more than one member may in a day. */
  otherMembers: readonly Member[]
  videoIds: readonly string[]
  /** A new copy of the data folder, or of another, so no row measures another's writes. */
  copyDataDir(of?: string): string
}

const details = 'fixture.json'

/** Makes it in a new folder, which goes when this process ends. The first start seeds; it has too few videos and no ticks. */
export async function createFixture(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  const dataDir = join(folder, 'first')
  await using server = await startProduct(dataDir)
  beside(dataDir, addVideos)
  const email = 'standard@alliance.test'
  const member = { email, ...logInAs(dataDir, email) }
  const videoIds = beside(dataDir, (ctx) => listVideos(ctx, 'standard').map(({ id }) => id))
  const tick = { method: 'POST', headers: { cookie: member.cookie } }
  for (const id of videoIds.slice(0, tickCount)) await ask(server, `/api/video-progress/${id}/complete`, tick)
  const otherMembers = addMembers(dataDir, otherMemberCount)
  writeFileSync(join(folder, details), JSON.stringify({ member, otherMembers, videoIds }))
  return folder
}

export const openFixture = (folder: string): Fixture => ({
  ...JSON.parse(readFileSync(join(folder, details), 'utf8')),
  copyDataDir(of = join(folder, 'first')) {
    const dataDir = mkdtempSync(join(folder, 'copy-'))
    cpSync(of, dataDir, { recursive: true })
    return dataDir
  },
})

/** Reads or fills a folder, beside its server if there is one, as the terminal does. */
export function beside<Result>(dataDir: string, work: (ctx: Context) => Result): Result {
  const ctx = openContext(readSettings({ DATA_DIR: dataDir }), { mayMigrate: false })
  try {
    return work(ctx)
  } finally {
    ctx.sqlite.close()
  }
}

export const cookieOf = (ctx: Context, id: string) => startSession(ctx, id, { isProven: true }).split(';')[0] ?? ''

/** Someone who has just given the password. */
export const logInAs = (dataDir: string, email: string) =>
  beside(dataDir, (ctx) => {
    const id = ctx.sqlite.prepare<[string], string>('select id from users where email = ?').pluck().get(email)
    if (id === undefined) throw new Error(`There's no ${email}.`)
    return { id, cookie: cookieOf(ctx, id) }
  })

export const ownerEmail = 'owner@alliance.test'
export const ownerCookie = (dataDir: string): string => logInAs(dataDir, ownerEmail).cookie

/** With access from the owners, to the standard tier. Stripe doesn't know them. */
export const addMembers = (dataDir: string, count: number): Member[] =>
  beside(dataDir, (ctx) =>
    transact(ctx, () =>
      Array.from({ length: count }, (_, index) => {
        const [id, at] = [ctx.newId(), ctx.now().toISOString()]
        const email = `member-${index}-${id.slice(-6)}@example.com`
        insertRow(ctx, users, { id, email, accessOverride: 'granted', createdAt: at, updatedAt: at })
        return { id, email, cookie: cookieOf(ctx, id) }
      }),
    ),
  )

function addVideos(ctx: Context): void {
  const [createdAt, missing] = [ctx.now().toISOString(), videoCount - listVideos(ctx, 'standard').length]
  const rows = Array.from({ length: missing }, (_, index) => {
    const seed = videoSeeds[index % videoSeeds.length] as (typeof videoSeeds)[number]
    const added = { id: ctx.newId(), slug: `${seed.slug}-bench-${index}`, isPublished: true }
    return { ...seed, ...added, createdAt, updatedAt: createdAt }
  })
  ctx.db.insert(memberVideos).values(rows).run()
  for (const { id } of rows) setVideoTiers(ctx, id, shippedTierSlugs)
}
