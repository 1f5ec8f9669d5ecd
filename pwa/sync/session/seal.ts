import * as v from 'valibot'
import type { Platform } from '#pwa/sync/platform.ts'
import { showOne } from '#pwa/sync/progress/progress-rows.ts'
import { type MemberStore, unanswered } from '#pwa/sync/progress/store.ts'
import type { DeviceStore, SealedRow } from './device-store.ts'

/** All that is kept of somebody who has left: ids, stamps and booleans. */
const Parcel = v.object({
  deviceId: v.string(),
  at: v.number(),
  counter: v.number(),
  ticks: v.array(
    v.object({ id: v.string(), videoId: v.string(), completed: v.boolean(), at: v.number(), counter: v.number() }),
  ),
})
type Parcel = v.InferOutput<typeof Parcel>

export type Sealer = { device: DeviceStore; platform: Platform }

/**
 * Closes a store for writing and seals what it still has to send. May run again after a crash at any point: a store that
 * was wiped already has no clock, and leaves the parcel of the earlier run as it is. Without WebCrypto nothing may be
 * kept, and nothing is.
 */
export async function sealStore(sealer: Sealer, store: MemberStore): Promise<void> {
  const { device, platform } = sealer
  // Read at one moment: another tab may be sealing and wiping the same store.
  const left = await store.dexie.transaction('rw', store.meta, store.outbox, async () => {
    await store.meta.put({ key: 'closed' })
    return { clock: await store.meta.get('clock'), waiting: await unanswered(store) }
  })
  const { clock } = left
  if (platform.subtle === null || clock?.key !== 'clock') return
  const parcel: Parcel = {
    deviceId: clock.deviceId,
    at: clock.at,
    counter: clock.counter,
    ticks: left.waiting.map(({ id, videoId, completed, at, counter }) => ({ id, videoId, completed, at, counter })),
  }
  const iv = new Uint8Array(platform.randomBytes(12))
  const key = await keyOf(sealer, platform.subtle, 'seal')
  const data = await platform.subtle.encrypt(
    { name: 'AES-GCM', iv },
    key,
    new TextEncoder().encode(JSON.stringify(parcel)),
  )
  await device.sealed.put({ owner: await ownerHash(sealer, platform.subtle, store.memberId), iv, data })
}

/**
 * Makes a store ready for who is logged in: names the device and opens it for writing. Where that is its owner
 * (`isOwner`), and not somebody looking on, sealed ticks go back in the queue.
 */
export async function prepareStore(sealer: Sealer, store: MemberStore, isOwner: boolean): Promise<void> {
  const { device, platform } = sealer
  const sealed = isOwner ? await findSealed(sealer, store.memberId) : undefined
  const parcel = sealed && platform.subtle ? await openParcel(sealer, platform.subtle, sealed) : null
  // As at almost every start: what is on the disk is right, and a write would wait for it.
  if (sealed === undefined && (await isPrepared(store))) return
  const newName = [...platform.randomBytes(16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  await store.dexie.transaction('rw', store.meta, store.outbox, store.progress, async () => {
    const row = await store.meta.get('clock')
    const clock = row?.key === 'clock' ? row : { deviceId: parcel?.deviceId ?? newName, at: 0, counter: 0, offset: 0 }
    const at = Math.max(clock.at, parcel?.at ?? 0)
    const counter = Math.max(clock.counter, parcel?.counter ?? 0)
    await store.meta.put({ ...clock, key: 'clock', at, counter })
    await putBack(store, parcel?.ticks ?? [])
    await store.meta.delete('closed')
  })
  // Only now: a crash before this line puts the same changes in once more, and the server knows their ids.
  if (sealed) await device.sealed.delete(sealed.owner)
}

const isPrepared = ({ dexie, meta }: MemberStore): Promise<boolean> =>
  dexie.transaction('r', meta, async () => {
    const [clock, closed] = await meta.bulkGet(['clock', 'closed'])
    return clock?.key === 'clock' && closed === undefined
  })

async function putBack(store: MemberStore, ticks: Parcel['ticks']): Promise<void> {
  if (ticks.length === 0) return
  const known = new Set(
    (
      await store.outbox
        .where('id')
        .anyOf(ticks.map(({ id }) => id))
        .toArray()
    ).map(({ id }) => id),
  )
  const missing = ticks.filter(({ id }) => !known.has(id))
  await store.outbox.bulkAdd(missing.map((tick) => ({ ...tick, state: 'waiting' as const })))
  const waiting = await unanswered(store)
  for (const videoId of new Set(missing.map((tick) => tick.videoId))) await showOne(store, videoId, waiting)
}

/** What is sealed of this member. Whose a row is takes a key to tell, and seldom is there any. */
async function findSealed(sealer: Sealer, memberId: string): Promise<SealedRow | undefined> {
  const { device, platform } = sealer
  if (platform.subtle === null || (await device.sealed.count()) === 0) return undefined
  return device.sealed.get(await ownerHash(sealer, platform.subtle, memberId))
}

async function openParcel({ device }: Sealer, subtle: SubtleCrypto, row: SealedRow): Promise<Parcel | null> {
  const key = await device.keys.get('seal')
  if (key === undefined) return null
  const parcel = v.safeParse(Parcel, await decrypt(subtle, key.key, row))
  return parcel.success ? parcel.output : null
}

async function decrypt(subtle: SubtleCrypto, key: CryptoKey, { iv, data }: SealedRow): Promise<unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(await subtle.decrypt({ name: 'AES-GCM', iv }, key, data)))
  } catch {
    // Damaged on disk: nobody can ever open it again, and it must not keep its owner out.
    return null
  }
}

/** The same for the same member on this device, and nothing to anybody else. */
async function ownerHash(sealer: Sealer, subtle: SubtleCrypto, memberId: string): Promise<string> {
  const key = await keyOf(sealer, subtle, 'owner')
  const hash = new Uint8Array(await subtle.sign('HMAC', key, new TextEncoder().encode(memberId)))
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Keys of this device alone: made at first use, never to be read out. Two tabs at once agree on the first. */
async function keyOf({ device }: Sealer, subtle: SubtleCrypto, name: 'seal' | 'owner'): Promise<CryptoKey> {
  const found = await device.keys.get(name)
  if (found) return found.key
  const key =
    name === 'seal'
      ? await subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
      : await subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return device.dexie.transaction('rw', device.keys, async () => {
    const first = await device.keys.get(name)
    if (first) return first.key
    await device.keys.add({ name, key })
    return key
  })
}
