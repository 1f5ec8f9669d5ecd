import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { isSameSecret, keyedHash } from '#api/secrets.ts'
import { type Call, findCall } from './queries.ts'

const signatureOf = (ctx: Context, id: string) => keyedHash(ctx, 'call', id)

const tokenOf = (ctx: Context, id: string) => `${id}.${signatureOf(ctx, id)}`

/** The page to confirm, move or cancel this call. The link holds no expiry: it ends when the call begins, which the row knows. */
export const linkOf = (ctx: Context, { id }: { id: string }) =>
  `${ctx.settings.publicUrl}/book-call?call=${tokenOf(ctx, id)}`

export const icsPathOf = (ctx: Context, id: string) => `/api/calendar/call.ics?token=${tokenOf(ctx, id)}`

/** A link's call. Throws if the signature is wrong, or the hold expired unconfirmed. */
export function callOfToken(ctx: Context, token: string): Call {
  const [id = '', signature = ''] = token.split('.')
  if (!isSameSecret(signatureOf(ctx, id), signature)) throw new AppError('invalid_link', 'This link isn’t valid.')
  const call = findCall(ctx, id)
  if (call === undefined || (call.heldUntil !== null && Date.parse(call.heldUntil) <= ctx.now().getTime()))
    throw new AppError('invalid_link', 'We held this time for 30 minutes and it’s free again. Choose a time again.')
  return call
}
