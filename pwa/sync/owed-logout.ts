import { backOffMs, queueBackOff } from './back-off.ts'
import { type DeviceStore, readSession } from './device.ts'
import { inOneTab, leaveStores, postLogout } from './leave.ts'
import type { Surroundings } from './surroundings.ts'

export type OwedLogout = {
  /** Does what is still to be done. True where nothing is owed (any more). */
  pay(): Promise<boolean>
  stop(): void
}

export type OwedLogoutParts = { around: Surroundings; device: DeviceStore; wipeTraces(): Promise<void> }

/** A logout that the server has not heard of yet. Its steps may run any number of times, in any number of tabs. */
export function createOwedLogout(parts: OwedLogoutParts): OwedLogout {
  const { around } = parts
  let paying: Promise<boolean> | null = null
  let failures = 0
  let cancel = () => {}
  const attempt = async () => {
    if (!(await readSession(parts.device)).isLogoutOwed) return true
    const isPaid = await inOneTab(around, () => payOnce(parts))
    cancel()
    failures = isPaid ? 0 : failures + 1
    if (!isPaid) cancel = around.after(backOffMs(queueBackOff, failures, around.random()), retry)
    return isPaid
  }
  const pay = () => {
    paying ??= attempt().finally(() => {
      paying = null
    })
    return paying
  }
  const retry = () => {
    pay().catch(around.report)
  }
  const stopListening = around.onWake(() => {
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

async function payOnce({ around, device, wipeTraces }: OwedLogoutParts): Promise<boolean> {
  if (!(await readSession(device)).isLogoutOwed) return true
  await leaveStores({ device, around }, null)
  await wipeTraces()
  if (await postLogout(around)) {
    await device.session.put({ key: 'session', memberId: null, isLogoutOwed: false })
    return true
  }
  around.requestBackgroundSync()
  return false
}
