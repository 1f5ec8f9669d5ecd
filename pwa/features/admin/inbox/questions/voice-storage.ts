import { answerVoiceCache, answerVoiceRoot } from '#pwa/lib/owner-work.ts'
import type { VoiceKeeper, VoiceNote } from '#pwa/lib/voice/recording.ts'
import { dayMs } from '#shared/rules/durations.ts'

/* A coach's voice note, on this device until the server has all of it. One second is one response of its cache. */

const lengthHeader = 'x-ms'
const startedHeader = 'x-started'
const lifetimeMs = 30 * dayMs

const folderOf = (questionId: string) => `${answerVoiceRoot}/${questionId}/`
const pathOf = (request: Request) => new URL(request.url).pathname
const openKept = () => caches.open(answerVoiceCache)
const isHere = () => 'caches' in globalThis

/** `sentAs`: its id at the server, once the answer it belongs to is there. */
export type KeptVoice = VoiceNote & { sentAs: string | null }

/** Where the recorder keeps what’s said while it’s being said. */
export const answerVoiceKeeper = (questionId: string): VoiceKeeper => ({
  begin: async (type) => {
    if (!isHere()) throw new Error('This browser keeps nothing.')
    await removeOld()
    await discardVoice(questionId)
    const cache = await openKept()
    let count = 0
    return {
      add: (chunk, ms) => {
        count += 1
        const headers = { 'content-type': type, [lengthHeader]: String(ms), [startedHeader]: String(Date.now()) }
        return cache.put(partAddress(questionId, count), new Response(chunk, { headers }))
      },
      finish: () => Promise.resolve(),
      discard: () => discardVoice(questionId),
    }
  },
  discard: () => discardVoice(questionId),
})

/** So that the parts sort by their names. */
const partAddress = (questionId: string, count: number) => `${folderOf(questionId)}${String(count).padStart(4, '0')}`

const markAddress = (questionId: string) => `${folderOf(questionId)}sent-as`

/** Null if there’s none. */
export async function readVoice(questionId: string): Promise<KeptVoice | null> {
  if (!isHere()) return null
  const cache = await openKept()
  const parts = (await keptOf(cache, questionId)).filter((request) => !pathOf(request).endsWith('/sent-as'))
  parts.sort((one, other) => pathOf(one).localeCompare(pathOf(other)))
  const responses = (await Promise.all(parts.map((request) => cache.match(request)))).filter((one) => one !== undefined)
  const last = responses.at(-1)
  if (last === undefined) return null
  const type = last.headers.get('content-type') ?? ''
  const ms = Number(last.headers.get(lengthHeader))
  const mark = await cache.match(markAddress(questionId))
  const blob = new Blob(await Promise.all(responses.map((response) => response.blob())), { type })
  return { blob, ms, sentAs: mark ? await mark.text() : null }
}

/** After this it’s only here until its pieces are sent. */
export async function markVoice(questionId: string, fileId: string): Promise<void> {
  if (!isHere()) return
  await (await openKept()).put(markAddress(questionId), new Response(fileId))
}

export async function discardVoice(questionId: string): Promise<void> {
  if (!isHere()) return
  const cache = await openKept()
  for (const request of await keptOf(cache, questionId)) await cache.delete(request)
}

const keptOf = async (cache: Cache, questionId: string) =>
  (await cache.keys()).filter((request) => pathOf(request).startsWith(folderOf(questionId)))

async function removeOld(): Promise<void> {
  const cache = await openKept()
  for (const request of await cache.keys()) {
    const started = Number((await cache.match(request))?.headers.get(startedHeader) ?? Date.now())
    if (Date.now() - started > lifetimeMs) await cache.delete(request)
  }
}
