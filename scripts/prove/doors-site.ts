import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Glob } from 'bun'
import { mediaFile } from '#api/features/media/store-service.ts'
import { videoFileOf } from '#api/testing/media.ts'
import type { ProgressChange } from '#shared/contract/progress.ts'
import { chunkType, offsetHeader } from '#shared/contract/upload-piece.ts'
import { addMembers, beside, type Member, ownerCookie } from '../bench/fixture.ts'
import {
  type Attempt,
  answered,
  answerOf,
  countsThatDiffer,
  type Door,
  type Ledger,
  untilKilled,
  WrongAnswer,
  waiting,
} from './attempt.ts'
import { any, below, type Sent, type Site, send } from './site.ts'

const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

export const apiDoor: Door = {
  promise: 'A form that was answered is there once, with its three emails. One that wasn’t may be sent again.',
  open: async (site) => async () => {
    const ledger: Ledger<string, string> = new Map()
    const post = async (key: string) => {
      ledger.set(key, { item: key, answer: null })
      const json = { name: 'Sam Field', email: `${key}@example.com`, message: key }
      const response = await send(site, '/api/contact', { json, headers: { 'idempotency-key': key } })
      ledger.set(key, { item: key, answer: await answerOf(response, ({ id }) => String(id)) })
    }
    const withinMs = await timesAsLong(() => post(Bun.randomUUIDv7()))
    return {
      withinMs,
      ended: untilKilled(4, () => post(Bun.randomUUIDv7())),
      underWay: () => waiting(ledger).length,
      acknowledged: () => answered(ledger),
      async check() {
        const known = new Map(ledger)
        for (const key of waiting(ledger)) await post(key)
        const keys = [...ledger.keys()]
        const ids = [...known.values()].flatMap(({ answer }) => answer ?? [])
        return beside(site.dataDir, (ctx) => [
          ...countsThatDiffer(ctx, 'select count(*) from contacts where message = wanted.value', keys, 1),
          ...countsThatDiffer(ctx, 'select count(*) from contacts where id = wanted.value', ids, 1),
          ...countsThatDiffer(ctx, `select count(*) from mail_outbox where ${ofContact}`, ids, 3),
        ])
      },
    }
  },
}

/** A busy machine has to get at least some answers before the kill. The first request after a start takes longest. */
async function timesAsLong(work: () => Promise<void>): Promise<number> {
  const from = performance.now()
  await work()
  return 400 + 3 * (performance.now() - from)
}

const ofContact = `cause >= 'contact:' || wanted.value || ':' and cause < 'contact:' || wanted.value || ';'`

type Batch = { member: Member; changes: ProgressChange[] }
const batchSize = 20

export const syncDoor: Door = {
  promise: 'Ticks that were answered are there. The others are sent again, and each counts once.',
  async open(site) {
    const members = addMembers(site.dataDir, 4)
    const phones = { site, members, change: changesOf(visibleVideos(site)), expected: new Map<string, Ticks>() }
    return () => attemptToSync(phones)
  },
}

/** By video, as the last answered or repeated change has it. */
type Ticks = Map<string, boolean>
type Phones = { site: Site; members: Member[]; change: () => ProgressChange; expected: Map<string, Ticks> }

export const visibleVideos = (site: Site): string[] =>
  beside(site.dataDir, ({ sqlite }) =>
    sqlite
      .prepare<[], string>(
        `select v.id from member_videos v join video_tiers t on t.videoId = v.id and t.tierSlug = 'standard' where isPublished = 1`,
      )
      .pluck()
      .all(),
  )

function changesOf(videos: readonly string[]): () => ProgressChange {
  let counter = 0
  return () => {
    counter += 1
    const [id, videoId] = [Bun.randomUUIDv7(), any(videos)]
    return { id, videoId, completed: counter % 3 > 0, at: new Date().toISOString(), counter }
  }
}

async function attemptToSync({ site, members, change, expected }: Phones): Promise<Attempt> {
  const ledger: Ledger<Batch, true> = new Map()
  const post = async (batch: Batch) => {
    const [key, { member, changes }] = [batch.changes[0]?.id ?? '', batch]
    ledger.set(key, { item: batch, answer: null })
    const json = { deviceId: `phone-${member.id}`, changes }
    await answerOf(await send(site, '/api/video-progress/sync', { json, cookie: member.cookie }), checkRejected)
    ledger.set(key, { item: batch, answer: true })
    const ticks = expected.get(member.id) ?? new Map<string, boolean>()
    for (const { videoId, completed } of changes) ticks.set(videoId, completed)
    expected.set(member.id, ticks)
  }
  const batchOf = (member: Member) => ({ member, changes: Array.from({ length: batchSize }, change) })
  const sender = (index: number) => post(batchOf(members[index % members.length] as Member))
  const withinMs = await timesAsLong(() => sender(0))
  return {
    withinMs,
    ended: untilKilled(members.length, sender),
    underWay: () => waiting(ledger).length,
    acknowledged: () => answered(ledger),
    async check() {
      for (const batch of waiting(ledger)) await post(batch)
      const ids = [...ledger.values()].flatMap(({ item }) => item.changes.map(({ id }) => id))
      const once = 'select count(*) from applied_changes where "changeId" = wanted.value'
      const wrong = await Promise.all(members.map((member) => wrongTicks(site, member, expected)))
      return [...beside(site.dataDir, (ctx) => countsThatDiffer(ctx, once, ids, 1)), ...wrong.flat()]
    },
  }
}

