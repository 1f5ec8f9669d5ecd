type Badged = { setAppBadge?: (count: number) => Promise<void>; clearAppBadge?: () => Promise<void> }

/** The number on the app's icon: answers that haven't been read. Browsers without one do nothing. */
export function showBadge(unread: number): void {
  const badged: Badged = globalThis.navigator ?? {}
  const shown = unread > 0 ? badged.setAppBadge?.(unread) : badged.clearAppBadge?.()
  // Refused where the app isn't installed.
  shown?.catch(() => {})
}
