import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import sharp from 'sharp'
import { draw } from '#api/pictures/drawing.ts'
import { webmOf } from '#api/testing/question-files.ts'
import { type Asked, type AskingStory, askThroughFaults, createDice } from '#pwa/sync/testing/asking-phone.ts'
import { photoSide } from '#shared/contract/questions.ts'
import { addMembers, beside, type Member } from '../bench/fixture.ts'
import { faultsOfDatabase } from './attempt.ts'
import { visibleVideos } from './doors-site.ts'
import type { Proof } from './proof.ts'
import { below, openSite, type Site, send } from './site.ts'

export const askingMembers = 60
const membersAFolder = 12

/** Members ask without signal, and everything fails that can while it's sent. */
export async function proveQuestions(proof: Proof, count: number): Promise<void> {
  const { questions: done } = proof.state
  if (done.members >= askingMembers) return
  const photos = await makePhotos()
  while (done.members < askingMembers) {
    const site = await openSite(proof.copyDataDir())
    try {
      await askInOneFolder(proof, site, { photos, count })
      proof.progress('members who asked', done.members, askingMembers)
    } finally {
      await site.kill()
      rmSync(site.dataDir, { recursive: true })
    }
  }
}

/** As sent, and what the server's decoder makes of it. */
type Photo = { sent: Blob; served: string }

const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

/** Noise, so that each has some pieces. On its side, as phones hold them. */
const makePhotos = (): Promise<Photo[]> =>
  Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const [width, height] = [160 + 8 * index, 240 + 8 * index]
      const noise = sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
      const sent = new Uint8Array(await noise.jpeg({ quality: 60 }).withMetadata({ orientation: 6 }).toBuffer())
      const served = sha256(await draw(sent, { as: 'photo', side: photoSide }))
      return { sent: new Blob([sent], { type: 'image/jpeg' }), served }
    }),
  )

type Wanted = { photos: readonly Photo[]; count: number }
/** By the text of a question: what's served of its files, in their order. */
type Expected = Map<string, string[]>

async function askInOneFolder({ state, found }: Proof, site: Site, wanted: Wanted): Promise<void> {
  const { questions: done } = state
  const members = addMembers(site.dataDir, Math.min(membersAFolder, askingMembers - done.members))
  const [videoIds, expected, killer]: [string[], Expected, Killer] = [visibleVideos(site), new Map(), killOften(site)]
  const askAs = async (member: Member, index: number) => {
    const [place, line] = [done.members + index, lineTo(site, killer)]
    const asked = questionsOf(place, wanted, expected)
    return { member, story: await askThroughFaults({ ...line, member, asked, videoIds, dice: createDice(place + 1) }) }
  }
  const told = await Promise.all(members.map(askAs)).finally(killer.end)
  const files = await filesRead(site)
  found([
    ...told.flatMap(({ story }) => story.wrong),
    ...told.flatMap(({ member, story }) => missingTicks(site, member, story)),
    ...told.flatMap(({ story: { longestWait: pieces } }) => (pieces > 1 ? [`a tick waited for ${pieces} pieces`] : [])),
    ...files,
    ...wrongQuestions(site, members, expected),
    ...faultsOfDatabase(site),
  ])
  done.members += members.length
  done.asked += expected.size
  done.files += [...expected.values()].flat().length
  done.serverKills += killer.count()
  for (const { story } of told) {
    for (const name of ['pieces', 'cut', 'disturbed', 'killed'] as const) done[name] += story[name]
    done.longestWait = Math.max(done.longestWait, story.longestWait)
  }
}

/** Some with a second photo, most with a voice note, each of another length. */
function questionsOf(place: number, { photos, count }: Wanted, expected: Expected): Asked[] {
  const numbers = Array.from({ length: count }, (_, index) => index).filter((index) => index % askingMembers === place)
  return numbers.map((index) => {
    const text = `Question ${index}`
    const own = Array.from({ length: 1 + (index % 2) }, (_, at) => photos[(index + 7 * at) % photos.length] as Photo)
    const voice = index % 4 === 0 ? null : new Uint8Array(webmOf(20 + 0.08 * index))
    expected.set(text, [...own.map(({ served }) => served), ...(voice ? [sha256(voice)] : [])])
    return { text, photos: own.map(({ sent }) => sent), voice }
  })
}

type Killer = { isUp: () => Promise<void>; count: () => number; end: () => Promise<void> }

