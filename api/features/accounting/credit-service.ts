import { and, asc, eq, isNull, lt } from 'drizzle-orm'
import { auditWish } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { displayName, userIdOfCustomer } from '#api/db/customers.ts'
import { isNoneOf } from '#api/db/expressions.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { customerCredits, providerInvoices } from '#api/db/schema/provider.ts'
import { AppError, notFound } from '#api/errors.ts'
import { newestInvoices } from '#api/features/invoices/queries.ts'
import { replaceInvoice } from '#api/features/invoices/reissue-service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import type { Owner } from '#api/http/session.ts'
import { withKeyLock } from '#api/key-lock.ts'
import { toOwnerError } from '#api/stripe/errors.ts'
import type { AnswerCreditRequest, AnsweredCredit, MemberCredit } from '#shared/contract/accounting.ts'
import { type CreditAnswer, isToAnswer, sourceOf } from '#shared/rules/credit.ts'

const fields = {
  id: customerCredits.id,
  type: customerCredits.type,
  amount: customerCredits.amount,
  createdAt: customerCredits.created,
  answer: customerCredits.answer,
  customerId: customers.id,
  stripeCustomerId: customers.stripeCustomerId,
  memberId: users.id,
  name: displayName,
  email: users.email,
}

const creditsToAnswer = preparedQuery()((db) =>
  db
    .select(fields)
    .from(customerCredits)
    .innerJoin(customers, eq(customers.id, customerCredits.customerId))
    .leftJoin(users, eq(users.id, userIdOfCustomer()))
    .where(and(lt(customerCredits.amount, 0), isNoneOf(customerCredits.type, 'unapplied_from_invoice')))
    .orderBy(asc(customerCredits.created), asc(customerCredits.id)),
)

const creditById = preparedQuery<{ id: string }>()((db, { id }) =>
  db
    .select(fields)
    .from(customerCredits)
    .innerJoin(customers, eq(customers.id, customerCredits.customerId))
    .leftJoin(users, eq(users.id, userIdOfCustomer()))
    .where(eq(customerCredits.id, id)),
)

type Row = ReturnType<typeof creditsToAnswer.all>[number]

/** What no type tells counts as money until an owner answers: our invoice is for the whole supply. */
const toCredit = ({ customerId: _customer, stripeCustomerId: _stripe, ...row }: Row): MemberCredit => ({
  ...row,
  name: row.memberId === null ? null : row.name,
  amount: 0 - row.amount,
  counts: row.answer ?? sourceOf(row.type) ?? 'money',
})

/** Credit an owner has to say something about: put there by hand, or of a type that says nothing. */
export const listCredits = (ctx: Context): MemberCredit[] => creditsToAnswer.all(ctx).filter(isToAnswer).map(toCredit)

export const unansweredCredits = (ctx: Pick<Context, 'db'>): number => unanswered.all(ctx).filter(isToAnswer).length

const unanswered = preparedQuery()((db) =>
  db
    .select({ type: customerCredits.type, amount: customerCredits.amount })
    .from(customerCredits)
    .where(isNull(customerCredits.answer)),
)

const saveAnswer = preparedQuery<{ id: string; answer: CreditAnswer }>()((db, { id, answer }) =>
  db.update(customerCredits).set({ answer }).where(eq(customerCredits.id, id)),
)

const paymentsOfCustomer = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({ id: providerInvoices.id, total: providerInvoices.total, fromCredit: providerInvoices.fromCredit })
    .from(providerInvoices)
    .where(eq(providerInvoices.customerId, customerId)),
)

const priced = (ctx: Context, customerId: string) =>
  new Map(paymentsOfCustomer.all(ctx, { customerId }).map(({ id, ...amounts }) => [id, JSON.stringify(amounts)]))

type Asked = AnswerCreditRequest & { id: string }

/** Money pays for a whole supply, goodwill is a discount. What the answer changes is credited and issued again. Safe to repeat. */
export async function answerCredit(ctx: Context, owner: Owner, asked: Asked): Promise<AnsweredCredit> {
  const credit = findCredit(ctx, asked.id)
  if (asked.dryRun)
    return { ...toCredit(credit), answer: asked.answer, counts: asked.answer, documents: [], dryRun: true }
  try {
    return await withKeyLock(ctx, `credit:${credit.customerId}`, () => bookAnswer(ctx, owner, asked))
  } catch (error) {
    throw toOwnerError(ctx, error)
  }
}

async function bookAnswer(ctx: Context, owner: Owner, { id, answer }: Asked): Promise<AnsweredCredit> {
  const { customerId, stripeCustomerId, memberId } = findCredit(ctx, id)
  await syncCustomer(ctx, stripeCustomerId)
  const before = priced(ctx, customerId)
  transact(ctx, () => {
    saveAnswer.run(ctx, { id, answer })
    const wish = `${id}:${answer}`
    auditWish(ctx, owner.actor, 'invoice.credit_named', {
      targetId: memberId ?? customerId,
      wish,
      detail: { id, answer },
    })
  })
  await syncCustomer(ctx, stripeCustomerId, { isFix: true })
  const documents = transact(ctx, () => {
    const after = priced(ctx, customerId)
    return newestInvoices(ctx, customerId)
      .filter(({ providerInvoiceId: paid }) => before.get(paid ?? '') !== after.get(paid ?? ''))
      .flatMap((invoice) => replaceInvoice(ctx, invoice, reasons[answer])?.number ?? [])
  })
  // The commission follows the documents.
  await syncCustomer(ctx, stripeCustomerId)
  return { ...toCredit(findCredit(ctx, id)), documents, dryRun: false }
}

const reasons: Record<CreditAnswer, string> = {
  money: 'Credit that paid for it was money',
  goodwill: 'Credit that paid for it was a discount',
}

function findCredit(ctx: Context, id: string): Row {
  const credit = creditById.get(ctx, { id })
  if (credit === undefined) throw notFound('This credit')
  if (!isToAnswer(credit)) throw new AppError('conflict', 'Stripe already says where this credit came from.')
  return credit
}
