import { and, asc, eq, notLike } from 'drizzle-orm'
import * as v from 'valibot'
import { auditEntries } from '#api/db/schema/audit.ts'
import { MemberRecord } from '#shared/contract/member-record.ts'
import { beginJoin, sam } from './joining.ts'
import type { PaymentWorld } from './payments.ts'
import type { Call } from './world.ts'

export const readRecord = async (owner: Call, who: string) =>
  v.parse(MemberRecord, await (await owner(`/api/admin/members/${who}/record`)).json())

/** A member who has joined and paid. `at` is the address of their record. */
export async function joinAsSam(world: PaymentWorld, owner: Call) {
  const { call, response } = await beginJoin(world.call)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  const { member } = await readRecord(owner, sam.email)
  return { call, id: member.id, at: `/api/admin/members/${member.id}` }
}

/** What was done to a member, and by whom, without their logins. */
export const auditedOf = ({ ctx }: PaymentWorld, id: string) =>
  ctx.db
    .select({ action: auditEntries.action, actor: auditEntries.actor })
    .from(auditEntries)
    .where(and(eq(auditEntries.targetId, id), notLike(auditEntries.action, 'auth.%')))
    .orderBy(asc(auditEntries.id))
    .all()