/** At random moments, again and again. */
function killOften(site: Site): Killer {
  let [kills, isOver, up] = [0, false, Promise.resolve()]
  const work = (async () => {
    for (;;) {
      await Bun.sleep(500 + below(6_000))
      if (isOver) return
      await site.kill()
      kills += 1
      up = site.start()
      await up
    }
  })()
  return {
    isUp: () => up,
    count: () => kills,
    end: () => {
      isOver = true
      return work
    },
  }
}

/** What's lost is told once the server is back: a phone that tries again straight away would only spin. */
function lineTo(site: Site, { isUp }: Killer) {
  let ahead = 0
  const handle = async (request: Request) => {
    const { pathname, search } = new URL(request.url)
    const body = request.method === 'GET' ? undefined : await request.arrayBuffer()
    try {
      const headers = Object.fromEntries(request.headers)
      const response = await send(site, pathname + search, { method: request.method, headers, body })
      return new Response(response.status === 204 ? null : await response.arrayBuffer(), response)
    } catch (error) {
      await isUp()
      throw error
    }
  }
  const forward = (ms: number) => {
    ahead += ms
  }
  const world = { ctx: { now: () => new Date(Date.now() + ahead) }, handle, forward }
  return { world, cut: (path: string, init: RequestInit, cookie: string) => sendHalf(site, path, { ...init, cookie }) }
}

/** The piece's length is announced, and the line is gone after half of it. */
async function sendHalf(site: Site, path: string, { headers, body, cookie }: RequestInit & { cookie: string }) {
  const piece = new Uint8Array(await new Response(body ?? null).arrayBuffer())
  const { hostname, port, host } = new URL(site.url)
  const sent = new Headers(headers)
  sent.set('host', host)
  sent.set('cookie', cookie)
  sent.set('content-length', String(piece.length))
  const lines = [`PATCH ${path} HTTP/1.1`, ...[...sent].map(([name, value]) => `${name}: ${value}`), '', '']
  const socket = connect(Number(port), hostname)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => socket.destroy())
  socket.once('connect', () => {
    socket.write(lines.join('\r\n'))
    socket.write(piece.subarray(0, piece.length / 2), () => socket.destroy())
  })
  await closed
}

const patienceMs = 180_000

/** What a killed server left unread is read by its job. */
async function filesRead(site: Site): Promise<string[]> {
  const unread = () =>
    beside(site.dataDir, ({ sqlite }) =>
      Number(
        sqlite.prepare(`select count(*) from question_files where readyAt is null and refusal is null`).pluck().get(),
      ),
    )
  for (const until = Date.now() + patienceMs; Date.now() < until; await Bun.sleep(500)) if (unread() === 0) return []
  return [`${unread()} files aren’t read`]
}

const missingTicks = (site: Site, { id }: Member, { ticked }: AskingStory): string[] =>
  beside(site.dataDir, ({ sqlite }) => {
    const stored = sqlite
      .prepare<[string], string>('select videoId from video_progress where userId = ? and completed = 1')
      .pluck()
      .all(id)
    return [...ticked].filter((videoId) => !stored.includes(videoId)).map((videoId) => `the tick of ${videoId} is gone`)
  })

type Row = { id: string; text: string; refusal: string | null; content: Uint8Array | null }

/** Each question is there once, with what's served of each of its files. */
const wrongQuestions = (site: Site, members: readonly Member[], expected: Expected): string[] =>
  beside(site.dataDir, ({ sqlite }) => {
    const rows = sqlite
      .prepare<[string], Row>(
        `select q.id, m.text, f.refusal, c.content from questions q join question_messages m on m.questionId = q.id
          left join question_files f on f.messageId = m.id
          left join question_file_contents c on c.fileId = f.id and c.form = 'served'
          where q.userId in (select value from json_each(?)) order by m.text, f.position`,
      )
      .all(JSON.stringify(members.map(({ id }) => id)))
    const found = Map.groupBy(rows, ({ text }) => text)
    const strays = [...found.keys()].filter((text) => !expected.has(text)).map((text) => `nobody asked ${text}`)
    const wrong = [...expected].flatMap(([text, files]) => {
      const of = found.get(text) ?? []
      const times = new Set(of.map(({ id }) => id)).size
      const served = of.map(({ content, refusal }) => (content ? sha256(content) : (refusal ?? 'nothing')))
      if (times !== 1) return [`${text} is there ${times} times`]
      return JSON.stringify(served) === JSON.stringify(files) ? [] : [`${text} has other files: ${served.join(', ')}`]
    })
    return [...strays, ...wrong]
  })
