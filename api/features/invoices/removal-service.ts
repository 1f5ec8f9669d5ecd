import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { customersOf } from '#api/db/whose.ts'
import { notFound } from '#api/errors.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { findCustomerState } from '#api/stripe/customers.ts'
import { type Draft, isOfLiveSubscription, listDrafts, removeDraft } from '#api/stripe/draft-invoices.ts'
import type { DeleteInvoicesRequest, DeleteInvoicesResponse } from '#shared/contract/invoices.ts'
import { leftOf } from '#shared/rules/credit-note.ts'
import { creditedOf, creditRest } from './credit-note-service.ts'
import type { InvoiceRow } from './particulars-rules.ts'
import { isRemoved, newestInvoices } from './queries.ts'

/** `liveCount` of the errors are drafts of subscriptions that go on. */
type Removal = { deleted: string[]; errorCount: number; liveCount: number }

const nothingRemoved = (): Removal => ({ deleted: [], errorCount: 0, liveCount: 0 })

/**
 * Takes away what may be: drafts at the provider, unless a subscription that goes on made them, and retroactive invoices of ours, which a credit note takes back whole;
 * their numbers stay. Every other invoice is final and is left as it is.
 */
export async function deleteMemberInvoices(
  ctx: Context,
  actor: string,
  { memberId, dryRun }: DeleteInvoicesRequest,
): Promise<DeleteInvoicesResponse> {
  const member = findMember(ctx, memberId)
  const { stripeCustomerId } = member
  const customers = customersOf(ctx, member.id)
  const removed = removeRetroactive(ctx, customers, dryRun)
  const drafts: Removal =
    stripeCustomerId === null ? nothingRemoved() : await removeDrafts(ctx, stripeCustomerId, dryRun)
  const deleted = [...removed, ...drafts.deleted]
  const finalizedCount = countFinal(ctx, customers, dryRun ? removed : [])
  const { errorCount, liveCount } = drafts
  if (!dryRun) {
    const detail = { deleted, errorCount, finalizedCount }
    transact(ctx, () => audit(ctx, actor, 'invoices.deleted', { targetId: member.id, detail }))
  }
  const sentences = [
    ...(finalizedCount > 0 ? ['Finalized invoices cannot be deleted'] : []),
    ...(liveCount > 0 ? ['Drafts of a running subscription cannot be deleted'] : []),
  ]
  const message = sentences.length > 0 ? { message: sentences.join('. ') } : {}
  return { deletedCount: deleted.length, errorCount, finalizedCount, ...message, deleted, dryRun }
}

type HisCustomer = { id: string }
const invoicesOfAll = (ctx: Context, customers: readonly HisCustomer[]) =>
  customers.flatMap(({ id }) => newestInvoices(ctx, id))

type MemberRow = { id: string; stripeCustomerId: string | null }

function findMember(ctx: Context, idOrEmail: string): MemberRow {
  const row = ctx.sqlite
    .prepare<[string, string], MemberRow>(
      `select users.id, customers.stripeCustomerId
       from users left join customers on customers.userId = users.id where users.id = ? or users.email = ?`,
    )
    .get(idOrEmail, idOrEmail.toLowerCase())
  if (row === undefined) throw notFound('This member')
  return row
}

/** All that still stands and was marked retroactive, in one transaction: two runs at once remove each of them once. */
function removeRetroactive(ctx: Context, customers: readonly HisCustomer[], dryRun: boolean): string[] {
  return transact(ctx, () => {
    const found = invoicesOfAll(ctx, customers).filter((invoice) => isRemovable(ctx, invoice))
    if (!dryRun) {
      for (const invoice of found) creditRest(ctx, invoice, { kind: 'removal', reason: 'Retroactive invoice removed' })
    }
    return found.map(({ number }) => number)
  })
}

const isRemovable = (ctx: Context, invoice: InvoiceRow) =>
  invoice.isRetroactive && leftOf(invoice, creditedOf(ctx, invoice.id)).gross > 0

/** Those that stand and stay; `leavingOut` are the ones that a real run would remove. */
const countFinal = (ctx: Context, customers: readonly HisCustomer[], leavingOut: readonly string[]): number =>
  invoicesOfAll(ctx, customers).filter((invoice) => !isRemoved(ctx, invoice) && !leavingOut.includes(invoice.number))
    .length

async function removeDrafts(ctx: Context, stripeCustomerId: string, dryRun: boolean): Promise<Removal> {
  const removal = nothingRemoved()
  try {
    if ((await findCustomerState(ctx, stripeCustomerId)) !== 'there') return removal
    for (const draft of await listDrafts(ctx, stripeCustomerId)) {
      const outcome = await takeAway(ctx, draft, dryRun)
      if (outcome === 'deleted') removal.deleted.push(draft.id)
      else removal.errorCount += 1
      if (outcome === 'live') removal.liveCount += 1
    }
    if (!dryRun && removal.deleted.length > 0) await syncCustomer(ctx, stripeCustomerId)
  } catch (error) {
    ctx.log.warn('drafts not read', { stripeCustomerId, name: error instanceof Error ? error.name : 'unknown' })
    removal.errorCount += 1
  }
  return removal
}

/** One that stays behind does not stop the rest. */
async function takeAway(ctx: Context, draft: Draft, dryRun: boolean): Promise<'deleted' | 'live' | 'failed'> {
  try {
    if (await isOfLiveSubscription(ctx, draft)) return 'live'
    if (!dryRun) await removeDraft(ctx, draft)
    return 'deleted'
  } catch (error) {
    ctx.log.warn('draft not removed', { invoice: draft.id, name: error instanceof Error ? error.name : 'unknown' })
    return 'failed'
  }
}
