import * as v from 'valibot'
import { answerVoiceCache, ownerDraftKeys, recordingOf } from '#pwa/lib/owner-work.ts'
import { deviceStorage } from '#pwa/lib/storage.ts'
import { deleteParcel, putParcel, readParcel } from './parcel.ts'
import type { Sealer } from './seal.ts'

// As with a member's questions: a login that's ended from elsewhere leaves nobody to ask, so what an owner hasn't saved is sealed
// until they log in again.

const Head = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    drafts: v.array(v.tuple([v.string(), v.string()])),
    voices: v.array(
      v.object({ path: v.string(), headers: v.array(v.tuple([v.string(), v.string()])), bytes: v.number() }),
    ),
  }),
)
type Head = v.InferOutput<typeof Head>

const nameOf = (memberId: string) => `${memberId} owner's work`

export async function sealOwnerWork(sealer: Sealer, memberId: string): Promise<void> {
  const { subtle } = sealer.platform
  if (subtle === null) return
  const drafts = ownerDraftKeys().flatMap((key): Head['drafts'] => {
    const value = deviceStorage.getItem(key)
    return value === null ? [] : [[key, value]]
  })
  const spoken = await readVoices()
  if (drafts.length + spoken.length === 0) return
  // An earlier one that hasn't been put back yet: what's here now is newer, as the same person wrote it.
  const opener = { ...sealer, subtle }
  const earlier = await readOwnerWork(opener, memberId)
  const keys = new Set(drafts.map(([key]) => key))
  const answered = new Set(spoken.map(recordingOfVoice))
  const kept = earlier.voices.filter((voice) => !answered.has(recordingOfVoice(voice)))
  const head: Head = {
    drafts: [...earlier.drafts.filter(([key]) => !keys.has(key)), ...drafts],
    voices: [...kept, ...spoken].map(({ path, headers, body }) => ({ path, headers, bytes: body.byteLength })),
  }
  const bytes = [...kept, ...spoken].map(({ body }) => body)
  await putParcel(opener, nameOf(memberId), JSON.stringify(head), bytes)
}

/** What's been typed or said since stays. */
export async function restoreOwnerWork(sealer: Sealer, memberId: string): Promise<void> {
  const { subtle } = sealer.platform
  if (subtle === null) return
  const opener = { ...sealer, subtle }
  const { drafts, voices } = await readOwnerWork(opener, memberId)
  for (const [key, value] of drafts) if (deviceStorage.getItem(key) === null) deviceStorage.setItem(key, value)
  if (voices.length > 0 && 'caches' in globalThis) await enterVoices(voices)
  await deleteParcel(opener, nameOf(memberId))
}

type Voice = { path: string; headers: [string, string][]; body: ArrayBuffer }

async function enterVoices(voices: readonly Voice[]): Promise<void> {
  const cache = await caches.open(answerVoiceCache)
  // What an interrupted restore has put back already is the same, second by second.
  const nameOfPart = ({ path, headers }: Voice) => JSON.stringify([path, headers])
  const ours = new Set(voices.map(nameOfPart))
  const begun = new Set((await readVoices()).filter((one) => !ours.has(nameOfPart(one))).map(recordingOfVoice))
  for (const voice of voices)
    if (!begun.has(recordingOfVoice(voice)))
      await cache.put(requestOf(voice), new Response(voice.body, { headers: voice.headers }))
}

const requestOf = ({ path }: Voice) => new Request(new URL(path, globalThis.location.origin))
const recordingOfVoice = (voice: Voice) => recordingOf(requestOf(voice))

async function readVoices(): Promise<Voice[]> {
  if (!('caches' in globalThis) || !(await caches.has(answerVoiceCache))) return []
  const cache = await caches.open(answerVoiceCache)
  const voices: Voice[] = []
  for (const request of await cache.keys()) {
    const kept = await cache.match(request)
    if (kept === undefined) continue
    voices.push({
      path: new URL(request.url).pathname,
      headers: [...kept.headers],
      body: await kept.arrayBuffer(),
    })
  }
  return voices
}

async function readOwnerWork(opener: Sealer & { subtle: SubtleCrypto }, memberId: string) {
  const parcel = await readParcel(opener, nameOf(memberId))
  const head = v.safeParse(Head, parcel?.text)
  if (parcel === null || !head.success) return { drafts: [], voices: [] }
  let at = 0
  const voices = head.output.voices.map(({ path, headers, bytes }): Voice => {
    at += bytes
    return { path, headers, body: parcel.bytes.slice(at - bytes, at) }
  })
  return { drafts: head.output.drafts, voices }
}
