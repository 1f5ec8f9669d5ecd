import { asc, count, eq, or } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import { type Context, perContext } from '#api/context.ts'
import { displayName, listCustomersOfUser } from '#api/db/customers.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { users } from '#api/db/schema/people.ts'
import { AppError, memberNotFound } from '#api/errors.ts'
import { waitingNotes } from '#api/features/invoices/credit-note-service.ts'
import { isRemoved, newestInvoice, newestInvoices } from '#api/features/invoices/queries.ts'
import {
  canGetAddress,
  needsAddress,
  reissueRemoved,
  reissueWithAddress,
} from '#api/features/invoices/reissue-service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { adoptionsOf } from '#api/features/subscriptions/adoption-queries.ts'
import { creditAnswersOf } from '#api/features/subscriptions/credit-queries.ts'
import { findSubscription } from '#api/features/subscriptions/queries.ts'
import { findCustomerState } from '#api/stripe/customers.ts'
import { toOwnerError } from '#api/stripe/errors.ts'
import { lookingAgain } from '#api/stripe/look-again.ts'
import type { CreditAnswers } from '#api/stripe/read-credits.ts'
import { type InvoiceState, readInvoices } from '#api/stripe/read-invoices.ts'
import type { FixInvoicesRequest, FixInvoicesResponse, FixInvoicesResult } from '#shared/contract/invoices.ts'
import { addAddress } from '#shared/rules/invoice-problems.ts'

const concurrency = 4

const runsOf = perContext(() => new Map<string, Promise<FixInvoicesResponse>>())

/** Issues missing VAT invoices and replaces those without an address. A concurrent second request shares the run. */
export function repairMemberInvoices(
  ctx: Context,
  actor: string,
  request: FixInvoicesRequest,
): Promise<FixInvoicesResponse> {
  const runs = runsOf(ctx)
  const key = JSON.stringify([request.memberId, request.dryRun])
  const run = runs.get(key) ?? repairAll(ctx, actor, request).finally(() => runs.delete(key))
  runs.set(key, run)
  return run
}

