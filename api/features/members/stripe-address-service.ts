import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { customers } from '#api/db/schema/customers.ts'
import { AppError, memberNotFound } from '#api/errors.ts'
import { addressProblem, changeProfile, readProfile } from '#api/features/profile/account-service.ts'
import { listOtherAddresses } from '#api/features/subscriptions/provider-address-service.ts'
import type { Owner } from '#api/identity/person.ts'
import { setCustomerEmail } from '#api/stripe/customers.ts'
import { lookingAgainForOwner } from '#api/stripe/look-again.ts'
import { Email } from '#shared/contract/fields.ts'
import { MemberProfileRequest, type StripeAddressDecision } from '#shared/contract/member-record.ts'
import type { AdminMemberDetail } from '#shared/contract/members.ts'
import { findMember } from './queries.ts'

type Decision = StripeAddressDecision & { memberId: string }

/** Someone changed the address in Stripe's dashboard: it becomes the account's, like any an owner types, or ours goes back there. */
export async function decideStripeAddress(ctx: Context, owner: Owner, decision: Decision): Promise<AdminMemberDetail> {
  const { memberId, counts, address } = decision
  const [open] = listOtherAddresses(ctx, memberId)
  if (open === undefined) throw new AppError('conflict', 'Stripe has the same address as we do.')
  if (open.address !== address)
    throw new AppError('conflict', `Stripe has ${open.address} now. Look again, then choose.`)
  if (counts === 'ours') await lookingAgainForOwner(ctx, () => setCustomerEmail(ctx, open.stripeCustomerId, open.email))
  transact(ctx, () => {
    if (counts === 'stripe') takeOver(ctx, owner, { memberId, address })
    ctx.db.update(customers).set({ emailAtStripe: null }).where(eq(customers.userId, memberId)).run()
    audit(ctx, owner.actor, 'member.email_at_stripe', { targetId: memberId, detail: { counts } })
  })
  const member = findMember(ctx, memberId)
  if (member === null) throw memberNotFound()
  return member
}

function takeOver(ctx: Context, owner: Owner, { memberId, address }: { memberId: string; address: string }): void {
  const email = v.safeParse(Email, address)
  const problem = email.success ? addressProblem(ctx, memberId, email.output) : 'We can’t email that address.'
  if (!email.success || problem !== null) throw new AppError('conflict', problem ?? '')
  const request = v.parse(MemberProfileRequest, { ...readProfile(ctx, memberId), email: email.output })
  changeProfile(ctx, owner, { memberId, request })
}
