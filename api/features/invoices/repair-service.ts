import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { customersOf } from '#api/db/whose.ts'
import { notFound } from '#api/errors.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { findCustomerState } from '#api/stripe/customers.ts'
import { toAppError } from '#api/stripe/errors.ts'
import type { FixInvoicesRequest, FixInvoicesResponse, FixInvoicesResult } from '#shared/contract/invoices.ts'
import { plannedFixes } from './plan.ts'
import { reissueRemoved, reissueWithAddress } from './reissue-service.ts'

type Member = { memberId: string; name: string; email: string; stripeCustomerId: string }
type Fixed = { hasPaid: boolean; created: number; message?: string }

/** So many members are read from the provider at once. */
const atOnce = 4

const running = new WeakMap<Context, Map<string, Promise<FixInvoicesResponse>>>()

/**
 * Goes over everybody who ever paid, or one member: reads the provider afresh, issues the VAT invoices that are missing,
 * and puts right those without an address. Asked again while it runs, it gives the run's answer to both.
 */
export function repairMemberInvoices(
  ctx: Context,
  actor: string,
  request: FixInvoicesRequest,
): Promise<FixInvoicesResponse> {
  const runs = running.get(ctx) ?? new Map<string, Promise<FixInvoicesResponse>>()
  running.set(ctx, runs)
  const key = JSON.stringify([request.memberId, request.dryRun])
  const run = runs.get(key) ?? fix(ctx, actor, request).finally(() => runs.delete(key))
  runs.set(key, run)
  return run
}

async function fix(
  ctx: Context,
  actor: string,
  { memberId, dryRun }: FixInvoicesRequest,
): Promise<FixInvoicesResponse> {
  const members = membersToFix(ctx, memberId)
  const fixed = await inTurns(members, (member) => fixMember(ctx, member, dryRun))
  const results = fixed.filter((result) => result !== null)
  const createdCount = results.reduce((sum, { created }) => sum + created, 0)
  const problemCount = results.filter(({ status }) => status !== 'vat_invoice_created').length
  if (!dryRun) {
    const about = members.length === 1 && memberId !== undefined ? { targetId: members[0]?.memberId ?? '' } : {}
    transact(ctx, () =>
      audit(ctx, actor, 'invoices.fixed', {
        ...about,
        detail: { createdCount, problemCount, members: results.length },
      }),
    )
  }
  return { results, createdCount, problemCount, dryRun }
}

function membersToFix(ctx: Context, memberId: string | undefined): Member[] {
  const members = ctx.sqlite
    .prepare<[{ memberId: string | null }], Member>(
      `select users.id as memberId, users.email, customers.stripeCustomerId,
         coalesce(nullif(trim(coalesce(firstName, '') || ' ' || coalesce(lastName, '')), ''), email) as name
       from customers join users on users.id = customers.userId
       where @memberId is null or users.id = @memberId or users.email = lower(@memberId) order by users.id`,
    )
    .all({ memberId: memberId ?? null })
  if (memberId !== undefined && members.length === 0) throw notFound('This member')
  return members
}

/** Null for somebody who never paid. */
async function fixMember(ctx: Context, member: Member, dryRun: boolean): Promise<FixInvoicesResult | null> {
  const { memberId, name, email } = member
  try {
    const state = await findCustomerState(ctx, member.stripeCustomerId)
    if (state !== 'there') {
      const status = state === 'deleted' ? 'customer_deleted' : 'customer_not_found'
      return { memberId, name, email, status, created: 0, message: messages[status] }
    }
    const { hasPaid, created, message } = await (dryRun ? planCustomer(ctx, member) : fixCustomer(ctx, member))
    const about = message === undefined ? {} : { message }
    return hasPaid ? { memberId, name, email, status: 'vat_invoice_created', created, ...about } : null
  } catch (error) {
    const known = toAppError(ctx, error)
    if (known === error) ctx.log.error('invoices not fixed', { memberId, reason: String(error) })
    const message = known !== error && known instanceof Error ? known.message : messages.error
    return { memberId, name, email, status: 'error', created: 0, message }
  }
}

const messages = {
  customer_not_found: 'The payment provider knows no such customer.',
  customer_deleted: 'The customer was deleted at the payment provider.',
  error: 'Something went wrong with this member. The log says more.',
}

async function planCustomer(ctx: Context, member: Member): Promise<Fixed> {
  const { removed, ...planned } = await plannedFixes(ctx, member)
  if (removed.length === 0) return planned
  return { ...planned, message: `Would issue anew what was removed: ${removed.join(', ')}.` }
}

async function fixCustomer(ctx: Context, { memberId, stripeCustomerId }: Member): Promise<Fixed> {
  const before = countIssued(ctx, memberId)
  await syncCustomer(ctx, stripeCustomerId, { isFix: true })
  const reissues = customersOf(ctx, memberId).flatMap((customer) => {
    reissueWithAddress(ctx, customer)
    return reissueRemoved(ctx, customer)
  })
  const after = countIssued(ctx, memberId)
  const fixed = { hasPaid: after > 0, created: after - before }
  if (reissues.length === 0) return fixed
  const pairs = reissues.map(({ removed, anew }) => `${anew} for ${removed}`).join(', ')
  return { ...fixed, message: `Issued anew, because it had been removed: ${pairs}.` }
}

const countIssued = (ctx: Context, userId: string): number =>
  customersOf(ctx, userId).reduce((sum, { id }) => sum + issuedTo(ctx, id), 0)

const issuedTo = (ctx: Context, customerId: string): number =>
  ctx.sqlite.prepare<[string], number>('select count(*) from invoices where customerId = ?').pluck().get(customerId) ??
  0

/** Works through a list, a few at a time; answers in its order. */
async function inTurns<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const worker = async () => {
    for (const [at, item] of waiting) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
