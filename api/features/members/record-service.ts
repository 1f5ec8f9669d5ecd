import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { countWhere } from '#api/db/query.ts'
import { users } from '#api/db/schema/people.ts'
import { knownDevices } from '#api/db/schema/sessions.ts'
import { notFound } from '#api/errors.ts'
import { accessOfUser } from '#api/features/access/queries.ts'
import { billingAddressOf } from '#api/features/billing/purchases/address-service.ts'
import { termsOfSubscription } from '#api/features/billing/purchases/attempts-service.ts'
import { findPaymentMethod } from '#api/features/billing/queries.ts'
import { billingView } from '#api/features/billing/view-service.ts'
import { listPaymentsOfUser } from '#api/features/invoices/list-queries.ts'
import type { MemberRecord } from '#shared/contract/member-record.ts'
import { findGuarantee } from './guarantee-service.ts'
import { readProfile } from './profile-service.ts'
import { findMember } from './queries.ts'

/** `idOrEmail`: a member is linked to by either. */
export function readRecord(ctx: Context, idOrEmail: string): MemberRecord {
  const member = findMember(ctx, idOrEmail)
  if (member === null) throw notFound('This member')
  const { id, isAdmin } = member
  const access = accessOfUser(ctx, id)
  const seen = ctx.db.select({ at: users.lastSeenAt }).from(users).where(eq(users.id, id)).get()
  return {
    member,
    profile: readProfile(ctx, id),
    lastSeenAt: seen?.at ?? null,
    devices: countWhere(ctx, knownDevices, eq(knownDevices.userId, id)),
    billing: billingView(ctx, { id, access, isAdmin }),
    paymentMethod: findPaymentMethod(ctx, id) ?? null,
    address: billingAddressOf(ctx, id),
    freeAccess: access.isGranted ? { until: access.freeUntil } : null,
    guarantee: findGuarantee(ctx, id),
    payments: listPaymentsOfUser(ctx, id),
    termsVersion: access.subscriptionId === null ? null : termsOfSubscription(ctx, access.subscriptionId),
  }
}
