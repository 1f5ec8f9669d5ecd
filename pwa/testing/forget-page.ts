import { vi } from 'vitest'
import { noteUnloads } from '#pwa/lib/leaving.ts'
import { tellStorageTrouble } from '#pwa/lib/storage-trouble.ts'

/**
 * What this page has met isn't known to the next test, which shares its modules. As if it had been left long ago: a stopped clock
 * starts at 0, which is before a departure of an earlier test.
 */
export function forgetPage(): void {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(-60_000)
  const stopNoting = noteUnloads()
  window.dispatchEvent(new Event('beforeunload'))
  stopNoting()
  clock.mockRestore()
  tellStorageTrouble(null)
}
