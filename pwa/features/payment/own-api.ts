import type { QueryClient } from '@tanstack/react-query'

/**
 * The API as whoever is logged in here may call it; that part of the site comes with the first call. The client stands
 * inside an object, since awaiting it by itself would be a call.
 */
export async function ownApi(queryClient: QueryClient) {
  const { ownSession } = await import('#pwa/features/auth/own-session.ts')
  const { api } = await ownSession(queryClient)
  return { api }
}
