import { rmSync, statSync } from 'node:fs'
import { databaseFile } from '#api/db/data-dir.ts'
import { quantile } from '../bench/figures.ts'
import { addMembers, type Member, ownerCookie } from '../bench/fixture.ts'
import { memoryMb } from '../bench/programs.ts'
import { visibleVideos } from './doors-site.ts'
import type { Proof } from './proof.ts'
import { any, openSite, type Site, send } from './site.ts'

type Load = { site: Site; members: Member[]; videos: string[]; owner: string; heard: number[]; failed: number }
type Kind = { share: number; send(load: Load): Promise<Response> }

const pages = ['/', '/about', '/coaching', '/membership-tiers', '/blog', '/podcast', '/contact', '/health']

/** What a morning looks like: mostly pages and lists, then ticks and phones that sync. Shares are per cent. */
const mix: Record<string, Kind> = {
  'public pages': { share: 35, send: ({ site }) => send(site, any(pages), { headers: { 'accept-encoding': 'br' } }) },
  'lists of videos': { share: 20, send: ({ site, members }) => send(site, '/api/member-videos', any(members)) },
  progress: { share: 15, send: ({ site, members }) => send(site, '/api/video-progress', any(members)) },
  ticks: {
    share: 17,
    send: ({ site, members, videos }) =>
      send(site, `/api/video-progress/${any(videos)}/${any(['complete', 'incomplete'])}`, {
        ...any(members),
        method: 'POST',
      }),
  },
  syncs: { share: 10, send: (load) => sync(load, any(load.members)) },
  'owners’ lists': {
    share: 3,
    send: ({ site, owner }) => send(site, any(['/api/admin/members', '/api/admin/mrr']), { cookie: owner }),
  },
}

const mixText = Object.entries(mix)
  .map(([name, { share }]) => `${share}% ${name}`)
  .join(', ')

function sync({ site, videos }: Load, { id, cookie }: Member): Promise<Response> {
  const at = new Date().toISOString()
  const changes = Array.from({ length: 5 }, (_, counter) => ({
    id: Bun.randomUUIDv7(),
    videoId: any(videos),
    counter,
    at,
    completed: true,
  }))
  return send(site, '/api/video-progress/sync', { json: { deviceId: `phone-${id}`, changes }, cookie })
}

const memberCount = 300

/**
 * Requests come when they come, whether or not the ones before have been answered. Each one’s time counts from when it was due, so a
 * server that’s behind can’t hide it.
 */
export async function proveLoad(proof: Proof, minutes: number, perSecond: number): Promise<void> {
  const { load: done } = proof.state
  Object.assign(done, { mix: mixText, perSecond })
  if (done.minutes.length >= minutes) return
  const site = await openSite(proof.copyDataDir())
  const run = 1 + Math.max(0, ...done.minutes.map((one) => one.run))
  const load = { ...fill(site), heard: [], failed: 0 }
  try {
    while (done.minutes.length < minutes) {
      done.minutes.push({ run, ...(await oneMinute(load, perSecond)) })
      proof.progress('minutes of load', done.minutes.length, minutes)
    }
  } finally {
    await site.stop()
    rmSync(site.dataDir, { recursive: true })
  }
}

function fill(site: Site) {
  const members = addMembers(site.dataDir, memberCount)
  return { site, members, videos: visibleVideos(site), owner: ownerCookie(site.dataDir) }
}

async function oneMinute(load: Load, perSecond: number) {
  const [count, from] = [60 * perSecond, performance.now()]
  Object.assign(load, { heard: [], failed: 0 })
  const underWay: Promise<void>[] = []
  let [memory, log] = [0, 0]
  for (let sent = 0; sent < count; sent += 1) {
    const due = from + (1000 * sent) / perSecond
    if (due > performance.now()) await Bun.sleep(due - performance.now())
    underWay.push(sendOne(load, drawn(), due))
    if (sent % perSecond > 0) continue
    memory = Math.max(memory, memoryMb(load.site.pid()))
    log = Math.max(
      log,
      (statSync(`${databaseFile(load.site.dataDir)}-wal`, { throwIfNoEntry: false })?.size ?? 0) / 1e6,
    )
  }
  await Promise.all(underWay)
  const { heard, failed } = load
  return {
    sent: count,
    failed,
    memory,
    log,
    p50: quantile(heard, 0.5),
    p99: quantile(heard, 0.99),
    slowest: Math.max(...heard),
  }
}

async function sendOne(load: Load, kind: Kind, due: number): Promise<void> {
  try {
    const response = await kind.send(load)
    await response.arrayBuffer()
    if (!response.ok) load.failed += 1
  } catch {
    load.failed += 1
  }
  load.heard.push(performance.now() - due)
}

function drawn(): Kind {
  return any(Object.values(mix).flatMap((kind) => Array.from({ length: kind.share }, () => kind)))
}
