import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { notFound, versionConflict } from '#api/errors.ts'
import type { Member, Owner } from '#api/identity/person.ts'
import type { CallAgreementRequest } from '#shared/contract/calendar.ts'
import { isMemberCall } from '#shared/contract/call-kind.ts'
import type { CallAgreement, MemberCall, MemberCalls } from '#shared/contract/member-calls.ts'
import { changeCall } from './booking-service.ts'
import { linkOf } from './link-service.ts'
import { type Booking, type Call, callsOfMember, coachNames, findCall } from './queries.ts'
import { lengthFor } from './slots-service.ts'

type Agreed = Pick<Booking, 'id' | 'agreed' | 'agreedBy' | 'agreedAt' | 'agreedVersion'>

export const toAgreement = ({
  id,
  agreed,
  agreedBy: by,
  agreedAt: at,
  agreedVersion: version,
}: Agreed): CallAgreement => ({
  id,
  agreed,
  by,
  at,
  version,
})

export function readMemberCalls(ctx: Context, member: Member): MemberCalls {
  const { minutes, isIncluded } = lengthFor(ctx, 'coaching', member)
  const nameOf = coachNames(ctx)
  const calls = callsOfMember(ctx, member.id).map((call) => toMemberCall(ctx, call, nameOf))
  const next = calls.findLast(({ link }) => link !== null)
  return {
    next: next?.link ? { ...pick(next), link: next.link } : null,
    // An owner has no membership that includes calls.
    includedMinutes: isIncluded && !member.isAdmin ? minutes : null,
    calls,
  }
}

const pick = ({ coachName: name, startsAt, minutes }: MemberCall) => ({ coachName: name, startsAt, minutes })

function toMemberCall(ctx: Context, call: Call, nameOf: (id: string) => string): MemberCall {
  const isToCome = call.status === 'scheduled' && Date.parse(call.startsAt) > ctx.billingNow().getTime()
  return {
    ...toAgreement(call),
    kind: call.kind === 'catch-up' ? call.kind : 'coaching',
    coachName: nameOf(call.coach),
    startsAt: call.startsAt,
    minutes: call.duration,
    link: isToCome ? linkOf(ctx, call) : null,
  }
}

type Change = CallAgreementRequest & { id: string }

/** What the member says was agreed. Not found if the call is someone else's. */
export function writeOwnAgreement(ctx: Context, member: Member, change: Change): CallAgreement {
  return transact(ctx, () => {
    const call = agreedCall(ctx, change.id)
    if (call.userId !== member.id) throw notFound('This call')
    return toAgreement(updateAgreement(ctx, call, { ...change, by: 'member' }))
  })
}

export const readAgreement = (ctx: Context, id: string): CallAgreement => toAgreement(agreedCall(ctx, id))

export function writeAgreement(ctx: Context, owner: Owner, change: Change): CallAgreement {
  return transact(ctx, () => {
    const before = agreedCall(ctx, change.id)
    const after = updateAgreement(ctx, before, { ...change, by: 'coach' })
    // The text is private, so the log records only that it changed.
    if (after !== before)
      audit(ctx, owner.actor, 'call.agreed', {
        targetId: before.userId ?? before.id,
        detail: { startsAt: before.startsAt },
      })
    return toAgreement(after)
  })
}

function agreedCall(ctx: Context, id: string): Call {
  const call = findCall(ctx, id)
  if (call === undefined || call.heldUntil !== null || !isMemberCall(call.kind)) throw notFound('This call')
  return call
}

/** Sending the same text again after a lost response isn't a conflict. */
function updateAgreement(ctx: Context, call: Call, { agreed, version, by }: Change & { by: 'coach' | 'member' }): Call {
  if (agreed === call.agreed) return call
  if (version !== call.agreedVersion)
    throw versionConflict({ sent: { id: call.id, agreed, version }, current: toAgreement(call) })
  return changeCall(ctx, call.id, {
    agreed,
    agreedBy: by,
    agreedAt: ctx.now().toISOString(),
    agreedVersion: version + 1,
  })
}
