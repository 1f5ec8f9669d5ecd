import { cpSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filmOf } from '#api/testing/media.ts'
import { chunkType, offsetHeader } from '#shared/contract/upload-piece.ts'
import { faultsOfDatabase } from './attempt.ts'
import { visibleVideos } from './doors-site.ts'
import type { Proof } from './proof.ts'
import { addMembers, beside, logInAs, type Member, openSite, ownerEmail, runTerminal, type Site, send } from './site.ts'

const [megabytes, mostTries] = [600, 400]

/** What came of one write. `kept` counts what it left, so that nothing answered is lost. */
type Written = { isDone: boolean; answer: string; isClear: boolean }
type Scene = { site: Site; member: Member; cookie: string; videos: string[] }
type Kind = { write(scene: Scene): Promise<Written>; count?: string }

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
        if (proof.state.full[name] === undefined) await proveKind(proof, name, { site, kind, folder })
        proof.progress('full disk, kinds of write', Object.keys(proof.state.full).length, Object.keys(kinds).length)
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
  const [member] = addMembers(site, 1)
  if (member === undefined) return
  const scene = { site, member, cookie: logInAs(site, ownerEmail), videos: visibleVideos(site) }
  const say = (fault: string) => proof.found([`full disk, ${name}: ${fault}`])
  const countOf = () =>
    beside(site, ({ sqlite }) =>
      Number(
        sqlite
          .prepare(kind.count ?? 'select 0')
          .pluck()
          .get(),
      ),
    )
  const before = countOf()
  const ballast = join(folder, 'ballast')
  fill(folder, ballast)
  let [saved, tried] = [0, 0]
  let refused: Written | null = null
  for (; refused === null && tried < mostTries; tried += 1) {
    const written = await kind.write(scene)
    if (written.isDone) saved += 1
    else refused = written
  }
  if (refused === null) say(`${mostTries} writes were never refused`)
  else if (!refused.isClear) say(`it answered ${refused.answer}`)
  const page = await send(site, '/').catch(() => null)
  if (page?.status !== 200) say(`the front page was ${page?.status ?? `gone (${site.ending()})`} meanwhile`)
  rmSync(ballast)
  if (site.ending() !== null) await site.start()
  if (!(await succeedsSoon(() => kind.write(scene)))) say('it didn’t go on when there was room')
  else saved += 1
  const added = countOf() - before
  if (kind.count !== undefined && added !== saved) say(`${saved} were confirmed and ${added} are there`)
  for (const fault of faultsOfDatabase(site)) say(fault)
  proof.state.full[name] = { tried, answer: refused?.answer ?? '', saved }
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
async function writtenBy(response: Response): Promise<Written> {
  const text = await response.text()
  const answer = `${response.status} ${/"message":"([^"]*)"/.exec(text)?.[1] ?? text.slice(0, 80)}`
  const saysWhen = response.headers.has('retry-after') || response.status === 413
  return { isDone: response.ok, answer, isClear: [413, 503].includes(response.status) && saysWhen }
}

const posted = async ({ site }: Scene, path: string, sent: Parameters<typeof send>[2]) =>
  writtenBy(await send(site, path, { method: 'POST', ...sent }))

async function typed({ site }: Scene, argv: readonly string[]): Promise<Written> {
  const { code, err } = await runTerminal(site, argv)
  const [line = ''] = err.trim().split('\n')
  return {
    isDone: code === 0,
    answer: `exit ${code}: ${line}`,
    isClear: code > 0 && line !== '' && !/\bat |SQLITE|Error:|database or disk|disk I\/O/.test(err),
  }
}

const any = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)]
const long = 'Is there tea? '.repeat(300)
const soon = () => new Date(Date.now() + 86_400_000).toISOString()

const kinds: Record<string, Kind> = {
  'a form': {
    write: (scene) => posted(scene, '/api/contact', { json: { name: 'Sam', email: 'sam@example.com', message: long } }),
    count: 'select count(*) from contacts',
  },
  'a tick': {
    write: (scene) =>
      posted(scene, `/api/video-progress/${any(scene.videos)}/complete`, { cookie: scene.member.cookie }),
  },
  'a phone’s ticks': {
    async write(scene) {
      const at = new Date().toISOString()
      const changes = scene.videos.map((videoId, counter) => ({
        id: Bun.randomUUIDv7(),
        videoId,
        counter,
        at,
        completed: true,
      }))
      return posted(scene, '/api/video-progress/sync', {
        json: { deviceId: 'phone', changes },
        cookie: scene.member.cookie,
      })
    },
  },
  'a login': {
    write: (scene) =>
      posted(scene, '/api/auth/login', { json: { email: any(accounts), password: 'sandbox-password' } }),
    count: 'select count(*) from sessions',
  },
  'a webhook': {
    async write(scene) {
      const body = JSON.stringify({
        id: `evt_${crypto.randomUUID()}`,
        object: 'event',
        type: 'product.updated',
        data: { object: { object: 'product' } },
      })
      const at = Math.floor(Date.now() / 1000)
      const hash = new Bun.CryptoHasher('sha256', 'whsec_sandbox').update(`${at}.${body}`).digest('hex')
      return posted(scene, '/api/stripe/webhook', { body, headers: { 'stripe-signature': `t=${at},v1=${hash}` } })
    },
    count: 'select count(*) from provider_events',
  },
  'an upload’s piece': {
    async write(scene) {
      const film = Uint8Array.from(filmOf(2_000_000, Math.random()))
      const fingerprint = new Bun.CryptoHasher('sha256').update(film).digest('hex')
      const json = { name: 'film.mp4', bytes: film.length, fingerprint, isPublic: false, replaces: null }
      const begun = await send(scene.site, '/api/admin/media/uploads', { json, cookie: scene.cookie })
      if (!begun.ok) return writtenBy(begun)
      const { id } = await begun.json()
      const headers = { 'content-type': chunkType, [offsetHeader]: '0' }
      const sent = await send(scene.site, `/api/admin/media/uploads/${id}`, {
        method: 'PATCH',
        headers,
        body: film,
        cookie: scene.cookie,
      })
      return writtenBy(sent)
    },
  },
  'a campaign': {
    write: (scene) =>
      posted(scene, '/api/admin/mailings', {
        json: { subject: 'Tea', text: long, purpose: 'service', segment: {} },
        cookie: scene.cookie,
      }),
    count: 'select count(*) from mailings',
  },
  'an announcement': {
    write: (scene) =>
      posted(scene, '/api/admin/announcements', {
        json: { title: 'Tea', text: long.slice(0, 3000), endsAt: soon() },
        cookie: scene.cookie,
      }),
    count: 'select count(*) from announcements',
  },
  'a backup': { write: (scene) => typed(scene, ['backup', 'create', '--to', join(scene.site.dataDir, 'backups')]) },
  'a command': {
    write: (scene) =>
      typed(scene, ['announcements', 'add', 'Tea', long.slice(0, 3000), '--until', soon().slice(0, 10)]),
    count: 'select count(*) from announcements',
  },
}

const accounts = ['lite', 'standard', 'xl', 'pastdue', 'visitor'].map((name) => `${name}@alliance.test`)
