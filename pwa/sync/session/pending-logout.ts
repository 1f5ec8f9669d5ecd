import { backOffMs, queueBackOff } from '#pwa/sync/back-off.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import { type DeviceStore, readSession } from './device-store.ts'
import { inOneTab, leaveStores, postLogout } from './leave.ts'

export type OwedLogout = {
  /** Does what is still to be done. True where nothing is owed (any more). */
  pay(): Promise<boolean>
  stop(): void
}

export type OwedLogoutParts = { platform: Platform; device: DeviceStore; wipeTraces(): Promise<void> }

/** A logout that the server has not heard of yet. Its steps may run any number of times, in any number of tabs. */
export function createOwedLogout(parts: OwedLogoutParts): OwedLogout {
  const { platform } = parts
  let paying: Promise<boolean> | null = null
  let failures = 0
  let cancel = () => {}
  const attempt = async () => {
    if (!(await readSession(parts.device)).isLogoutOwed) return true
    const isPaid = await inOneTab(platform, () => payOnce(parts))
    cancel()
    failures = isPaid ? 0 : failures + 1
    if (!isPaid) cancel = platform.after(backOffMs(queueBackOff, failures, platform.random()), retry)
    return isPaid
  }
  const pay = () => {
    paying ??= attempt().finally(() => {
      paying = null
    })
    return paying
  }
  const retry = () => {
    pay().catch(platform.report)
  }
  const stopListening = platform.onWake(() => {
    if (failures > 0) retry()
  })
  return {
    pay,
    stop: () => {
      cancel()
      stopListening()
    },
  }
}

async function payOnce({ platform, device, wipeTraces }: OwedLogoutParts): Promise<boolean> {
  if (!(await readSession(device)).isLogoutOwed) return true
  await leaveStores({ device, platform }, null)
  await wipeTraces()
  if (await postLogout(platform)) {
    await device.session.put({ key: 'session', memberId: null, isLogoutOwed: false })
    return true
  }
  platform.requestBackgroundSync()
  return false
}
