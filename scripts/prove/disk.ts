import { cpSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { videoFileOf } from '#api/testing/media.ts'
import { chunkType, offsetHeader } from '#shared/contract/upload-piece.ts'
import { addMembers, beside, type Member, ownerCookie } from '../bench/fixture.ts'
import { faultsOfDatabase } from './attempt.ts'
import { announce } from './doors-owner.ts'
import { visibleVideos } from './doors-site.ts'
import type { Proof } from './proof.ts'
import { any, openSite, runTerminal, type Site, send } from './site.ts'

const [megabytes, mostTries] = [600, 400]

/** What came of one write. `kept` counts what it left, so that nothing answered is lost. */
type Written = { isDone: boolean; answer: string; isClear: boolean }
type Scene = { site: Site; member: Member; cookie: string; videos: string[] }
/** A request, or words typed on the machine. `table` is where each leaves a row. */
type Kind = { table?: string } & (
  | { request: (scene: Scene) => Promise<Response> }
  | { argv: (scene: Scene) => readonly string[] }
)

/** A real small disk, filled to the last byte: what each kind of write says, and whether it goes on when there’s room again. */
export async function proveFullDisk(proof: Proof): Promise<void> {
  const folder = join(proof.copyDataDir(), '..', 'disk')
  mkdirSync(folder)
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  if (!mounted.success) throw new Error(`A small disk has to be mounted, which needs root: ${mounted.stderr}`)
  try {
    const dataDir = join(folder, 'data')
    cpSync(proof.copyDataDir(), dataDir, { recursive: true })
    // Its log is on the same disk, as it often is.
    const site = await openSite(dataDir)
    try {
      for (const [name, kind] of Object.entries(kinds)) {
        if (proof.state.disk[name] === undefined) await proveKind(proof, name, { site, kind, folder })
        proof.progress('full disk, kinds of write', Object.keys(proof.state.disk).length, Object.keys(kinds).length)
      }
    } finally {
      await site.stop()
    }
  } finally {
    Bun.spawnSync(['umount', '-l', folder])
  }
}

type Trial = { site: Site; kind: Kind; folder: string }

async function proveKind(proof: Proof, name: string, { site, kind, folder }: Trial): Promise<void> {
  const [member] = addMembers(site.dataDir, 1)
  if (member === undefined) return
  const scene = { site, member, cookie: ownerCookie(site.dataDir), videos: visibleVideos(site) }
  const say = (fault: string) => proof.found([`full disk, ${name}: ${fault}`])
  const counted = kind.table === undefined ? 'select 0' : `select count(*) from ${kind.table}`
  const countOf = () => beside(site.dataDir, ({ sqlite }) => Number(sqlite.prepare(counted).pluck().get()))
  const before = countOf()
  const ballast = join(folder, 'ballast')
  fill(folder, ballast)
  let [saved, tried] = [0, 0]
  let refused: Written | null = null
  for (; refused === null && tried < mostTries; tried += 1) {
    const written = await write(scene, kind)
    if (written.isDone) saved += 1
    else refused = written
  }
  if (refused === null) say(`${mostTries} writes were never refused`)
  else if (!refused.isClear) say(`it answered ${refused.answer}`)
  const page = await send(site, '/').catch(() => null)
  if (page?.status !== 200) say(`the front page was ${page?.status ?? `gone (${site.ending()})`} meanwhile`)
  rmSync(ballast)
  if (site.ending() !== null) await site.start()
  if (!(await succeedsSoon(() => write(scene, kind)))) say('it didn’t go on when there was room')
  else saved += 1
  const added = countOf() - before
  if (kind.table !== undefined && added !== saved) say(`${saved} were confirmed and ${added} are there`)
  for (const fault of faultsOfDatabase(site)) say(fault)
  proof.state.disk[name] = { tried, answer: refused?.answer ?? '', saved }
}

function fill(folder: string, ballast: string): void {
  const { bavail, bsize } = statfsSync(folder)
  try {
    writeFileSync(ballast, Buffer.alloc(bavail * bsize))
  } catch (error) {
    // Someone else took a page in between: full is what we want.
    if (!String(error).includes('ENOSPC')) throw error
  }
}

async function succeedsSoon(write: () => Promise<Written>): Promise<boolean> {
  for (const until = Date.now() + 30_000; Date.now() < until; await Bun.sleep(250)) {
    if ((await write()).isDone) return true
  }
  return false
}

/** Clear is: it can’t be saved now, and when to try again. */
async function write(scene: Scene, kind: Kind): Promise<Written> {
  if ('argv' in kind) {
    const { code, err } = await runTerminal(scene.site, kind.argv(scene))
    const [line = ''] = err.trim().split('\n')
    const isClear = code > 0 && line !== '' && !/\bat |SQLITE|Error:|database or disk|disk I\/O/.test(err)
    return { isDone: code === 0, answer: `exit ${code}: ${line}`, isClear }
  }
  const response = await kind.request(scene)
  const text = await response.text()
  const answer = `${response.status} ${/"message":"([^"]*)"/.exec(text)?.[1] ?? text.slice(0, 80)}`
  const saysWhen = response.headers.has('retry-after') || response.status === 413
  return { isDone: response.ok, answer, isClear: [413, 503].includes(response.status) && saysWhen }
}

const long = 'Is there tea? '.repeat(300)
const soon = () => new Date(Date.now() + 86_400_000).toISOString()
const accounts = ['lite', 'standard', 'xl', 'pastdue', 'visitor'].map((name) => `${name}@alliance.test`)

const kinds: Record<string, Kind> = {
  'a form': {
    table: 'contacts',
    request: ({ site }) =>
      send(site, '/api/contact', { json: { name: 'Sam', email: 'sam@example.com', message: long } }),
  },
  'a tick': {
    request: ({ site, videos, member: { cookie } }) =>
      send(site, `/api/video-progress/${any(videos)}/complete`, { method: 'POST', cookie }),
  },
  'a phone’s ticks': {
    request: ({ site, videos, member: { cookie } }) =>
      send(site, '/api/video-progress/sync', { json: syncOf(videos), cookie }),
  },
  'a login': {
    table: 'sessions',
    request: ({ site }) =>
      send(site, '/api/auth/login', { json: { email: any(accounts), password: 'sandbox-password' } }),
  },
  'a webhook': { table: 'provider_events', request: sendWebhook },
  'an upload’s piece': { request: sendPiece },
  'a campaign': {
    table: 'mailings',
    request: ({ site, cookie }) =>
      send(site, '/api/admin/mailings', {
        json: { subject: 'Tea', text: long, purpose: 'service', segment: {} },
        cookie,
      }),
  },
  'an announcement': {
    table: 'announcements',
    request: ({ site, cookie }) =>
      send(site, '/api/admin/announcements', {
        json: { title: 'Tea', text: long.slice(0, 3000), endsAt: soon() },
        cookie,
      }),
  },
  'a backup': { argv: ({ site }) => ['backup', 'create', '--to', join(site.dataDir, 'backups')] },
  'a command': {
    table: 'announcements',
    argv: () => announce({ title: 'Tea', text: long.slice(0, 3000), endsAt: soon() }),
  },
}

function syncOf(videos: readonly string[]) {
  const at = new Date().toISOString()
  const tick = { at, completed: true }
  const changes = videos.map((videoId, counter) => ({ id: Bun.randomUUIDv7(), videoId, counter, ...tick }))
  return { deviceId: 'phone', changes }
}

function sendWebhook({ site }: Scene): Promise<Response> {
  const data = { object: { object: 'product' } }
  const event = { id: `evt_${crypto.randomUUID()}`, object: 'event', type: 'product.updated', data }
  const [body, at] = [JSON.stringify(event), Math.floor(Date.now() / 1000)]
  const hash = new Bun.CryptoHasher('sha256', 'whsec_sandbox').update(`${at}.${body}`).digest('hex')
  const headers = { 'stripe-signature': `t=${at},v1=${hash}` }
  return send(site, '/api/stripe/webhook', { method: 'POST', body, headers })
}

async function sendPiece({ site, cookie }: Scene): Promise<Response> {
  const body = Uint8Array.from(videoFileOf(2_000_000, Math.random()))
  const fingerprint = new Bun.CryptoHasher('sha256').update(body).digest('hex')
  const json = { name: 'film.mp4', bytes: body.length, fingerprint, isPublic: false, replaces: null }
  const begun = await send(site, '/api/admin/media/uploads', { json, cookie })
  if (!begun.ok) return begun
  const { id } = await begun.json()
  const headers = { 'content-type': chunkType, [offsetHeader]: '0' }
  return send(site, `/api/admin/media/uploads/${id}`, { method: 'PATCH', headers, body, cookie })
}
