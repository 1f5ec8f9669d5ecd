import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customerCredits } from '#api/db/schema/provider.ts'
import { AppError, notFound } from '#api/errors.ts'
import { newestInvoice, newestInvoices } from '#api/features/invoices/queries.ts'
import { isOutdated, reissueSetOff } from '#api/features/invoices/reissue-service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { creditAnswersOf, type FoundCredit, findCredits } from '#api/features/subscriptions/credit-queries.ts'
import type { Owner } from '#api/identity/person.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'
import { lookingAgainForOwner } from '#api/stripe/look-again.ts'
import type { AnswerCreditRequest, AnsweredCredit } from '#shared/contract/accounting.ts'
import type { CreditAnswer } from '#shared/rules/credit.ts'
import { readSettled, tookMoney } from './repair-service.ts'

const customerOfCredit = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select({ customerId: customerCredits.customerId }).from(customerCredits).where(eq(customerCredits.id, id)),
)

const saveAnswer = preparedQuery<{ id: string; answer: CreditAnswer }>()((db, { id, answer }) =>
  db.update(customerCredits).set({ answer }).where(eq(customerCredits.id, id)),
)

type Asked = AnswerCreditRequest & { id: string }

/** Money pays for a whole supply, goodwill is a discount. What the answer changes is credited and issued again. Safe to repeat. */
export async function answerCredit(ctx: Context, owner: Owner, asked: Asked): Promise<AnsweredCredit> {
  const { customerId } = findCredit(ctx, asked.id)
  if (asked.dryRun) return lookingAgainForOwner(ctx, () => planAnswer(ctx, asked))
  return withKeyLock(ctx, `credit:${customerId}`, () => bookAnswer(ctx, owner, asked))
}

/** What an answer would credit and issue, by the provider's invoices. Writes nothing. */
async function planAnswer(ctx: Context, { id, answer }: Asked): Promise<AnsweredCredit> {
  const { credit, stripeCustomerId } = findCredit(ctx, id)
  const answers = new Map(creditAnswersOf(ctx, stripeCustomerId)).set(id, answer)
  const settled = await readSettled(ctx, stripeCustomerId, answers)
  const issued = settled.map((payment) => ({ payment, invoice: newestInvoice(ctx, payment.id) }))
  const documents = issued.flatMap(({ payment, invoice }) =>
    invoice !== undefined && isOutdated(ctx, invoice, payment) ? [invoice.number] : [],
  )
  const missing = issued.filter(
    ({ payment, invoice }) => invoice === undefined && tookMoney(payment) && payment.total > 0,
  ).length
  return { ...credit, answer, counts: answer, documents, missing, dryRun: true }
}

/** A repeat finds what's left to do in the rows alone, so that it mends what an earlier try didn't get to. */
function bookAnswer(ctx: Context, owner: Owner, { id, answer }: Asked): Promise<AnsweredCredit> {
  const { customerId, stripeCustomerId } = findCredit(ctx, id)
  let known: Set<string> | undefined
  return lookingAgainForOwner(ctx, async () => {
    await syncCustomer(ctx, stripeCustomerId)
    // What's issued before an answer is lost counts too.
    known ??= new Set(newestInvoices(ctx, customerId).map(({ number }) => number))
    transact(ctx, () => {
      const { credit } = findCredit(ctx, id)
      if (credit.answer === answer) return
      saveAnswer.run(ctx, { id, answer })
      const about = { targetId: credit.memberId ?? customerId, detail: { id, answer } }
      audit(ctx, owner.actor, 'invoice.credit_named', about)
    })
    await syncCustomer(ctx, stripeCustomerId, { isFix: true })
    transact(ctx, () => reissueSetOff(ctx, { id: customerId }, reasons[answer]))
    // The commission follows the documents.
    await syncCustomer(ctx, stripeCustomerId)
    const documents = newestInvoices(ctx, customerId).flatMap(({ number }) => (known?.has(number) ? [] : [number]))
    return { ...findCredit(ctx, id).credit, documents, dryRun: false }
  })
}

const reasons: Record<CreditAnswer, string> = {
  money: 'Credit that paid for it was money',
  goodwill: 'Credit that paid for it was a discount',
}

function findCredit(ctx: Context, id: string): FoundCredit {
  const { customerId } = customerOfCredit.get(ctx, { id }) ?? {}
  const found = customerId && findCredits(ctx, { customerId }).find(({ credit }) => credit.id === id)
  if (!found) throw notFound('This credit')
  if (found.credit.counts === 'debit') throw new AppError('conflict', 'This is a debit, not credit.')
  return found
}
