import * as v from 'valibot'
import { commitmentsToSeal, restoreCommitments, SealedCommitments } from '#pwa/sync/commitments/sealed.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import { refreshRow } from '#pwa/sync/progress/merge.ts'
import { type NewSnapshot, saveSnapshot } from '#pwa/sync/progress/snapshots.ts'
import { changeFlush, type MemberStore, type Paused, readPending } from '#pwa/sync/progress/store.ts'
import type { DeviceStore, SealedRow } from './device-store.ts'

/** Everything stored about a member who has logged out: ids, stamps, booleans, seconds and unsent commitments, encrypted. */
const SealedData = v.object({
  deviceId: v.string(),
  at: v.number(),
  counter: v.number(),
  ticks: v.array(
    v.object({ id: v.string(), videoId: v.string(), completed: v.boolean(), at: v.number(), counter: v.number() }),
  ),
  /** Optional: older versions sealed none. */
  positions: v.optional(v.array(v.object({ videoId: v.string(), seconds: v.number(), at: v.number() })), []),
  commitments: v.optional(SealedCommitments, []),
})
type SealedData = v.InferOutput<typeof SealedData>

export type Sealer = { device: DeviceStore; platform: Platform }

/**
 * Closes a store for writing and seals what it still has to send. Safe to run again after a crash at any point: a store already
 * wiped has no clock, and leaves what the earlier run sealed unchanged. Without WebCrypto we mustn't store anything, and don't.
 */
export async function sealStore(sealer: Sealer, store: MemberStore): Promise<void> {
  const { device, platform } = sealer
  // In one transaction: another tab may be sealing and wiping the same store.
  const { meta, outbox, positions: stops, commitments, commitmentOutbox } = store
  const left = await store.dexie.transaction('rw', [meta, outbox, stops, commitments, commitmentOutbox], async () => {
    await meta.put({ key: 'closed' })
    const positions = (await stops.toArray()).filter(({ isPending }) => isPending)
    const [clock, pending] = [await meta.get('clock'), await readPending(store)]
    return { clock, pending, positions, commitments: await commitmentsToSeal(store) }
  })
  const { clock } = left
  if (platform.subtle === null || clock?.key !== 'clock') return
  const contents: SealedData = {
    deviceId: clock.deviceId,
    at: clock.at,
    counter: clock.counter,
    ticks: left.pending.map(({ id, videoId, completed, at, counter }) => ({ id, videoId, completed, at, counter })),
    positions: left.positions.map(({ videoId, seconds, at }) => ({ videoId, seconds, at })),
    commitments: left.commitments,
  }
  const iv = new Uint8Array(platform.randomBytes(12))
  const key = await getOrCreateKey(sealer, platform.subtle, 'seal')
  const data = await platform.subtle.encrypt(
    { name: 'AES-GCM', iv },
    key,
    new TextEncoder().encode(JSON.stringify(contents)),
  )
  await device.sealed.put({ owner: await ownerHash(sealer, platform.subtle, store.memberId), iv, data })
}

/** What a login says: of sending, and who the member is. */
export type LoginWord = { paused: Paused | null; user?: NewSnapshot | undefined }

/** `mayBeSealed`: never for an owner viewing as the member. `word`: none if all goes on as before. */
export type Entering = { mayBeSealed: boolean; word?: LoginWord | undefined }

/**
 * Prepares a store for the logged-in person: gives the device an id and opens the store for writing. Puts what was sealed back into
 * the queue of the member it belongs to.
 */
export async function prepareStore(sealer: Sealer, store: MemberStore, { mayBeSealed, word }: Entering): Promise<void> {
  const { device, platform } = sealer
  const sealed = mayBeSealed ? await findSealed(sealer, store.memberId) : undefined
  const contents = sealed && platform.subtle ? await readSealedData(sealer, platform.subtle, sealed) : null
  // True at almost every start. A write would make the start wait for the disk.
  if (sealed === undefined && word === undefined && (await isPrepared(store))) return
  const newDeviceId = toHex(platform.randomBytes(16))
  const { meta, outbox, progress, positions, snapshots, commitmentOutbox } = store
  await store.dexie.transaction('rw', [meta, outbox, progress, positions, snapshots, commitmentOutbox], async () => {
    const row = await store.meta.get('clock')
    const clock =
      row?.key === 'clock' ? row : { deviceId: contents?.deviceId ?? newDeviceId, at: 0, counter: 0, offset: 0 }
    const at = Math.max(clock.at, contents?.at ?? 0)
    const counter = Math.max(clock.counter, contents?.counter ?? 0)
    await store.meta.put({ ...clock, key: 'clock', at, counter })
    await restoreTicks(store, contents?.ticks ?? [])
    await restorePositions(store, contents?.positions ?? [], clock.deviceId)
    await restoreCommitments(store, contents?.commitments ?? [])
    await store.meta.delete('closed')
    if (word) await changeFlush(store, { paused: word.paused })
    if (word?.user) await saveSnapshot(store, 'user', word.user)
  })
  // Only now: a crash before this line restores the same changes again, and the server recognises their ids.
  if (sealed) await device.sealed.delete(sealed.owner)
}

const isPrepared = ({ dexie, meta }: MemberStore): Promise<boolean> =>
  dexie.transaction('r', meta, async () => {
    const [clock, closed] = await meta.bulkGet(['clock', 'closed'])
    return clock?.key === 'clock' && closed === undefined
  })

async function restoreTicks(store: MemberStore, ticks: SealedData['ticks']): Promise<void> {
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
  const pending = await readPending(store)
  for (const videoId of new Set(missing.map((tick) => tick.videoId))) await refreshRow(store, videoId, pending)
}

/** Under the store's current device id: the server takes a position as made by the device that sends it. */
async function restorePositions({ positions }: MemberStore, sealed: SealedData['positions'], deviceId: string) {
  for (const position of sealed) {
    const stored = await positions.get(position.videoId)
    if (stored === undefined || stored.at < position.at) await positions.put({ ...position, deviceId, isPending: true })
  }
}

/** This member's sealed row. Finding it needs a key. */
async function findSealed(sealer: Sealer, memberId: string): Promise<SealedRow | undefined> {
  const { device, platform } = sealer
  if (platform.subtle === null) return undefined
  return device.sealed.get(await ownerHash(sealer, platform.subtle, memberId))
}

async function readSealedData({ device }: Sealer, subtle: SubtleCrypto, row: SealedRow): Promise<SealedData | null> {
  const key = await device.keys.get('seal')
  if (key === undefined) return null
  const contents = v.safeParse(SealedData, await decryptRow(subtle, key.key, row))
  return contents.success ? contents.output : null
}

async function decryptRow(subtle: SubtleCrypto, key: CryptoKey, { iv, data }: SealedRow): Promise<unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(await subtle.decrypt({ name: 'AES-GCM', iv }, key, data)))
  } catch {
    // Damaged on disk: we can never open it again, and it mustn't lock the member out.
    return null
  }
}

/** Always the same for a member on this device, and meaningless without its key. */
export async function ownerHash(sealer: Sealer, subtle: SubtleCrypto, memberId: string): Promise<string> {
  const key = await getOrCreateKey(sealer, subtle, 'owner')
  return toHex(new Uint8Array(await subtle.sign('HMAC', key, new TextEncoder().encode(memberId))))
}

const toHex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

type KeyName = 'seal' | 'owner'

/** This device's own keys: made at first use, not extractable. Two tabs at the same time agree on the first. */
export async function getOrCreateKey({ device }: Sealer, subtle: SubtleCrypto, name: KeyName): Promise<CryptoKey> {
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