async function repairAll(
  ctx: Context,
  actor: string,
  { memberId, dryRun }: FixInvoicesRequest,
): Promise<FixInvoicesResponse> {
  const members = membersToRepair(ctx, memberId)
  const outcomes = await mapConcurrently(members, (member) => repairMember(ctx, member, dryRun))
  const results = outcomes.filter((result) => result !== null)
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

function membersToRepair(ctx: Context, idOrEmail: string | undefined) {
  const isMeant =
    idOrEmail === undefined ? undefined : or(eq(users.id, idOrEmail), eq(users.email, idOrEmail.toLowerCase()))
  const members = ctx.db
    .select({
      memberId: users.id,
      email: users.email,
      stripeCustomerId: customers.stripeCustomerId,
      name: displayName,
    })
    .from(customers)
    .innerJoin(users, eq(users.id, customers.userId))
    .where(isMeant)
    .orderBy(asc(users.id))
    .all()
  if (idOrEmail !== undefined && members.length === 0) throw memberNotFound()
  return members
}

type Member = ReturnType<typeof membersToRepair>[number]

/** Null for a member who never paid. */
async function repairMember(ctx: Context, member: Member, dryRun: boolean): Promise<FixInvoicesResult | null> {
  const { memberId, name, email } = member
  try {
    const state = await findCustomerState(ctx, member.stripeCustomerId)
    if (state !== 'there') {
      const status = state === 'deleted' ? 'customer_deleted' : 'customer_not_found'
      return { memberId, name, email, status, created: 0, message: messages[status] }
    }
    const { hasPaid, created, message } = await (dryRun ? planRepair(ctx, member) : repairCustomer(ctx, member))
    const sentences = [message, sayWithoutAddress(ctx, memberId)].filter((part) => part !== undefined)
    const about = sentences.length === 0 ? {} : { message: sentences.join(' ') }
    return hasPaid ? { memberId, name, email, status: 'vat_invoice_created', created, ...about } : null
  } catch (error) {
    const known = toOwnerError(ctx, error)
    if (known === error) ctx.log.error('invoices not fixed', { memberId, reason: String(error) })
    const message = known !== error && known instanceof AppError ? known.message : messages.error
    return { memberId, name, email, status: 'error', created: 0, message }
  }
}

/** No run can fix these: we don't know where the member lives. */
function sayWithoutAddress(ctx: Context, memberId: string): string | undefined {
  const numbers = listCustomersOfUser(ctx, memberId)
    .flatMap(({ id }) => newestInvoices(ctx, id))
    .filter((invoice) => needsAddress(ctx, invoice) && !canGetAddress(ctx, invoice))
    .map(({ number }) => number)
  if (numbers.length === 0) return undefined
  return `There’s no address for ${numbers.join(', ')}. ${addAddress}`
}

const messages = {
  customer_not_found: 'Stripe doesn’t have this customer.',
  customer_deleted: 'This customer was deleted in Stripe.',
  error: 'Something went wrong with this member. See the log.',
}

type Repair = { hasPaid: boolean; created: number; message?: string }

/** What a run would issue, read from the provider and our rows. Writes nothing. */
async function planRepair(ctx: Context, { memberId, stripeCustomerId }: Member): Promise<Repair> {
  const settled = await readSettled(ctx, stripeCustomerId, creditAnswersOf(ctx, stripeCustomerId))
  const paid = settled.filter(tookMoney)
  const missing = paid.filter(({ id }) => newestInvoice(ctx, id) === undefined)
  const own = listCustomersOfUser(ctx, memberId)
  const issued = own.flatMap(({ id }) => newestInvoices(ctx, id))
  const removed = issued.filter((invoice) => isRemoved(ctx, invoice))
  const incomplete = issued.filter((invoice) => canGetAddress(ctx, invoice))
  const plan = {
    hasPaid: paid.length + issued.length > 0,
    created: missing.length + removed.length + incomplete.length,
  }
  const numbers = removed.map(({ number }) => number)
  const notes = own.flatMap((customer) => waitingNotes(ctx, customer))
  return said(plan, [
    ['Would issue these removed invoices again:', numbers],
    ['Would issue credit notes that were held up:', notes],
  ])
}

/** What the provider says is paid, with what owners said of credit. Credit may have paid all of it. */
export async function readSettled(
  ctx: Context,
  stripeCustomerId: string,
  answers: CreditAnswers,
): Promise<InvoiceState[]> {
  const adoptions = adoptionsOf(ctx, stripeCustomerId)
  const isOurs = (id: string) => adoptions.has(id) || findSubscription(ctx, id) !== undefined
  const { invoices: read } = await readInvoices(ctx, stripeCustomerId, { adoptions, answers, isOurs })
  return read.filter(({ status, isHistory }) => status === 'paid' && !isHistory)
}

/** Money or credit that came from money: goodwill alone pays for nothing that’s invoiced. */
export const tookMoney = ({ amountPaid, fromCredit }: InvoiceState): boolean => amountPaid + fromCredit > 0

function said(repair: Repair, lists: readonly [about: string, of: readonly string[]][]): Repair {
  const lines = lists.flatMap(([about, of]) => (of.length === 0 ? [] : [`${about} ${of.join(', ')}.`]))
  return lines.length === 0 ? repair : { ...repair, message: lines.join(' ') }
}

async function repairCustomer(ctx: Context, { memberId, stripeCustomerId }: Member): Promise<Repair> {
  const before = countIssued(ctx, memberId)
  const notes = listCustomersOfUser(ctx, memberId).flatMap((customer) => waitingNotes(ctx, customer))
  await lookingAgain(() => syncCustomer(ctx, stripeCustomerId, { isFix: true }))
  const reissues = listCustomersOfUser(ctx, memberId).flatMap((customer) => {
    reissueWithAddress(ctx, customer)
    return reissueRemoved(ctx, customer)
  })
  const after = countIssued(ctx, memberId)
  const repair = { hasPaid: after > 0, created: after - before }
  const pairs = reissues.map(({ removed, replacement }) => `${replacement} for ${removed}`)
  return said(repair, [
    ['Issued again after removal:', pairs],
    ['Issued credit notes that were held up:', notes],
  ])
}

const issuedToCustomer = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db.select({ issued: count() }).from(invoices).where(eq(invoices.customerId, customerId)),
)

const countIssued = (ctx: Context, userId: string): number =>
  listCustomersOfUser(ctx, userId).reduce(
    (sum, { id }) => sum + (issuedToCustomer.get(ctx, { customerId: id })?.issued ?? 0),
    0,
  )

/** Processes a list a few items at a time. Keeps the order in its results. */
async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const remaining = items.entries()
  const worker = async () => {
    for (const [at, item] of remaining) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return results
}
