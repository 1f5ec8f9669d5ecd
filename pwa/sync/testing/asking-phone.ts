import { createKillable } from './killable.ts'
import type { Delivery } from './network.ts'
import { createPhone, type Phone, type PhoneWorld } from './phone.ts'
import { chunksOf, withQuestions, write } from './questions.ts'

export type Dice = (sides: number) => number

/** Always the same sequence, so that a failure can be looked at again. */
export function createDice(seed: number): Dice {
  let state = seed
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * sides)
  }
}

export type Asked = { text: string; photos: Blob[]; voice: Uint8Array | null }

export type Asker = {
  world: PhoneWorld
  member: { id: string; cookie: string }
  asked: readonly Asked[]
  videoIds: readonly string[]
  dice: Dice
  /** Takes half a piece to the server, and then the line is gone. */
  cut(path: string, init: RequestInit, cookie: string): Promise<unknown>
}

/** What came of it. `longestWait`: how many pieces went while a tick waited, at most. `wrong`: in words; empty is what we want. */
export type AskingStory = Record<'pieces' | 'cut' | 'disturbed' | 'killed' | 'longestWait', number> & {
  ticked: Set<string>
  wrong: string[]
}

const faults: readonly Delivery[] = ['lose-response', 'lose-request', 'twice', 'delay']

/** After so many the line is mended, and the rest goes. */
const mostLives = 60

/** Asks all of it without signal. Then the tabs that send it are killed, their requests lost, and their pieces cut, until all is sent. */
export async function askThroughFaults(asker: Asker): Promise<AskingStory> {
  const { world, member, asked } = asker
  const phone = createPhone(world)
  phone.cookie = member.cookie
  await askWithoutSignal(phone, member.id, asked)
  const { story, tick, mend } = disturb(phone, asker)
  for (let life = 0; life < mostLives && !(await live(phone, asker, { story, tick })); life += 1) phone.wait(400_000)
  await mend()
  const last = withQuestions(await phone.openTab(member.id))
  let tries = 0
  while ((await last.questions.syncNow()) !== 'done' && tries++ < 1_000) phone.wait(400_000)
  await last.engine.syncNow()
  const unsent = await last.questions.readUnsent()
  story.wrong.push(...unsent.map(({ kind, name }) => `${name || 'a question'} is still a ${kind} on its phone`))
  last.close()
  story.wrong.push(...phone.faults.map((fault) => `the phone reports: ${fault}`))
  return story
}

async function askWithoutSignal(phone: Phone, memberId: string, asked: readonly Asked[]): Promise<void> {
  phone.isOnline = false
  const tab = withQuestions(await phone.openTab(memberId))
  for (const { text, photos, voice } of asked) {
    await write(tab, text, { text, photos, voice: voice ? chunksOf(voice, 16_000) : [] })
    const outcome = await tab.questions.ask(text)
    if (outcome.kind !== 'kept') throw new Error(`${text} wasn’t kept: ${JSON.stringify(outcome)}`)
  }
  tab.close()
  phone.isOnline = true
}

/** Every tenth piece is cut, and of all requests a sixth is lost, repeated or late. */
function disturb(phone: Phone, { cut, dice, member }: Asker) {
  const story: AskingStory = {
    pieces: 0,
    cut: 0,
    disturbed: 0,
    killed: 0,
    longestWait: 0,
    ticked: new Set(),
    wrong: [],
  }
  const { fetch } = phone.network
  let piecesSinceTick: number | null = null
  phone.platform.fetch = async (path, init) => {
    if (path === '/api/video-progress/sync') piecesSinceTick = null
    if (init.method === 'PATCH') {
      story.pieces += 1
      if (piecesSinceTick !== null) piecesSinceTick += 1
      story.longestWait = Math.max(story.longestWait, piecesSinceTick ?? 0)
      if (story.pieces % 10 === 0) {
        story.cut += 1
        await cut(path, init, member.cookie)
        throw new TypeError('Failed to fetch')
      }
    }
    if (dice(6) === 0) {
      story.disturbed += 1
      phone.network.next(faults[dice(faults.length)] ?? 'deliver')
    }
    return fetch(path, init)
  }
  return {
    story,
    tick: async (videoId: string, written: Promise<void>) => {
      await written
      story.ticked.add(videoId)
      piecesSinceTick ??= 0
    },
    /** What was late comes now. */
    mend: async () => {
      phone.platform.fetch = fetch
      for (const deliver of phone.network.delayed.splice(0)) await deliver().catch(() => {})
    },
  }
}

type Disturbed = Pick<ReturnType<typeof disturb>, 'story' | 'tick'>

/** One tab, often beside a second, until it's killed or has failed a few times. Whether all was sent. */
async function live(phone: Phone, { member, videoIds, dice }: Asker, { story, tick }: Disturbed): Promise<boolean> {
  const killable = createKillable(phone.platform, phone.idb)
  const tab = withQuestions(await phone.openTab(member.id, killable.platform))
  const other = dice(2) === 0 ? withQuestions(await phone.openTab(member.id)) : null
  killable.killAfter(40 + dice(200))
  const work = async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const videoId = videoIds[dice(videoIds.length)] ?? ''
      const ticked = tick(videoId, tab.tick(videoId, true))
      const [outcome] = await Promise.all([tab.questions.syncNow(), other?.questions.syncNow(), ticked])
      if (outcome === 'done') return 'done'
    }
    return 'left'
  }
  const end = await Promise.race([work().catch(() => 'left'), killable.gone.then(() => 'killed')])
  if (end === 'killed') story.killed += 1
  killable.kill()
  phone.freeLocks()
  other?.close()
  return end === 'done'
}
