import type { InstallWay } from '#shared/rules/install-way.ts'

export function installTitle(way: InstallWay): string {
  if (way.kind !== 'leave') return 'Add us to your home screen'
  return way.isApple ? 'Open us in Safari' : 'Open us in your browser'
}

/** What's said beside the steps: what was stored here isn't there. Null where it is. */
export function otherStorage(way: InstallWay): string | null {
  if (way.kind === 'apple')
    return 'The app on your Home Screen is separate from your browser, so you’ll need to log in once more there.'
  if (way.kind === 'leave') return 'Your browser is separate from this app, so you’ll need to log in once more there.'
  return null
}
