import * as v from 'valibot'
import { type Context, openContext } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { readSettings } from '#api/settings.ts'
import { type ProgressChange, type SyncRequest, VideoProgressList } from '#shared/contract/progress.ts'
import { type Fixture, videoCount } from './fixture.ts'
import { cycle, type LoadOptions, recordRuns, type Target } from './load.ts'
import { startProduct, withServer } from './programs.ts'
import { durationRow, formatRate, type Result, ratioRow } from './result.ts'
import { medianOfRounds } from './rounds.ts'

const batchSize = 100

export async function measureTick(fixture: Fixture): Promise<Result[]> {
  const nextVideoId = cycle(fixture.videoIds)
  const next = () => ({ path: `/api/video-progress/${nextVideoId()}/complete`, init: post(fixture, {}) })
  const load = { connections: 50, count: 1000, rounds: 9 }
  const storeNext = (ctx: Context) => storeOne(ctx, fixture.memberId, nextVideoId())
  const { comparison, p99 } = await measure(fixture, { next, load, runStatements: storeNext, members: [fixture] })
  return [
    ratioRow('One durable tick', comparison, formatRate, { atLeast: 0.55 }),
    durationRow(`One durable tick, p99 at ${load.connections} connections`, p99, 50),
  ]
}

/** What phones send when they're back online: a hundred ticks of one member, then the next member's. */
export async function measureSync(fixture: Fixture): Promise<Result[]> {
  const nextVideoId = cycle(fixture.videoIds)
  const nextMember = cycle(fixture.otherMembers)
  const load = { connections: 4, count: 100, rounds: 9 }
  // Making the batches is the phones' work, so do it beforehand. Each must be newer than the ones before.
  const batches = Array.from({ length: load.count * (load.rounds + 1) }, () => makeBatch(nextVideoId)).values()
  const next = () => ({
    path: '/api/video-progress/sync',
    init: post(nextMember(), { body: batches.next().value ?? '' }),
  })
  const nextMemberOfFloor = cycle(fixture.otherMembers)
  const { comparison } = await measure(fixture, {
    next,
    load,
    members: fixture.otherMembers,
    runStatements: (ctx) => storeBatch(ctx, nextMemberOfFloor().id, nextVideoId),
  })
  return [ratioRow(`Sync of ${batchSize} ticks`, comparison, formatRate, { atLeast: 0.65 })]
}

type WriteRow = {
  next: Target['next']
  load: LoadOptions & { rounds: number }
  /** The SQL of one such request, and nothing else. */
  runStatements: (ctx: Context) => void
  members: readonly Pick<Fixture, 'cookie'>[]
}

/** Requests to a server against the same SQL in a loop, each on its own data folder on the same disk. */
async function measure(fixture: Fixture, { next, load, runStatements, members }: WriteRow) {
  const ctx = openContext(readSettings({ DATA_DIR: fixture.copyDataDir() }))
  try {
    return await withServer(startProduct(fixture.copyDataDir()), async (server) => {
      const product = recordRuns({ server, status: 200, next }, load)
      const floor = async () => {
        const start = performance.now()
        for (let done = 0; done < load.count; done += 1) runStatements(ctx)
        return (load.count / (performance.now() - start)) * 1000
      }
      const comparison = await medianOfRounds(load.rounds, { floor, product: product.run })
      for (const member of members) await checkTicks(server.url, member)
      return { comparison, p99: product.p99() }
    })
  } finally {
    ctx.sqlite.close()
  }
}

/** Throws unless this member ticked every video: otherwise we measured something else. */
async function checkTicks(url: string, { cookie }: Pick<Fixture, 'cookie'>): Promise<void> {
  const response = await fetch(`${url}/api/video-progress`, { headers: { cookie } })
  const progress = v.parse(VideoProgressList, await response.json())
  if (progress.filter(({ completed }) => completed).length !== videoCount) throw new Error('Not all ticks were stored.')
}

const progressColumns = 'videoId, completed, completedAt, at, counter, deviceId, changeId'

/** The floor is bare SQL, prepared once, so the row shows what the product adds. */
function prepareFloor({ sqlite }: Context) {
  return {
    all: sqlite.prepare(`select ${progressColumns} from video_progress where userId = +? order by videoId`),
    one: sqlite.prepare(`select ${progressColumns} from video_progress where userId = ? and videoId = ?`),
    video: sqlite.prepare('select isPublished, tierAccess from member_videos where id = ?'),
    remember: sqlite.prepare(
      'insert into applied_changes (userId, changeId, receivedAt) values (?, ?, ?) on conflict do nothing',
    ),
    store: sqlite.prepare(
      `insert into video_progress (id, userId, ${progressColumns}, createdAt, updatedAt)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (userId, videoId) do update set completed = excluded.completed, completedAt = excluded.completedAt,
         at = excluded.at, counter = excluded.counter, deviceId = excluded.deviceId, changeId = excluded.changeId,
         updatedAt = excluded.updatedAt`,
    ),
  }
}

const floors = new WeakMap<Context, ReturnType<typeof prepareFloor>>()
function floorOf(ctx: Context) {
  const floor = floors.get(ctx) ?? prepareFloor(ctx)
  floors.set(ctx, floor)
  return floor
}

function storeOne(ctx: Context, memberId: string, videoId: string): void {
  const { video, one, store } = floorOf(ctx)
  transact(ctx, () => {
    video.get(videoId)
    one.get(memberId, videoId)
    store.run(...rowOf(ctx, memberId, videoId))
  })
}

function storeBatch(ctx: Context, memberId: string, nextVideoId: () => string): void {
  const { all, video, remember, store } = floorOf(ctx)
  const videoIds = Array.from({ length: batchSize }, nextVideoId)
  transact(ctx, () => {
    all.all(memberId)
    for (const videoId of videoIds) {
      video.get(videoId)
      remember.run(memberId, ctx.newId(), ctx.now().toISOString())
    }
    for (const videoId of videoIds) store.run(...rowOf(ctx, memberId, videoId))
  })
}

function rowOf(ctx: Context, memberId: string, videoId: string) {
  const at = ctx.now().toISOString()
  const stamp = [at, 1, 'server', ctx.newId()] as const
  return [ctx.newId(), memberId, videoId, 1, at, ...stamp, at, at] as const
}

let counter = 0
function makeBatch(nextVideoId: () => string): string {
  const changes = Array.from({ length: batchSize }, (): ProgressChange => {
    counter += 1
    return { id: Bun.randomUUIDv7(), videoId: nextVideoId(), completed: true, at: new Date().toISOString(), counter }
  })
  return JSON.stringify({ deviceId: 'bench', changes } satisfies SyncRequest)
}

const post = ({ cookie }: Pick<Fixture, 'cookie'>, init: { body?: string }) => ({
  ...init,
  method: 'POST',
  headers: { cookie, 'content-type': 'application/json' },
})
