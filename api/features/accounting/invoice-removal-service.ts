import { eq, or } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { listCustomersOfUser } from '#api/db/customers.ts'
import { transact } from '#api/db/open.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { memberNotFound } from '#api/errors.ts'
import { creditRemainder } from '#api/features/invoices/credit-note-service.ts'
import { creditedAmounts, type InvoiceRow, isRemoved, newestInvoices } from '#api/features/invoices/queries.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { errorName } from '#api/log.ts'
import { findCustomerState } from '#api/stripe/customers.ts'
import { type Draft, isOfLiveSubscription, listDrafts, removeDraft } from '#api/stripe/invoices.ts'
import type { DeleteInvoicesRequest, DeleteInvoicesResponse } from '#shared/contract/invoices.ts'
import { remainingAmounts } from '#shared/rules/credit-note.ts'

/** `liveCount` is how many of the errors are drafts of running subscriptions. */
type Removal = { deleted: string[]; errorCount: number; liveCount: number }

const nothingRemoved = (): Removal => ({ deleted: [], errorCount: 0, liveCount: 0 })

/** Deletes drafts no running subscription made, and credits retroactive invoices in full. All others are final. */
export async function deleteMemberInvoices(
  ctx: Context,
  actor: string,
  { memberId, dryRun }: DeleteInvoicesRequest,
): Promise<DeleteInvoicesResponse> {
  const member = findMember(ctx, memberId)
  const { stripeCustomerId } = member
  const ownCustomers = listCustomersOfUser(ctx, member.id)
  const removed = removeRetroactive(ctx, ownCustomers, dryRun)
  const drafts = stripeCustomerId === null ? nothingRemoved() : await removeDrafts(ctx, stripeCustomerId, dryRun)
  const deleted = [...removed, ...drafts.deleted]
  const finalizedCount = countFinal(ctx, ownCustomers, dryRun ? removed : [])
  const { errorCount, liveCount } = drafts
  if (!dryRun) {
    const detail = { deleted, errorCount, finalizedCount }
    transact(ctx, () => audit(ctx, actor, 'invoices.deleted', { targetId: member.id, detail }))
  }
  const sentences = [
    ...(finalizedCount > 0 ? ['Finalized invoices cannot be deleted'] : []),
    ...(liveCount > 0 ? ['You can’t delete drafts of a running subscription'] : []),
  ]
  const message = sentences.length > 0 ? { message: sentences.join('. ') } : {}
  return { deletedCount: deleted.length, errorCount, finalizedCount, ...message, deleted, dryRun }
}

function findMember(ctx: Context, idOrEmail: string) {
  const member = ctx.db
    .select({ id: users.id, stripeCustomerId: customers.stripeCustomerId })
    .from(users)
    .leftJoin(customers, eq(customers.userId, users.id))
    .where(or(eq(users.id, idOrEmail), eq(users.email, idOrEmail.toLowerCase())))
    .get()
  if (member === undefined) throw memberNotFound()
  return member
}

type OwnCustomers = ReturnType<typeof listCustomersOfUser>

const invoicesOfAll = (ctx: Context, ownCustomers: OwnCustomers) =>
  ownCustomers.flatMap(({ id }) => newestInvoices(ctx, id))

/** Every retroactive invoice not fully credited, in one transaction, so that two concurrent runs remove each only once. */
function removeRetroactive(ctx: Context, ownCustomers: OwnCustomers, dryRun: boolean): string[] {
  return transact(ctx, () => {
    const found = invoicesOfAll(ctx, ownCustomers).filter((invoice) => isRemovable(ctx, invoice))
    if (!dryRun) {
      for (const invoice of found) {
        creditRemainder(ctx, invoice, { kind: 'removal', reason: 'Retroactive invoice removed' })
      }
    }
    return found.map(({ number }) => number)
  })
}

const isRemovable = (ctx: Context, invoice: InvoiceRow) =>
  invoice.isRetroactive && remainingAmounts(invoice, creditedAmounts(ctx, invoice.id)).gross > 0

/** `leavingOut` are the ones a real run would remove. */
const countFinal = (ctx: Context, ownCustomers: OwnCustomers, leavingOut: readonly string[]): number =>
  invoicesOfAll(ctx, ownCustomers).filter((invoice) => !isRemoved(ctx, invoice) && !leavingOut.includes(invoice.number))
    .length

async function removeDrafts(ctx: Context, stripeCustomerId: string, dryRun: boolean): Promise<Removal> {
  const removal = nothingRemoved()
  try {
    if ((await findCustomerState(ctx, stripeCustomerId)) !== 'there') return removal
    for (const draft of await listDrafts(ctx, stripeCustomerId)) {
      const outcome = await tryRemoveDraft(ctx, draft, dryRun)
      if (outcome === 'deleted') removal.deleted.push(draft.id)
      else removal.errorCount += 1
      if (outcome === 'live') removal.liveCount += 1
    }
    if (!dryRun && removal.deleted.length > 0) await syncCustomer(ctx, stripeCustomerId)
  } catch (error) {
    ctx.log.warn('drafts not read', { stripeCustomerId, name: errorName(error) })
    removal.errorCount += 1
  }
  return removal
}

/** One failed removal doesn't stop the others. */
async function tryRemoveDraft(ctx: Context, draft: Draft, dryRun: boolean): Promise<'deleted' | 'live' | 'failed'> {
  try {
    if (await isOfLiveSubscription(ctx, draft)) return 'live'
    if (!dryRun) await removeDraft(ctx, draft)
    return 'deleted'
  } catch (error) {
    ctx.log.warn('draft not removed', { invoice: draft.id, name: errorName(error) })
    return 'failed'
  }
}
