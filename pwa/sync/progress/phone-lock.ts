import { SessionUser } from '#shared/contract/auth.ts'
import { BillingSubscription } from '#shared/contract/billing.ts'
import { isKeptOverdue, type KnownAccess, type PhoneLock, phoneLock } from '#shared/rules/phone-lock.ts'
import { findSnapshot } from './snapshots.ts'
import type { Stored } from './status.ts'
import { type ClockRow, findFlush, isClosed, type MemberStore } from './store.ts'

type Clock = Pick<ClockRow, 'offset' | 'at'>

/** What this device last heard about the member's access. */
export type HeardAccess = {
  user: SessionUser
  userSavedAt: number
  billing: BillingSubscription | null
  billingSavedAt: number | null
  sync: Pick<Stored['sync'], 'lastSyncedAt'>
  clock: Clock
}

/** The later of the device's corrected clock and any time it has seen, so that putting the clock back opens nothing. */
export const phoneNow = ({ clock }: { clock: Clock }, wall = Date.now()) => Math.max(wall + clock.offset, clock.at)

function knownAccess({ user, userSavedAt, billing, billingSavedAt, sync, clock }: HeardAccess): KnownAccess {
  const syncedAt = sync.lastSyncedAt === null ? 0 : Date.parse(sync.lastSyncedAt)
  return {
    user: { hasAccess: user.isMember || user.isAdmin, isOwner: user.isAdmin, savedAt: userSavedAt },
    billing: billing && { ...billing, savedAt: billingSavedAt ?? 0 },
    lastResponseAt: Math.max(syncedAt, userSavedAt + clock.offset),
  }
}

export const readPhoneLock = (heard: HeardAccess): PhoneLock => phoneLock(knownAccess(heard), phoneNow(heard))

export type StoreLock = { isOpen: boolean; isOverdue: boolean }

/** The same for a store that no page shows, such as in the service worker. A store nobody was shown in is locked. */
export async function readStoreLock({ meta, snapshots }: MemberStore, wall: number): Promise<StoreLock> {
  const [facts, named] = await Promise.all([meta.toArray(), snapshots.bulkGet(['user', 'billing'])])
  const rows = named.filter((row) => row !== undefined)
  const user = findSnapshot(rows, 'user', SessionUser)
  const clock = facts.find((row) => row.key === 'clock')
  if (user === null || clock?.key !== 'clock' || facts.some(({ key }) => key === 'closed'))
    return { isOpen: false, isOverdue: false }
  const savedAt = (wanted: string) => rows.find(({ name }) => name === wanted)?.savedAt ?? null
  const heard: HeardAccess = {
    user,
    userSavedAt: savedAt('user') ?? 0,
    billing: findSnapshot(rows, 'billing', BillingSubscription),
    billingSavedAt: savedAt('billing'),
    sync: findFlush(facts),
    clock,
  }
  const known = knownAccess(heard)
  const now = phoneNow(heard, wall)
  const { kind } = phoneLock(known, now)
  return { isOpen: kind === 'open' || kind === 'warned', isOverdue: isKeptOverdue(known, now) }
}

/** The device has seen this time, so a clock that's put back later opens nothing. Returns the lock as of now. */
export async function noteTime(store: MemberStore, wall: number): Promise<StoreLock> {
  return store.dexie.transaction('rw', store.meta, store.snapshots, async () => {
    const clock = await store.meta.get('clock')
    if (clock?.key === 'clock' && !(await isClosed(store)))
      await store.meta.put({ ...clock, at: phoneNow({ clock }, wall) })
    return readStoreLock(store, wall)
  })
}
