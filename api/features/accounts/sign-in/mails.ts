import type { Context } from '#api/context.ts'
import { queueIfAccount, queueMessage } from '#api/mail/outbox.ts'
import {
  factorMail,
  noCodeForOwnersMail,
  passkeyMail,
  recoveryUsedMail,
  signInCodeMail,
} from '#api/mail/templates/sign-in.ts'

/** `code` is null for an owner, who gets none, and `userId` if the address is unknown. */
type CodeMail = {
  cause: string
  to: string
  userId: string | null
  code: string | null
  minutes: number
  lapsesAt: string
}

export function queueCodeMail(ctx: Context, { code, minutes, ...envelope }: CodeMail): void {
  queueIfAccount(ctx, envelope, code === null ? noCodeForOwnersMail() : signInCodeMail({ code, minutes }))
}

type To = { id: string; email: string }

const envelopeOf = (ctx: Context, { id, email }: To, what: string) => ({
  cause: `${what}:${ctx.newId()}`,
  to: email,
  userId: id,
  isRepeatable: true,
})

const warning = (ctx: Context) => ({ forgotUrl: `${ctx.settings.publicUrl}/forgot-password` })

export const queuePasskeyMail = (ctx: Context, to: To, passkey: { name: string; isAdded: boolean }) =>
  queueMessage(ctx, envelopeOf(ctx, to, 'passkey'), passkeyMail({ ...passkey, ...warning(ctx) }))

export const queueFactorMail = (ctx: Context, to: To, factor: { isSet: boolean }) =>
  queueMessage(ctx, envelopeOf(ctx, to, 'second-factor'), factorMail({ ...factor, ...warning(ctx) }))

export const queueRecoveryUsedMail = (ctx: Context, to: To, left: number) =>
  queueMessage(ctx, envelopeOf(ctx, to, 'recovery-code'), recoveryUsedMail({ left, ...warning(ctx) }))
