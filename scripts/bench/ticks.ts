import * as v from 'valibot'
import { type Context, openContext } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { readSettings } from '#api/settings.ts'
import { type ProgressChange, type SyncRequest, VideoProgressList } from '#shared/contract/progress.ts'
import { formatRate, medianOfRounds, printMost, printRatio } from './figures.ts'
import { addMembers, beside, type Fixture, type Member, videoCount } from './fixture.ts'
import { cycle, type Load, rateOf, recordRuns } from './load.ts'
import { ask, startProduct } from './programs.ts'

const batchSize = 100

export async function measureTick(fixture: Fixture): Promise<void> {
  const nextVideoId = cycle(fixture.videoIds)
  const next = () => ({ path: `/api/video-progress/${nextVideoId()}/complete`, init: post(fixture.member) })
  const { comparison, p99 } = await measure(fixture, {
    load: { connections: 50, count: 1000, next },
    floorOf:
      ({ storeOne }) =>
      () =>
        storeOne(fixture.member.id, nextVideoId()),
    members: [fixture.member],
    stored: videoCount,
  })
  printRatio('One durable tick', comparison, { format: formatRate, limit: { atLeast: 0.6 } })
  printMost('One durable tick, p99 at 50 connections', p99, { most: 14 })
}

/** An evening: each tick is another member's, who is back after an hour, and a new row. */
export async function measureTicksOfMany(fixture: Fixture): Promise<void> {
  const folder = fixture.copyDataDir()
  const members = addMembers(folder, 1000)
  const [nextMember, nextVideoId] = [cycle(members), cycle(fixture.videoIds)]
  const [nextMemberOfFloor, nextVideoIdOfFloor] = [cycle(members), cycle(fixture.videoIds)]
  const next = () => ({ path: `/api/video-progress/${nextVideoId()}/complete`, init: post(nextMember()) })
  const { comparison, p99 } = await measure(fixture, {
    load: { connections: 50, count: members.length, next },
    floorOf:
      ({ storeOne }) =>
      () =>
        storeOne(nextMemberOfFloor().id, nextVideoIdOfFloor()),
    folder,
    before: (dataDir) => beside(dataDir, comeBack),
    members,
    stored: rounds + 1,
  })
  printRatio(`A durable tick of ${members.length} members`, comparison, { format: formatRate, limit: { atLeast: 0.5 } })
  printMost(`A durable tick of ${members.length} members, p99 at 50 connections`, p99, { most: 25 })
}

/** Nobody was here for an hour, so that each visit is noted. */
const comeBack = ({ sqlite }: Context) =>
  void sqlite.exec(`update users set lastSeenAt = null;
    update sessions set lastSeenAt = null, createdAt = strftime('%Y-%m-%dT%H:%M:%fZ', createdAt, '-1 hours')`)

/** What phones send when they're back online: a hundred ticks of one member, then the next member's. */
export async function measureSync(fixture: Fixture): Promise<void> {
  const members = fixture.otherMembers
  const [nextVideoId, nextMember, nextMemberOfFloor] = [cycle(fixture.videoIds), cycle(members), cycle(members)]
  const [connections, count] = [4, 100]
  // Making the batches is the phones' work, so do it beforehand. Each must be newer than the ones before.
  const batches = Array.from({ length: count * (rounds + 1) }, () => batchOf(nextVideoId, batchSize)).values()
  const next = () => ({ path: '/api/video-progress/sync', init: post(nextMember(), batches.next().value) })
  const { comparison } = await measure(fixture, {
    load: { connections, count, next },
    floorOf:
      ({ storeBatch }) =>
      () =>
        storeBatch(nextMemberOfFloor().id, Array.from({ length: batchSize }, nextVideoId)),
    members,
    stored: videoCount,
  })
  printRatio(`Sync of ${batchSize} ticks`, comparison, { format: formatRate, limit: { atLeast: 0.65 } })
}

const rounds = 9

