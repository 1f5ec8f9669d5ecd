import type { QueryClient } from '@tanstack/react-query'
import { openSession } from '#pwa/features/auth/session-store.ts'
import { createLive } from '#pwa/sync/hooks.ts'
import { findSnapshot } from '#pwa/sync/progress/snapshots.ts'
import { readStored } from '#pwa/sync/progress/status.ts'
import type { MemberStore } from '#pwa/sync/progress/store.ts'
import { MemberAnnouncements } from '#shared/contract/announcement.ts'
import { SessionUser } from '#shared/contract/auth.ts'
import { BillingSubscription, InvoiceList } from '#shared/contract/billing.ts'
import { MemberCalls } from '#shared/contract/member-calls.ts'
import { findDismissed } from './dismissed-storage.ts'
import { findListening } from './listen-storage.ts'
import { findVisit } from './use-new-videos.ts'
import { findChosenOpen } from './use-open-categories.ts'

export type StoredArea = Awaited<ReturnType<typeof readArea>>

/** Everything the members' area shows from this device, in one read: separate reads would render the screen again. */
async function readArea(store: MemberStore) {
  const { snapshots, ...stored } = await readStored(store)
  const savedAt = (wanted: string) => snapshots.find(({ name }) => name === wanted)?.savedAt ?? null
  return {
    ...stored,
    user: findSnapshot(snapshots, 'user', SessionUser),
    userSavedAt: savedAt('user') ?? 0,
    billing: findSnapshot(snapshots, 'billing', BillingSubscription),
    billingSavedAt: savedAt('billing'),
    /** When the server last confirmed the list of videos. */
    listSavedAt: savedAt('video-order'),
    calls: findSnapshot(snapshots, 'calls', MemberCalls),
    callsSavedAt: savedAt('calls'),
    invoices: findSnapshot(snapshots, 'invoices', InvoiceList),
    invoicesSavedAt: savedAt('invoices'),
    notes: findSnapshot(snapshots, 'notes', MemberAnnouncements),
    notesSavedAt: savedAt('notes') ?? 0,
    dismissed: findDismissed(snapshots),
    visit: findVisit(snapshots),
    chosen: findChosenOpen(snapshots),
    listening: findListening(snapshots),
  }
}

const area = createLive(readArea)

/** Undefined until we've read this device's store. */
export const useStoredArea = area.use

/** The longest the page waits for the store before it shows its skeleton. */
const openTimeoutMs = 500

async function findVideoTitle(queryClient: QueryClient, slug: string): Promise<string | null> {
  const engine = (await openSession(queryClient)).sync.engine()
  const video = await engine?.store.videos.filter((one) => one.slug === slug).first()
  return video?.title ?? null
}

/**
 * Opens the session and reads the store while the page's code is evaluated, so that its first paint has the rows. `begin` reads what
 * else the page shows.
 */
export async function openArea(queryClient: QueryClient, begin?: (store: MemberStore) => Promise<void>): Promise<void> {
  const open = async () => {
    const engine = (await openSession(queryClient)).sync.engine()
    if (engine !== null) await Promise.all([area.begin(engine.store), begin?.(engine.store)])
  }
  // If this fails, it fails again for the page, which says so.
  await Promise.race([open().catch(() => {}), new Promise((resolve) => setTimeout(resolve, openTimeoutMs))])
}

/** The same for a video's page, whose title the device knows. */
export async function openVideo(queryClient: QueryClient, slug: string): Promise<{ title: string | null }> {
  await openArea(queryClient)
  return { title: await findVideoTitle(queryClient, slug).catch(() => null) }
}
