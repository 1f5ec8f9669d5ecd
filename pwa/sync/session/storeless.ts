import type { DexieOptions } from 'dexie'
import type { Platform } from '#pwa/sync/platform.ts'
import { openDeviceStore } from './device-store.ts'
import { postLogout } from './leave.ts'
import type { SyncSession } from './session.ts'

export async function canOpenStore(options: DexieOptions): Promise<boolean> {
  const { dexie } = openDeviceStore(options)
  try {
    await dexie.open()
    return true
  } catch {
    return false
  } finally {
    dexie.close()
  }
}

/** Where the browser keeps nothing for this site: the server is asked each time, and there is no engine for anybody. */
export const storelessSession = (platform: Platform): SyncSession => ({
  start: async () => null,
  enter: async () => {
    throw new Error('This browser keeps nothing for this site.')
  },
  logout: async () => ((await postLogout(platform)) ? 'done' : 'owed'),
  fetch: platform.fetch,
  hasOwedLogout: async () => false,
  engine: () => null,
  onChange: () => () => {},
  close: () => {},
})