type WriteRow = {
  load: Omit<Load, 'server'>
  /** The SQL of one such request, and nothing else. */
  floorOf: (statements: ReturnType<typeof prepareFloor>) => () => void
  /** Where they are, if not in the fixture's. */
  folder?: string
  /** What has happened before each round. */
  before?: (dataDir: string) => void
  members: readonly Member[]
  /** How many videos each of them has ticked in the end. */
  stored: number
}

/** Requests to a server against the same SQL in a loop, each on its own data folder on the same disk. */
async function measure({ copyDataDir }: Fixture, { load, floorOf, folder, before, members, stored }: WriteRow) {
  const ctx = openContext(readSettings({ DATA_DIR: copyDataDir(folder) }))
  const dataDir = copyDataDir(folder)
  await using server = await startProduct(dataDir)
  const product = recordRuns({ ...load, server })
  const runStatements = floorOf(prepareFloor(ctx))
  const floor = () => {
    before?.(dataDir)
    return rateOf(load.count, runStatements)
  }
  const comparison = await medianOfRounds({ rounds, floor, product: product.run })
  for (const { cookie } of members) {
    const { body } = await ask(server, '/api/video-progress', { headers: { cookie } })
    const ticked = v.parse(VideoProgressList, JSON.parse(body)).filter(({ completed }) => completed)
    // Otherwise we measured something else.
    if (ticked.length !== stored) throw new Error('Not all ticks were stored.')
  }
  ctx.sqlite.close()
  return { comparison, p99: product.p99() }
}

const progressColumns = 'videoId, completed, completedAt, at, counter, deviceId, changeId'

/** The floor is bare SQL, prepared once, so the row shows what the product adds. */
function prepareFloor(ctx: Context) {
  const { sqlite } = ctx
  const all = sqlite.prepare(`select ${progressColumns} from video_progress where userId = +? order by videoId`)
  const one = sqlite.prepare(`select ${progressColumns} from video_progress where userId = ? and videoId = ?`)
  const video = sqlite.prepare(
    'select isPublished, (select json_group_array(tierSlug) from video_tiers where videoId = id) from member_videos where id = ?',
  )
  const remember = sqlite.prepare(
    'insert into applied_changes (userId, changeId, receivedAt) values (?, ?, ?) on conflict do nothing',
  )
  const store = sqlite.prepare(
    `insert into video_progress (id, userId, ${progressColumns}, createdAt, updatedAt)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (userId, videoId) do update set completed = excluded.completed, completedAt = excluded.completedAt,
       at = excluded.at, counter = excluded.counter, deviceId = excluded.deviceId, changeId = excluded.changeId,
       updatedAt = excluded.updatedAt`,
  )
  const storeRow = (memberId: string, videoId: string) => {
    const at = ctx.now().toISOString()
    store.run(ctx.newId(), memberId, videoId, 1, at, at, 1, 'server', ctx.newId(), at, at)
  }
  return {
    storeOne: (memberId: string, videoId: string) =>
      transact(ctx, () => {
        video.get(videoId)
        one.get(memberId, videoId)
        storeRow(memberId, videoId)
      }),
    storeBatch: (memberId: string, videoIds: readonly string[]) =>
      transact(ctx, () => {
        all.all(memberId)
        for (const videoId of videoIds) {
          video.get(videoId)
          remember.run(memberId, ctx.newId(), ctx.now().toISOString())
        }
        for (const videoId of videoIds) storeRow(memberId, videoId)
      }),
  }
}

let counter = 0

/** The body of a sync of so many ticks. Each is newer than all before. */
export function batchOf(nextVideoId: () => string, size: number): string {
  const changes = Array.from({ length: size }, (): ProgressChange => {
    counter += 1
    return { id: Bun.randomUUIDv7(), videoId: nextVideoId(), completed: true, at: new Date().toISOString(), counter }
  })
  return JSON.stringify({ deviceId: 'bench', changes } satisfies SyncRequest)
}

export const post = ({ cookie }: Pick<Member, 'cookie'>, body = '') => ({
  method: 'POST',
  headers: { cookie, 'content-type': 'application/json' },
  body,
})