function checkRejected({ rejected }: Record<string, unknown>): void {
  if (JSON.stringify(rejected) !== '[]') throw new Error(`Ticks were refused: ${JSON.stringify(rejected)}`)
}

async function wrongTicks(site: Site, member: Member, expected: ReadonlyMap<string, Map<string, boolean>>) {
  const wanted = expected.get(member.id) ?? new Map<string, boolean>()
  const rows: { videoId: string; completed: boolean }[] = await (
    await send(site, '/api/video-progress', { cookie: member.cookie })
  ).json()
  const found = new Map(rows.map(({ videoId, completed }) => [videoId, completed]))
  return [...wanted]
    .filter(([id, completed]) => found.get(id) !== completed)
    .map(([id]) => `the tick of ${id} is wrong`)
}

type VideoFile = { videoFile: Uint8Array<ArrayBuffer>; hash: string; id: string | null; offset: number }
const [videoFileBytes, pieceBytes] = [600_000, 96_000]

export const uploadDoor: Door = {
  promise: 'Every piece that was answered is there. The upload goes on from it, and the file is stored whole and once.',
  open: async (site) => async () => attemptToUpload(site, uploader(site)),
}

/** Like the owners' page: it asks how far the upload has got. */
function uploader(site: Site) {
  const cookie = ownerCookie(site.dataDir)
  const [open, stored] = [new Set<VideoFile>(), [] as string[]]
  const done = { open, stored, pieces: 0 }
  const ask = async (path: string, sent: Sent = {}) =>
    answerOf(await send(site, `/api/admin/media/uploads${path}`, { cookie, ...sent }), (body) => body)
  const begin = ({ hash }: VideoFile) =>
    ask('', { json: { name: 'film.mp4', bytes: videoFileBytes, fingerprint: hash, isPublic: false, replaces: null } })
  async function carryOn(one: VideoFile): Promise<void> {
    const { id, offset } = await (one.id === null ? begin(one) : ask(`/${one.id}`))
    if (Number(offset) < one.offset) throw new WrongAnswer(`${offset} of ${one.offset} bytes are left`)
    one.id = String(id)
    for (one.offset = Number(offset); one.offset < videoFileBytes; done.pieces += 1) {
      const body = one.videoFile.slice(one.offset, one.offset + pieceBytes)
      const headers = { 'content-type': chunkType, [offsetHeader]: String(one.offset) }
      one.offset = Number((await ask(`/${one.id}`, { method: 'PATCH', headers, body })).offset)
    }
    await ask(`/${one.id}/finish`, { method: 'POST' })
    stored.push(one.hash)
    open.delete(one)
  }
  return { done, carryOn }
}

function attemptToUpload(site: Site, { done, carryOn }: ReturnType<typeof uploader>): Attempt {
  const { open, stored } = done
  const uploadOne = () => {
    const videoFile = Uint8Array.from(videoFileOf(videoFileBytes, below(1e9)))
    const one = { videoFile, hash: sha256(videoFile), id: null, offset: 0 }
    open.add(one)
    return carryOn(one)
  }
  return {
    withinMs: 1500,
    ended: untilKilled(3, uploadOne),
    underWay: () => open.size,
    acknowledged: () => done.pieces + stored.length,
    async check() {
      for (const one of [...open]) await carryOn(one)
      const once = 'select count(*) from media where sha256 = wanted.value'
      return [...beside(site.dataDir, (ctx) => countsThatDiffer(ctx, once, stored, 1)), ...faultsOfFiles(site)]
    },
  }
}

/** Each row has its whole file, and each file its row. */
const faultsOfFiles = (site: Site): string[] =>
  beside(site.dataDir, (ctx) => {
    const rows = ctx.sqlite.prepare<[], string>('select sha256 from media').pluck().all()
    const files = [...new Glob('??/*').scanSync(join(site.dataDir, 'media'))]
    const surplus = files.filter((name) => !rows.includes(basename(name)))
    const broken = rows.filter((hash) => sha256(readFileSync(mediaFile(ctx, { sha256: hash }))) !== hash)
    return [...surplus.map((name) => `${name} has no row`), ...broken.map((hash) => `${hash} isn’t whole`)]
  })
