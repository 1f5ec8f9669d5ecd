import { backOffMs } from '#pwa/sync/back-off.ts'
import { withSessionLock } from '#pwa/sync/locks.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import { type DeviceStore, readSession, type SessionRow } from './device-store.ts'
import { leaveStores, postLogout, type WipeTraces } from './wipe.ts'

export type PendingLogout = {
  /** Does what's left to do. True if no logout is pending (any more). */
  finish(): Promise<boolean>
  /** What the device's store says, as read by someone else. */
  hear(session: Pick<SessionRow, 'isLogoutOwed'>): void
  stop(): void
}

export type PendingLogoutParts = { platform: Platform; device: DeviceStore; wipeTraces: WipeTraces }

/** A logout the server hasn't confirmed yet. Its steps can run any number of times, in any number of tabs. */
export function createPendingLogout(parts: PendingLogoutParts): PendingLogout {
  const { platform } = parts
  let finishing: Promise<boolean> | null = null
  let failures = 0
  let isStopped = false
  const asked = { isFree: false }
  let cancel = () => {}
  const attempt = async () => {
    asked.isFree = !(await readSession(parts.device)).isLogoutOwed
    if (asked.isFree) return true
    const isDone = await withSessionLock(platform, () => finishOnce(parts))
    cancel()
    failures = isDone ? 0 : failures + 1
    // An attempt may outlive its page, and by then the database is closed.
    if (!isDone && !isStopped) cancel = platform.after(backOffMs(failures, platform.random()), retry)
    return isDone
  }
  const finish = () => {
    finishing ??= attempt().finally(() => {
      finishing = null
    })
    return finishing
  }
  const retry = () => {
    finish().catch((error: unknown) => {
      if (!isStopped) platform.report(error)
    })
  }
  const stopListening = platform.onWake(() => failures > 0 && retry())
  return {
    // Every request asks, also the last one of a page that's left, which mustn't wait for the store.
    finish: async () => (asked.isFree && !platform.mayOweLogout()) || finish(),
    hear: ({ isLogoutOwed }) => Object.assign(asked, { isFree: !isLogoutOwed }),
    stop: () => {
      isStopped = true
      cancel()
      stopListening()
    },
  }
}

async function finishOnce({ platform, device, wipeTraces }: PendingLogoutParts): Promise<boolean> {
  if (!(await readSession(device)).isLogoutOwed) return true
  await leaveStores({ device, platform }, [])
  await wipeTraces()
  // The browser may have frozen this tab meanwhile, and another one have sent it: this request would end the login after it.
  if (!(await readSession(device)).isLogoutOwed) return true
  if (await postLogout(platform)) {
    await device.session.put({ key: 'session', memberId: null, isLogoutOwed: false })
    return true
  }
  platform.requestBackgroundSync()
  return false
}
