import type { Context } from '#api/context.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { addressChangedMail } from '#api/mail/templates/account.ts'
import {
  addressTakenMail,
  confirmAddressMail,
  restoreAddressKind,
  restoreAddressMail,
} from '#api/mail/templates/address.ts'

const linkUrl = ({ settings }: Context, action: string, token: string) =>
  `${settings.publicUrl}/members/${action}?token=${token}`

type ConfirmMail = { id: string; userId: string; to: string; token: string; hours: number; lapsesAt: string }

export function queueConfirmMail(ctx: Context, { id, userId, to, token, hours, lapsesAt }: ConfirmMail): void {
  const message = confirmAddressMail({ url: linkUrl(ctx, 'confirm-address', token), hours })
  queueMessage(ctx, { cause: `address-confirm:${id}`, to, userId, lapsesAt }, message)
}

/** The address belongs to another account than `userId`. */
export function queueTakenMail(ctx: Context, { id, to }: Pick<ConfirmMail, 'id' | 'to'>): void {
  const message = addressTakenMail({ loginUrl: `${ctx.settings.publicUrl}/login` })
  queueMessage(ctx, { cause: `address-confirm:${id}`, to, userId: null }, message)
}

type UndoMail = { id: string; userId: string; to: string; token: string; at: string; until: string }

/** Goes to the account's former address. */
export function queueUndoMail(ctx: Context, { id, userId, to, token, at, until }: UndoMail): void {
  const message = restoreAddressMail({ url: linkUrl(ctx, 'restore-address', token), at, until })
  queueMessage(ctx, { cause: `${restoreAddressKind}:${id}`, to, userId }, message)
}

type ChangedMail = UndoMail & { by: string }

/** Goes to the address the account had before an owner changed it. */
export function queueChangedMail(ctx: Context, { id, userId, to, token, by, at, until }: ChangedMail): void {
  const message = addressChangedMail({ by, at, until, url: linkUrl(ctx, 'not-me', token) })
  queueMessage(ctx, { cause: `address-changed:${id}`, to, userId, lapsesAt: until }, message)
}
