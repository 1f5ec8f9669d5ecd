import type { DexieOptions } from 'dexie'
import { openDeviceStore } from './device.ts'
import { postLogout } from './leave.ts'
import type { SyncSession } from './session.ts'
import type { Surroundings } from './surroundings.ts'

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
export const storelessSession = (around: Surroundings): SyncSession => ({
  start: async () => null,
  enter: async () => {
    throw new Error('This browser keeps nothing for this site.')
  },
  logout: async () => ((await postLogout(around)) ? 'done' : 'owed'),
  fetch: around.fetch,
  hasOwedLogout: async () => false,
  engine: () => null,
  onChange: () => () => {},
  close: () => {},
})
