import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { isSameSecret, keyedHash } from '#api/secrets.ts'
import type { Owner } from './person.ts'
import { assertOwnerProven } from './proof.ts'

/** Long enough to begin a download. */
const ticketMinutes = 10

const ticketOf = (ctx: Context, { actor }: Owner, { file, expires }: { file: string; expires: number }) =>
  `${expires}.${keyedHash(ctx, 'export', `${actor} ${file} ${expires}`)}`

/** For a file of everyone's data. A download is a GET, which can't ask for the password: so what asks comes first. */
export const ticketFor = (ctx: Context, owner: Owner, file: string): string =>
  ticketOf(ctx, owner, { file, expires: ctx.now().getTime() + ticketMinutes * 60_000 })

export function assertTicket(ctx: Context, owner: Owner, { file, ticket }: { file: string; ticket: string }): void {
  const expires = Number(ticket.split('.')[0])
  const isOpen = expires > ctx.now().getTime() && isSameSecret(ticket, ticketOf(ctx, owner, { file, expires }))
  if (!isOpen) throw new AppError('forbidden', 'This download has expired. Press Download again.')
}

/** With a ticket, by a token that was made for files or has just proved the password, or on the machine itself. */
export function assertMayDownload(
  ctx: Context,
  owner: Owner,
  { file, ticket }: { file: string; ticket: string | undefined },
): void {
  if (owner.userId === null || owner.scopes?.includes('files')) return
  if (owner.scopes !== null) {
    assertOwnerProven(ctx, owner)
    return
  }
  if (ticket === undefined) throw new AppError('password_needed', 'Enter your password again to download this.')
  assertTicket(ctx, owner, { file, ticket })
}
