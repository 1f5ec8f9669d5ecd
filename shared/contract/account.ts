import * as v from 'valibot'
import { mailPurposes } from './mail.ts'

export const ownActions = [
  'auth.login',
  'auth.failed',
  'auth.logout',
  'auth.token',
  'auth.token_revoked',
  'auth.reset_requested',
  'auth.reset',
  'auth.password',
  'auth.password_changed',
  'auth.password_removed',
  'auth.continued',
  'auth.code_asked',
  'auth.passkey_added',
  'auth.passkey_removed',
  'auth.factor_set',
  'auth.factor_removed',
  'auth.recovery_made',
  'auth.recovery_used',
  'session.revoked',
  'impersonation.started',
  'impersonation.stopped',
  'member.profile_changed',
  'member.photo_removed',
  'member.email_asked',
  'member.email_changed',
  'member.email_restored',
  'member.mail_choice',
  'member.exported',
  'member.revoke_access',
  'member.restore_access',
  'member.free_access',
  'member.free_access_ended',
  'subscription.cancel',
  'subscription.resume',
  'subscription.end',
  'subscription.change_tier',
  'subscription.keep_tier',
  'subscription.upgrade',
  'card.change',
] as const
export type OwnAction = (typeof ownActions)[number]

export const OwnActivity = v.object({
  id: v.string(),
  at: v.string(),
  action: v.picklist(ownActions),
  by: v.picklist(['member', 'owner', 'terminal', 'site']),
  /** The owner's name; null if that account is gone, or it wasn't an owner. */
  name: v.nullable(v.string()),
  reason: v.nullable(v.string()),
})
export type OwnActivity = v.InferOutput<typeof OwnActivity>
export const OwnActivityList = v.array(OwnActivity)

const MailPurpose = v.picklist(mailPurposes, 'We don’t send emails like that.')

export const MailChoice = v.object({ purpose: MailPurpose, isWanted: v.boolean() })
export type MailChoice = v.InferOutput<typeof MailChoice>
export const MailChoiceList = v.array(MailChoice)

/** The link that stops emails of one purpose. A mail client sends nothing else (RFC 8058). */
export const UnsubscribeQuery = v.object({ token: v.pipe(v.string(), v.minLength(1), v.maxLength(300)) })
/** Opened instead of posted to. Its page says what's wrong with a token. */
export const OpenedUnsubscribeQuery = v.object({ token: v.optional(v.string(), '') })
export const Unsubscribed = v.object({ purpose: MailPurpose })

/** Deletion is final, so a request has to say it's sure: an accidental one deletes no account. */
export const DeleteAccountRequest = v.strictObject({ isSure: v.literal(true) })

/** `subscriptions` is how many we ended. `invoices` stay because tax law says so, without naming the account. */
export const AccountDeleted = v.object({ success: v.literal(true), subscriptions: v.number(), invoices: v.number() })
export type AccountDeleted = v.InferOutput<typeof AccountDeleted>

export const CancellationCopy = v.object({
  id: v.string(),
  cancelledAt: v.string(),
  subject: v.string(),
  text: v.string(),
})
export type CancellationCopy = v.InferOutput<typeof CancellationCopy>
export const CancellationCopyList = v.array(CancellationCopy)

/** What we emailed before a payment, or as a period began. */
export const NoticeCopy = v.object({ id: v.string(), toldAt: v.string(), subject: v.string(), text: v.string() })
export type NoticeCopy = v.InferOutput<typeof NoticeCopy>
export const NoticeCopyList = v.array(NoticeCopy)
