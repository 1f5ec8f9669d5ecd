/// <reference lib="webworker" />

import { storeShared } from '#pwa/lib/shared-cache.ts'
import { createBrowserPlatform } from '#pwa/sync/browser-platform.ts'
import { findMember, openDeviceStore } from '#pwa/sync/session/device-store.ts'

export const sharePath = '/members/share'

/** Where a share sheet's POST leads without this worker, or while nobody's logged in: a page that says what to do. */
const sayWhatToDo = () => Response.redirect(sharePath, 303)

/** Takes what another app shares, and opens the page that asks with it. Nothing of it goes over the network. */
export async function takeFromShareSheet(request: Request): Promise<Response> {
  try {
    if (!(await isSomeoneHere())) return sayWhatToDo()
    const id = crypto.randomUUID()
    await storeShared(id, request)
    return Response.redirect(`/members/ask?share=${id}`, 303)
  } catch {
    // The phone is full, or stores nothing for us.
    return Response.redirect(`${sharePath}?full=1`, 303)
  }
}

async function isSomeoneHere(): Promise<boolean> {
  const device = openDeviceStore(createBrowserPlatform().database)
  try {
    return (await findMember(device)) !== undefined
  } finally {
    device.dexie.close()
  }
}
