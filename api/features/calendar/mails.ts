import type { Context } from '#api/context.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import {
  type CallFacts,
  callBookedMail,
  callCancelledMail,
  callHeldMail,
  callMovedMail,
  callNoticeMail,
  callReminderMail,
} from '#api/mail/templates/call.ts'
import type { Message } from '#api/mail/templates/layout.ts'
import type { MailPurpose } from '#shared/contract/mail.ts'
import { linkOf } from './link-service.ts'
import { type Call, coachName } from './queries.ts'

const factsOf = (ctx: Context, call: Call): CallFacts => ({
  kind: call.kind,
  coach: coachName(ctx, call.coach),
  startsAt: call.startsAt,
  minutes: call.duration,
  hasPhone: call.phone !== null,
  url: linkOf(ctx, call),
})

/** The link in it shows that the address is the visitor's own; whoever else gets it does nothing. */
export function queueHoldMail(ctx: Context, call: Call): void {
  const cause = `call:${call.id}:held`
  queueMessage(ctx, { cause, to: call.email, userId: null }, callHeldMail(factsOf(ctx, call)))
}

export function queueBookedMails(ctx: Context, call: Call): void {
  const facts = factsOf(ctx, call)
  queueForCaller(ctx, call, { what: 'booked', message: callBookedMail(firstNameOf(call), facts) })
  notifyOwners(ctx, call, 'booked')
}

export function queueMovedMails(ctx: Context, { before, after }: { before: Call; after: Call }): void {
  const message = callMovedMail(firstNameOf(after), { ...factsOf(ctx, after), before: before.startsAt })
  queueForCaller(ctx, after, { what: `moved:${after.moves}`, message })
  notifyOwners(ctx, after, 'moved', before.startsAt)
}

export function queueCancelledMails(ctx: Context, call: Call): void {
  queueForCaller(ctx, call, { what: 'cancelled', message: callCancelledMail(firstNameOf(call), factsOf(ctx, call)) })
  notifyOwners(ctx, call, 'cancelled')
}

export function queueReminder(ctx: Context, call: Call): void {
  const message = callReminderMail(firstNameOf(call), factsOf(ctx, call))
  queueForCaller(ctx, call, { what: `reminder:${call.moves}`, message, purpose: 'call-reminder' })
}

type Mail = { what: string; message: Message; purpose?: MailPurpose }

function queueForCaller(ctx: Context, call: Call, { what, message, ...purpose }: Mail): void {
  const envelope = { cause: `call:${call.id}:${what}`, to: call.email, userId: call.userId, isRepeatable: true }
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
  for (const to of ctx.settings.ownerEmails) {
    const cause = `call:${call.id}:${what}:${call.moves}:owner:${to}`
    queueMessage(ctx, { cause, to, replyTo: email, userId: null, isRepeatable: true }, message)
  }
}

const firstNameOf = ({ name }: Call) => name.trim().split(/\s+/)[0] ?? ''
