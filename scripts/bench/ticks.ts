import * as v from 'valibot'
import { type Context, openContext } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { readSettings } from '#api/settings.ts'
import { type ProgressChange, type SyncRequest, VideoProgressList } from '#shared/contract/progress.ts'
import { type House, videoCount } from './house.ts'
import { collectRuns, type Target } from './load.ts'
import { inPairs } from './pairs.ts'
import { startProduct, whileRunning } from './programs.ts'
import { compared, perSecond, type Result, within } from './result.ts'

const batchSize = 100

/** One tick a transaction, each on the disk before it is answered. */
export async function measureTick(house: House): Promise<Result[]> {
  const turn = inTurn(house.videoIds)
  const next = () => ({ path: `/api/video-progress/${turn()}/complete`, init: post(house, {}) })
  const how = { connections: 50, count: 1000, rounds: 9 }
  const { pair, p99 } = await measure(house, { next, how, loop: (ctx) => storeOne(ctx, house.memberId, turn()) })
  return [
    compared('One durable tick', pair, perSecond, { atLeast: 0.55 }),
    within(`One durable tick, p99 at ${how.connections} connections`, p99, 50),
  ]
}

/** What a phone brings up from a cellar. */
export async function measureSync(house: House): Promise<Result[]> {
  const turn = inTurn(house.videoIds)
  const how = { connections: 4, count: 100, rounds: 9 }
  // Made beforehand, since that is the phones' work, and sent in the order made, so that each of them is stored.
  const batches = Array.from({ length: how.count * (how.rounds + 1) }, () => makeBatch(turn)).values()
  const next = () => ({ path: '/api/video-progress/sync', init: post(house, { body: batches.next().value ?? '' }) })
  const { pair } = await measure(house, { next, how, loop: (ctx) => storeBatch(ctx, house.memberId, turn) })
  return [compared(`Sync of ${batchSize} ticks`, pair, perSecond, { atLeast: 0.65 })]
}

type Written = {
  next: Target['next']
  how: { connections: number; count: number; rounds: number }
  /** The statements of one such request, and nothing else. */
  loop: (ctx: Context) => void
}

/** Requests to a server beside the same statements in a loop, each on a data folder of its own on the same disk. */
async function measure(house: House, { next, how, loop }: Written) {
  const ctx = openContext(readSettings({ DATA_DIR: house.copy() }))
  try {
    return await whileRunning(startProduct(house.copy()), async (server) => {
      const product = collectRuns({ server, status: 200, next }, how)
      const floor = async () => {
        const start = performance.now()
        for (let done = 0; done < how.count; done += 1) loop(ctx)
        return (how.count / (performance.now() - start)) * 1000
      }
      const pair = await inPairs(how.rounds, { floor, product: product.run })
      await checkTicks(server.url, house)
      return { pair, p99: product.p99() }
    })
  } finally {
    ctx.sqlite.close()
  }
}

/** Every video was ticked, or something else was measured. */
async function checkTicks(url: string, { cookie }: House): Promise<void> {
  const response = await fetch(`${url}/api/video-progress`, { headers: { cookie } })
  const progress = v.parse(VideoProgressList, await response.json())
  if (progress.filter(({ completed }) => completed).length !== videoCount) throw new Error('Not all ticks were stored.')
}

const progressColumns = 'videoId, completed, completedAt, at, counter, deviceId, changeId'

/** The floor is bare SQL, prepared once: what the product adds to it is what is measured. */
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

function storeBatch(ctx: Context, memberId: string, turn: () => string): void {
  const { all, video, remember, store } = floorOf(ctx)
  const videoIds = Array.from({ length: batchSize }, turn)
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

/** One video after the other, round and round. */
function inTurn(videoIds: readonly string[]): () => string {
  let turn = 0
  return () => {
    turn += 1
    return videoIds[turn % videoCount] ?? ''
  }
}

let counter = 0
function makeBatch(turn: () => string): string {
  const changes = Array.from({ length: batchSize }, (): ProgressChange => {
    counter += 1
    return { id: Bun.randomUUIDv7(), videoId: turn(), completed: true, at: new Date().toISOString(), counter }
  })
  return JSON.stringify({ deviceId: 'bench', changes } satisfies SyncRequest)
}

const post = ({ cookie }: House, init: { body?: string }) => ({
  ...init,
  method: 'POST',
  headers: { cookie, 'content-type': 'application/json' },
})
