import type { QueryClient } from '@tanstack/react-query'
import { parseResponse } from '#pwa/lib/api.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { type LoginRequest, LoginResponse } from '#shared/contract/auth.ts'

/** Returns the page they start on. What a session needs is loaded here, so that the login page stays light. */
export async function logIn(queryClient: QueryClient, body: LoginRequest): Promise<LoginResponse['startsAt']> {
  const { acceptLogin, openSession } = await loadFile(() => import('./session-store.ts'))
  const session = await openSession(queryClient)
  const { user, startsAt } = await parseResponse(LoginResponse, session.api.api.auth.login.post(body))
  await acceptLogin(session, user)
  return startsAt
}
