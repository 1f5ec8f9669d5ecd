import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '#api/context.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { startSession } from '#api/features/auth/session-service.ts'
import { markVideo } from '#api/features/progress/service.ts'
import { listVideos } from '#api/features/videos/service.ts'
import { type Person, personById } from '#api/http/session.ts'
import { startServer } from '#api/server.ts'
import { readSettings } from '#api/settings.ts'
import { videoSeeds } from '#data/seed/videos.ts'
import { productEnv } from './programs.ts'

/** As many as a full members' area has. */
export const videoCount = 134
/** As many ticks as make an answer of about 2 kB. */
const tickCount = 19

/** A seeded sandbox with a full list of videos and a member who has begun with it. */
export type House = {
  memberId: string
  cookie: string
  /** What the member sees. */
  videoIds: readonly string[]
  /** A data folder of its own for each row, so that none measures what another has left. */
  copy(): string
  close(): void
}

export async function openHouse(): Promise<House> {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-bench-'))
  const first = join(folder, 'first')
  const close = () => rmSync(folder, { recursive: true, force: true })
  try {
    let copies = 0
    const copy = () => {
      copies += 1
      const dataDir = join(folder, String(copies))
      cpSync(first, dataDir, { recursive: true })
      return dataDir
    }
    return { ...(await furnish(first)), copy, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Seeds by a server's first start, and adds what the sandbox has too little of. */
async function furnish(dataDir: string): Promise<Pick<House, 'memberId' | 'cookie' | 'videoIds'>> {
  const server = await startServer(readSettings(productEnv(dataDir)))
  try {
    const { ctx } = server
    addVideos(ctx)
    const member = findMember(ctx)
    const videoIds = listVideos(ctx, 'standard').map(({ id }) => id)
    for (const id of videoIds.slice(0, tickCount)) markVideo(ctx, member, id, true)
    const [cookie = ''] = startSession(ctx, member.id).split(';')
    return { memberId: member.id, cookie, videoIds }
  } finally {
    await server.stop()
  }
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
        isPublished: true,
        tierAccess: [...tierAccess],
        id: ctx.newId(),
        createdAt: at,
        updatedAt: at,
      })
      .run()
  }
}

export function findMember(ctx: Context): Person {
  const id = ctx.sqlite
    .prepare<[string], string>('select id from users where email = ?')
    .pluck()
    .get('standard@alliance.test')
  const person = id === undefined ? null : personById(ctx, id)
  if (person === null) throw new Error('The sandbox has no standard member.')
  return person
}
