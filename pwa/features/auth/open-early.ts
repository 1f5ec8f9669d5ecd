import type { QueryClient } from '@tanstack/react-query'

/** Begins to open the session on this device while the page that shows it is still being put together. */
export function openEarly(queryClient: QueryClient): void {
  import('./own-session.ts').then(({ ownSession }) => ownSession(queryClient)).catch(reportError)
}
