import { answerVoiceCache, answerVoiceRoot, recordingOf, recordingsHere, voiceDraftOf } from '#pwa/lib/owner-work.ts'
import type { VoiceKeeper, VoiceNote } from '#pwa/lib/voice/recording.ts'
import { dayMs } from '#shared/rules/durations.ts'

/* A coach's voice notes, on this device until the server has all of them: in seconds until the answer goes, whole after that. */

const lengthHeader = 'x-ms'
const startedHeader = 'x-started'
const lifetimeMs = 30 * dayMs

const addressOf = (recording: string, part: string) => `${answerVoiceRoot}/${recording}/${part}`
const pathOf = (request: Request) => new URL(request.url).pathname
const openKept = () => caches.open(answerVoiceCache)
const isHere = () => 'caches' in globalThis

/** Where the recorder keeps what’s said while it’s being said. */
export const answerVoiceKeeper = (questionId: string): VoiceKeeper => ({
  begin: async (type) => {
    if (!isHere()) throw new Error('This browser keeps nothing.')
    await removeOld()
    await discardDraft(questionId)
    const cache = await openKept()
    let count = 0
    return {
      add: (chunk, ms) => {
        count += 1
        const headers = { 'content-type': type, [lengthHeader]: String(ms), [startedHeader]: String(Date.now()) }
        return cache.put(secondAddress(questionId, count), new Response(chunk, { headers }))
      },
      finish: () => Promise.resolve(),
      discard: () => discardDraft(questionId),
    }
  },
  discard: () => discardDraft(questionId),
})

/** So that the seconds sort by their names. */
const secondAddress = (questionId: string, count: number) =>
  addressOf(voiceDraftOf(questionId), String(count).padStart(4, '0'))

/** What isn’t sent with an answer yet. Null if there’s none. */
export async function readDraftVoice(questionId: string): Promise<VoiceNote | null> {
  if (!isHere()) return null
  const cache = await openKept()
  const seconds = await keptOf(cache, voiceDraftOf(questionId))
  seconds.sort((one, other) => pathOf(one).localeCompare(pathOf(other)))
  const responses = (await Promise.all(seconds.map((request) => cache.match(request)))).filter(
    (one) => one !== undefined,
  )
  const last = responses.at(-1)
  if (last === undefined) return null
  const type = last.headers.get('content-type') ?? ''
  const blob = new Blob(await Promise.all(responses.map((response) => response.blob())), { type })
  return { blob, ms: Number(last.headers.get(lengthHeader)) }
}

/** Its answer is at the server, which knows it by this id. */
export type VoiceToSend = { questionId: string; fileId: string; blob: Blob }

const wholePart = 'whole'
const nameOf = ({ questionId, fileId }: VoiceToSend) => `${questionId}/${fileId}`

/** From here on, what’s recorded next to this question leaves it alone. */
export async function keepToSend(note: VoiceToSend): Promise<void> {
  if (!isHere()) return
  await (await openKept()).put(addressOf(nameOf(note), wholePart), new Response(note.blob))
  await discardDraft(note.questionId)
}

export async function readToSend(): Promise<VoiceToSend[]> {
  const found: VoiceToSend[] = []
  for (const recording of await recordingsHere()) {
    const whole = await (await openKept()).match(addressOf(recording, wholePart))
    const [questionId = '', fileId = ''] = recording.split('/')
    if (whole) found.push({ questionId, fileId, blob: await whole.blob() })
  }
  return found
}

export const discardToSend = (note: VoiceToSend): Promise<void> => discard(nameOf(note))

const discardDraft = (questionId: string) => discard(voiceDraftOf(questionId))

async function discard(recording: string): Promise<void> {
  if (!isHere()) return
  const cache = await openKept()
  for (const request of await keptOf(cache, recording)) await cache.delete(request)
}

const keptOf = async (cache: Cache, recording: string) =>
  (await cache.keys()).filter((request) => recordingOf(request) === recording)

/** What’s to be sent stays. */
async function removeOld(): Promise<void> {
  const cache = await openKept()
  for (const request of await cache.keys()) {
    const started = Number((await cache.match(request))?.headers.get(startedHeader) ?? Date.now())
    if (Date.now() - started > lifetimeMs) await cache.delete(request)
  }
}
