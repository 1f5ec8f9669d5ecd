import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { users } from '#api/db/schema/people.ts'
import { ownerMailboxes } from '#api/features/accounts/owner-queries.ts'
import { tellMember, withdrawNotice } from '#api/features/notices/notice-service.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import {
  type CallFacts,
  callBookedMail,
  callCancelledMail,
  callDayMail,
  callHeldMail,
  callMissedMail,
  callMovedMail,
  callNoticeMail,
  callReminderMail,
  callUnusedMail,
} from '#api/mail/templates/call.ts'
import type { Message } from '#api/mail/templates/layout.ts'
import { isMemberCall } from '#shared/contract/call-kind.ts'
import type { MailPurpose } from '#shared/contract/mail.ts'
import { linkOf } from './link-service.ts'
import { type Call, coachName, reminderOf } from './queries.ts'

const factsOf = (ctx: Context, call: Call): CallFacts => ({
  kind: call.kind,
  coach: coachName(ctx, call.coach),
  startsAt: call.startsAt,
  minutes: call.duration,
  phone: call.phone,
  url: linkOf(ctx, call),
})

/** Opening the link proves the visitor owns the address. Anyone else who gets the mail can ignore it. */
export function queueHoldMail(ctx: Context, call: Call): void {
  const cause = `call:${call.id}:held`
  const lapse = call.heldUntil === null ? {} : { lapsesAt: call.heldUntil }
  queueMessage(ctx, { cause, to: call.email, userId: null, ...lapse }, callHeldMail(factsOf(ctx, call)))
}

export function queueBookedMails(ctx: Context, call: Call): void {
  const facts = factsOf(ctx, call)
  queueForCaller(ctx, call, { what: 'booked', message: callBookedMail(firstNameOf(call), facts) })
  notifyOwners(ctx, call, 'booked')
}

export function queueMovedMails(ctx: Context, { before, after }: { before: Call; after: Call }): void {
  const message = callMovedMail(firstNameOf(after), { ...factsOf(ctx, after), before: before.startsAt })
  withdrawNotice(ctx, reminderCause(before))
  queueForCaller(ctx, after, { what: `moved:${after.moves}`, message })
  notifyOwners(ctx, after, 'moved', before.startsAt)
}

export function queueCancelledMails(ctx: Context, call: Call): void {
  withdrawNotice(ctx, reminderCause(call))
  queueForCaller(ctx, call, { what: 'cancelled', message: callCancelledMail(firstNameOf(call), factsOf(ctx, call)) })
  notifyOwners(ctx, call, 'cancelled')
}

const reminderCause = (call: Call) => `call:${call.id}:${reminderOf(call)}`

export function queueReminder(ctx: Context, call: Call): void {
  const message = callReminderMail(firstNameOf(call), factsOf(ctx, call))
  const what = reminderOf(call)
  const { userId } = call
  if (userId === null) queueForCaller(ctx, call, { what, message, purpose: 'call-reminder' })
  else {
    // Calls begin by the billing clock.
    const until = new Date(Date.parse(call.startsAt) - ctx.billingNow().getTime() + ctx.now().getTime())
    const told = { cause: reminderCause(call), userId, kind: 'call', path: '/members/calls', until } as const
    tellMember(ctx, { ...told, mail: message, attachment: { kind: 'call', id: call.id } })
  }
}

/** To someone who missed the call. No .ics, since there's nothing to add to a calendar. */
export function queueMissedMail(ctx: Context, call: Call): void {
  const envelope = { cause: `call:${call.id}:missed:${call.moves}`, to: mailboxOf(ctx, call), userId: call.userId }
  const again = isMemberCall(call.kind) ? null : `${ctx.settings.publicUrl}/book-call?for=${call.kind}`
  const message = callMissedMail(firstNameOf(call), { ...factsOf(ctx, call), again })
  queueMessage(ctx, { ...envelope, isRepeatable: true }, message)
}

type Day = { coach: string; to: string; day: string; calls: readonly Call[] }

export function queueDayMail(ctx: Context, { coach, to, day, calls }: Day): void {
  const url = `${ctx.settings.publicUrl}/admin/calendar?span=day&day=${day}`
  const rows = calls.map(({ kind, startsAt, endsAt, name, phone, email, notes }) => ({
    kind,
    startsAt,
    endsAt,
    name,
    phone,
    email,
    notes,
  }))
  const message = callDayMail(coachName(ctx, coach), { day, calls: rows, url })
  queueMessage(ctx, { cause: `call-day:${coach}:${day}`, to, userId: null, isRepeatable: true }, message)
}

type Asked = { id: string; email: string; firstName: string; month: string; minutes: number }

/** Reminds a member that this month's call isn't booked. They can opt out. */
export function queueAskMail(ctx: Context, { id, email, firstName, ...asked }: Asked): void {
  const envelope = { cause: `call-unused:${id}:${asked.month}`, to: email, userId: id, isRepeatable: true }
  const message = callUnusedMail(firstName, { ...asked, url: `${ctx.settings.publicUrl}/book-call` })
  queueMessage(ctx, { ...envelope, purpose: 'call-reminder' }, message)
}

/** The account may have another address by now than when the call was booked. */
function mailboxOf(ctx: Context, { userId, email }: Call): string {
  const account = userId && ctx.db.select({ email: users.email }).from(users).where(eq(users.id, userId)).get()
  return account ? account.email : email
}

type Mail = { what: string; message: Message; purpose?: MailPurpose }

function queueForCaller(ctx: Context, call: Call, { what, message, ...purpose }: Mail): void {
  const envelope = {
    cause: `call:${call.id}:${what}`,
    to: mailboxOf(ctx, call),
    userId: call.userId,
    isRepeatable: true,
  }
  queueMessage(ctx, { ...envelope, ...purpose, attachment: { kind: 'call', id: call.id } }, message)
}

function notifyOwners(ctx: Context, call: Call, what: 'booked' | 'moved' | 'cancelled', before?: string): void {
  const { name, email, phone, notes, businessName } = call
  const message = callNoticeMail({
    ...factsOf(ctx, call),
    what,
    before,
    caller: { name, email, phone, notes, businessName },
  })
  for (const to of ownerMailboxes(ctx)) {
    const cause = `call:${call.id}:${what}:${call.moves}:owner:${to}`
    queueMessage(ctx, { cause, to, replyTo: email, userId: null, isRepeatable: true }, message)
  }
}

const firstNameOf = ({ name }: Call) => name.trim().split(/\s+/)[0] ?? ''
