import * as v from 'valibot'
import { Day, Line } from './fields.ts'
import { listEntries } from './listing.ts'

/** `program` is the terminal on the server itself; `visitor` wasn't logged in. */
export const AuditActor = v.object({
  kind: v.picklist(['owner', 'member', 'program', 'system', 'visitor']),
  /** The name, or else the email address; null for the system, a visitor and a removed account. */
  name: v.nullable(v.string()),
})
export type AuditActor = v.InferOutput<typeof AuditActor>

type Recorded = {
  auth: 'login' | 'failed' | 'locked' | 'proved' | 'logout' | AuthByLink | SignIn | 'token' | 'token_revoked'
  session: 'revoked'
  token: 'made'
  impersonation: 'started' | 'stopped'
  member:
    | 'added'
    | 'profile_changed'
    | 'photo_removed'
    | MemberOwn
    | Invited
    | 'card_link'
    | 'sync'
    | 'removed'
    | `${'guarantee_' | ''}refund`
    | MemberAccess
  account: 'abandoned'
  customer: 'mended' | 'forgotten' | 'unknown' | 'linked'
  payment: 'unknown'
  subscription: 'cancel' | 'resume' | 'end' | 'double' | 'unrecognised' | Adopted | TierChange | FreeMonth
  card: 'change'
  reactivation: 'link'
  invoice: 'late_payment' | 'disputed' | 'dispute_lost' | 'credited' | 'credit_named'
  invoices: 'fixed' | 'deleted' | 'skipped'
  commission: 'paid' | 'unpaid' | 'deleted' | 'rate' | 'mailed'
  upsell: 'added' | 'paid' | 'unpaid' | 'deleted'
  tier:
    | 'changed'
    | `price${'' | '_cancelled' | '_stopped'}`
    | 'added'
    | 'ordered'
    | 'retired'
    | 'restored'
    | 'default'
    | 'deleted'
  price_move: 'told' | 'booked' | 'moved' | 'cancelled' | 'tier_changed' | 'refused'
  'membership-application': 'status' | 'deleted'
  'quotient-order': 'set_up' | 'not_set_up' | 'taken_in'
  'coaching-application': 'status'
  'coaching-booking': 'status'
  call: 'moved' | 'cancelled' | 'agreed' | 'asked'
  commitment: 'proposed'
  calendar:
    | 'hours'
    | 'rules'
    | `days${'' | '-deleted'}`
    | 'call-added'
    | 'morning'
    | `feed${'' | '-revoked' | '-renewed'}`
  inbox: 'note' | 'note_changed' | 'reply' | 'invitation'
  question: 'answered' | 'closed' | 'reopened' | 'published' | 'publication_changed' | 'unpublished'
  'saved-reply': 'added' | 'changed' | 'removed'
  mail: 'resent' | 'suppressed' | 'allowed' | 'tested' | 'returned'
  announcement: 'added' | 'changed' | 'ended' | 'removed'
  mailing:
    | 'added'
    | 'changed'
    | 'removed'
    | 'tested'
    | 'scheduled'
    | 'unscheduled'
    | 'sent'
    | 'paused'
    | 'resumed'
    | 'stopped'
  video: 'added' | 'changed' | 'removed' | 'ordered' | 'files' | 'texts' | 'handouts' | 'categories' | Version
  media: 'added' | 'replaced' | 'removed' | 'upload_begun' | 'upload_removed'
  content: 'changed' | 'told'
  setting: 'changed'
  post: 'created' | 'changed' | 'removed' | 'restored' | 'imported'
  episode: 'added' | 'changed' | 'removed'
  import: 'planned' | 'applied' | 'cancelled' | 'undone' | 'letters'
  job: 'run'
  revenue: 'opened'
  clock: 'confirmed'
  event: 'replayed'
  report: 'made' | 'printed'
  backup: 'made' | 'restored' | 'pruned' | 'scheduled' | 'exported' | 'file_exported' | 'taken_in'
  owner: 'made' | 'link' | 'factor_reset' | 'invited' | 'invitation_withdrawn' | 'accepted' | 'removed'
  sandbox: 'advance' | 'card' | 'chaos'
}
type Version = `version_${'given' | 'removed' | 'asked' | 'made' | 'refused' | 'stopped'}`
type AuthByLink = 'reset_requested' | 'reset' | 'password' | `password_${'changed' | 'removed'}` | 'continued'
type SignIn =
  | 'code_asked'
  | `passkey_${'added' | 'removed'}`
  | `factor_${'set' | 'removed'}`
  | `recovery_${'made' | 'used'}`
type Invited = 'invited' | 'uninvited'
type MemberOwn =
  | `email_${'asked' | 'changed' | 'restored' | 'reported' | 'kept' | 'put_back' | 'at_stripe'}`
  | 'mail_choice'
  | 'exported'
type MemberAccess = 'revoke_access' | 'restore_access' | 'free_access' | 'free_access_ended'
type TierChange = 'change_tier' | 'keep_tier' | 'upgrade'
type Adopted = 'adopted' | 'adoption_undone'
type FreeMonth = 'free_month' | 'free_month_undone' | 'put_off'

export type AuditSubject = keyof Recorded
export type AuditAction = { [Subject in AuditSubject]: `${Subject}.${Recorded[Subject]}` }[AuditSubject]

export const AuditEntry = v.object({
  id: v.string(),
  at: v.string(),
  actor: AuditActor,
  /** Such as `member.revoke_access`. An old entry may name an action we no longer record. */
  action: v.string(),
  target: v.nullable(v.object({ id: v.string(), name: v.string() })),
  detail: v.record(v.string(), v.unknown()),
})
export type AuditEntry = v.InferOutput<typeof AuditEntry>
export const AuditEntryList = v.array(AuditEntry)

/** `q` finds who did it, `member` whom it was done to. `what` is an action, or the part before the dot for all of its actions. */
export const AuditQuery = v.object({
  ...listEntries('at'),
  member: v.optional(Line(100)),
  what: v.optional(v.pipe(v.string(), v.regex(/^[a-z_-]{1,30}(\.[a-z_-]{1,40})?$/, 'There’s no such action.'))),
  /** The first and last day, of Europe/London. */
  from: v.optional(Day),
  to: v.optional(Day),
})
export type AuditQuery = v.InferOutput<typeof AuditQuery>
