import type { BillingSubscription } from '#shared/contract/billing.ts'
import { formatLongDate } from '#shared/rules/london.ts'

/** How things stand, and what can be done about it. Null where the billing sheet says it all. */
export function leadFor({ isRevoked, offer, label, endsOn, status, openInvoice }: BillingSubscription): string | null {
  if (isRevoked) return null
  switch (offer) {
    case 'already_active':
      return 'Your membership is active.'
    case 'nothing':
      return `${label}. There is nothing to do.`
    case 'pay_or_change_card':
      return 'Pay the open invoice, or change your card for the next try.'
    case 'pay_or_restart':
      return 'Your payments have stopped. Pay the newest invoice, or end this membership and start new.'
    case 'resume':
      if (status !== 'paused')
        return `Your membership ends on ${endsOn ? formatLongDate(endsOn) : 'its last day'}. Resume it and it goes on.`
      return openInvoice === null
        ? 'Your membership is paused. Resume it and it goes on.'
        : 'Your membership goes on as soon as this is paid.'
    default:
      return label
  }
}
