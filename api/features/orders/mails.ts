import type { Context } from '#api/context.ts'
import { ownerMailboxes } from '#api/features/accounts/owner-queries.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { type OrderMail, orderNoticeMail, orderReceivedMail } from '#api/mail/templates/quotient-order.ts'
import { contentOf } from '#api/site/content.ts'
import { quotientLabels, vatRegistrationLabels } from '#shared/contract/quotient.ts'
import { tradeNamesOf } from '#shared/rules/trade-names.ts'
import type { QuotientOrder } from './queries.ts'

/** Queues one mail to the buyer and one to each owner. Call it in the transaction that marks the order paid. */
export function mailPaidOrder(ctx: Context, order: QuotientOrder): void {
  const content = contentOf(ctx).read()
  const { quotient } = content.pages
  const { steps, help } = quotient.success
  const mail: OrderMail = {
    ...order,
    packageName: quotient.packages.offers[order.packageType].name,
    typed: typedIn(order, tradeNamesOf(content)),
    steps: steps.map(({ title, text }) => `${title}. ${text}`),
    help,
  }
  const cause = `quotient-order:${order.id}`
  queueMessage(
    ctx,
    { cause: `${cause}:buyer`, to: order.email, userId: null, isRepeatable: true },
    orderReceivedMail(mail),
  )
  const notice = orderNoticeMail(mail)
  for (const to of ownerMailboxes(ctx)) {
    queueMessage(
      ctx,
      { cause: `${cause}:owner:${to}`, to, replyTo: order.email, userId: null, isRepeatable: true },
      notice,
    )
  }
}

/** Every field in the form's order, with labels for choices. Lists empty fields too, because an owner has to ask for them. */
function typedIn(order: QuotientOrder, names: ReturnType<typeof tradeNamesOf>): OrderMail['typed'] {
  const labelsOf: Record<string, Record<string, string>> = {
    tradeType: names.quotient,
    preferredManufacturer: names.manufacturers,
    vatRegistered: vatRegistrationLabels,
  }
  const values: Record<string, unknown> = order
  return Object.entries(quotientLabels).map(([name, label]) => {
    const value = String(values[name] ?? '')
    return [label, labelsOf[name]?.[value] ?? (value || 'Not given')]
  })
}
