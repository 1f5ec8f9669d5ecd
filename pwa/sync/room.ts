import { storageBuckets } from '#pwa/sync/kept-files.ts'
import type { Room } from '#shared/rules/shelf.ts'

export async function readRoom(): Promise<Room> {
  const { usage = null, quota = null } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {}
  const isSafe = storageBuckets() !== null || ((await navigator.storage?.persisted?.().catch(() => false)) ?? false)
  return { usage, quota, isSafe }
}
