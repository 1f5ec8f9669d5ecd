import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { AppError } from '#api/errors.ts'
import type { Owner } from '#api/http/session.ts'
import type { ApiToken, ApiTokenRequest } from '#shared/contract/sessions.ts'
import { issueApiToken } from './session-service.ts'

/** Makes a token for a program of the owner's. A token cannot make one that may do more than it may itself. */
export function makeApiToken(
  ctx: Context,
  { actor, userId, scopes: own }: Owner,
  { name, scopes, days }: ApiTokenRequest,
): ApiToken {
  if (userId === null) throw new AppError('conflict', 'A token belongs to an account. Make it in the browser.')
  if (own !== null && scopes.some((scope) => !own.includes(scope))) {
    throw new AppError('forbidden', 'A token cannot make one that may do more than it may itself.')
  }
  return transact(ctx, () => {
    audit(ctx, actor, 'token.made', { targetId: userId, detail: { name, scopes, days } })
    return { ...issueApiToken(ctx, userId, name, { scopes, days }), name }
  })
}
