import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Context, openContext } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { users } from '#api/db/schema/people.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { startSession } from '#api/features/accounts/login/session-service.ts'
import { markVideo } from '#api/features/videos/progress/service.ts'
import { listVideos } from '#api/features/videos/service.ts'
import { type Person, personById } from '#api/identity/person.ts'
import { startServer } from '#api/server.ts'
import { readSettings } from '#api/settings.ts'
import { videoSeeds } from '#data/seed/videos.ts'
import { productEnv } from './programs.ts'

export const videoCount = 134
/** With this many ticks the progress response is about 2 kB. */
const tickCount = 19

export type BenchMember = { id: string; cookie: string }

/** A seeded sandbox with a full list of videos, and a member who has ticked some. */
export type Fixture = {
  memberId: string
  cookie: string
  /** Members of the same tier without ticks, for rows that write more than one member may in a day. */
  otherMembers: readonly BenchMember[]
  videoIds: readonly string[]
  /** A new copy of the data folder, so no row measures another's writes. */
  copyDataDir(): string
  close(): void
}

export async function createFixture(): Promise<Fixture> {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-bench-'))
  const first = join(folder, 'first')
  const close = () => rmSync(folder, { recursive: true, force: true })
  try {
    let copyCount = 0
    const copyDataDir = () => {
      copyCount += 1
      const dataDir = join(folder, String(copyCount))
      cpSync(first, dataDir, { recursive: true })
      return dataDir
    }
    return { ...(await seedFixture(first)), copyDataDir, close }
  } catch (error) {
    close()
    throw error
  }
}

/** The first start seeds the sandbox. The seed has too few videos and no ticks, so we add them. */
async function seedFixture(
  dataDir: string,
): Promise<Pick<Fixture, 'memberId' | 'cookie' | 'otherMembers' | 'videoIds'>> {
  const server = await startServer(readSettings(await productEnv(dataDir)))
  try {
    const { ctx } = server
    addVideos(ctx)
    const member = findMember(ctx)
    const videoIds = listVideos(ctx, 'standard').map(({ id }) => id)
    await Promise.all(videoIds.slice(0, tickCount).map((id) => markVideo(ctx, member, id, true)))
    const otherMembers = Array.from({ length: otherMemberCount }, (_, index) => addMember(ctx, index))
    return { memberId: member.id, cookie: sessionCookie(ctx, member.id), otherMembers, videoIds }
  } finally {
    await server.stop()
  }
}

const otherMemberCount = 6

function sessionCookie(ctx: Context, userId: string): string {
  const [cookie = ''] = startSession(ctx, userId).split(';')
  return cookie
}

/** Has access from the owners without a subscription, to the standard tier like the seeded member. */
function addMember(ctx: Context, index: number): BenchMember {
  const id = ctx.newId()
  const at = ctx.now().toISOString()
  const email = `bench-phone-${index}@alliance.test`
  insertRow(ctx, users, { id, email, accessOverride: 'granted', createdAt: at, updatedAt: at })
  return { id, cookie: sessionCookie(ctx, id) }
}

function addVideos(ctx: Context): void {
  const at = ctx.now().toISOString()
  const missing = videoCount - listVideos(ctx, 'standard').length
  for (let added = 0; added < missing; added += 1) {
    const seed = videoSeeds[added % videoSeeds.length]
    if (seed === undefined) return
    const tierAccess = ['lite', 'standard', 'xl'] as const
    ctx.db
      .insert(memberVideos)
      .values({
        ...seed,
        slug: `${seed.slug}-bench-${added}`,
        isPublished: true,
        tierAccess: [...tierAccess],
        id: ctx.newId(),
        createdAt: at,
        updatedAt: at,
      })
      .run()
  }
}

function findMember(ctx: Context): Person {
  const id = ctx.sqlite
    .prepare<[string], string>('select id from users where email = ?')
    .pluck()
    .get('standard@alliance.test')
  const person = id === undefined ? null : personById(ctx, id)
  if (person === null) throw new Error('The sandbox has no standard member.')
  return person
}

export function ownerCookie(dataDir: string): string {
  const ctx = openContext(readSettings({ DATA_DIR: dataDir }))
  try {
    const owner = ctx.sqlite.prepare<[], string>('select id from users where isAdmin = 1 limit 1').pluck().get()
    if (owner === undefined) throw new Error('The sandbox has no owner.')
    return startSession(ctx, owner).split(';')[0] ?? ''
  } finally {
    ctx.sqlite.close()
  }
}
