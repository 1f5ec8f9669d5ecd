import type Dexie from 'dexie'
import type { Table } from 'dexie'
import { deviceStorage, pendingLogoutKey } from '#pwa/lib/storage.ts'
import { isUnwiped } from '#pwa/lib/unwiped.ts'
import { openDatabase } from '#pwa/sync/database.ts'
import { type DatabaseOptions, whenLate } from '#pwa/sync/spare.ts'

// Phones store the names of databases, tables and fields: changing one needs a new version.

/**
 * The member whose data this device shows. While a logout is pending (`isLogoutOwed`) it's no one's, and the logout is sent before
 * anything else.
 */
export type SessionRow = { key: 'session'; memberId: string | null; isLogoutOwed: boolean }

/** `isReadOnly`: an owner viewing as this member, who leaves nothing of their own behind. */
export type StoreRow = { memberId: string; isReadOnly: boolean }

/** Ticks of a member who isn't logged in here now. `owner` is an opaque hash; only this device can decrypt `data`. */
export type SealedRow = { owner: string; iv: Uint8Array<ArrayBuffer>; data: ArrayBuffer }

/** What belongs to the device and not to a member. */
export type DeviceStore = {
  dexie: Dexie
  session: Table<SessionRow, 'session'>
  /** Members with a store here. Written before the store is created, and deleted after it's gone. */
  stores: Table<StoreRow, string>
  sealed: Table<SealedRow, string>
  keys: Table<{ name: string; key: CryptoKey }, string>
}

export function openDeviceStore(options: DatabaseOptions): DeviceStore {
  const dexie = openDatabase('alliance-device', options)
  dexie.version(1).stores({ session: 'key', stores: 'memberId', sealed: 'owner', keys: 'name' })
  return {
    dexie,
    session: dexie.table('session'),
    stores: dexie.table('stores'),
    sealed: dexie.table('sealed'),
    keys: dexie.table('keys'),
  }
}

/** False in a browser that stores nothing for this site, or takes too long. */
export async function canOpenStore(options: DatabaseOptions): Promise<boolean> {
  const { dexie } = openDeviceStore(options)
  const { promise: late, reject } = Promise.withResolvers<never>()
  const stop = whenLate(reject)
  try {
    await Promise.race([dexie.open(), late])
    return true
  } catch {
    return false
  } finally {
    stop()
    dexie.close()
  }
}

/** `all`: without stores that a logout couldn't wipe. */
type Device = { session: SessionRow; all: StoreRow[]; sealed: number }

/** `sealed`: how many members have something sealed here. */
export async function readDevice(device: DeviceStore): Promise<Device> {
  const [session, all, sealed] = await Promise.all([
    readSession(device),
    device.stores.toArray(),
    device.sealed.count(),
  ])
  return { session, all: all.filter(({ memberId }) => !isUnwiped(memberId)), sealed }
}

/** Whether an owner views the site as a member here. */
export async function isViewing(device: DeviceStore): Promise<boolean> {
  const { session, all } = await readDevice(device)
  return all.some(({ memberId, isReadOnly }) => memberId === session.memberId && isReadOnly)
}

/** Whose data this device shows. Undefined for nobody: during a logout, and while an owner views the site as a member. */
export async function findMember(device: DeviceStore): Promise<StoreRow | undefined> {
  const { session, all } = await readDevice(device)
  if (session.isLogoutOwed) return undefined
  return all.find(({ memberId, isReadOnly }) => memberId === session.memberId && !isReadOnly)
}

/**
 * Where the store is new or was lost, is in memory, or didn't respond during a logout, local storage knows of a logout the server hasn't
 * heard of.
 */
export async function readSession({ session }: DeviceStore): Promise<SessionRow> {
  const isLogoutOwed = deviceStorage.getItem(pendingLogoutKey) !== null
  const row = await session.get('session')
  const isOfBefore = isLogoutOwed && row?.memberId && isUnwiped(row.memberId)
  return row && !isOfBefore ? row : { key: 'session', memberId: null, isLogoutOwed }
}
