import type { BadgeTone } from '#pwa/ui/badge.tsx'
import type { Payout } from '#shared/contract/payments.ts'

const statuses: Record<string, { label: string; tone: BadgeTone }> = {
  pending: { label: 'Coming', tone: 'wait' },
  in_transit: { label: 'On its way', tone: 'wait' },
  paid: { label: 'Paid', tone: 'ok' },
  failed: { label: 'Failed', tone: 'bad' },
  canceled: { label: 'Cancelled', tone: 'plain' },
}

export const statusOf = ({ status }: Payout) => statuses[status] ?? { label: sentenceOf(status), tone: 'plain' }

const kinds: Record<string, string> = {
  charge: 'Payment',
  payment: 'Payment',
  refund: 'Refund',
  payment_refund: 'Refund',
  refund_failure: 'Failed refund',
  payment_failure_refund: 'Failed refund',
  adjustment: 'Dispute or correction',
  stripe_fee: 'Stripe fee',
}

export const kindOf = ({ kind }: { kind: string }) => kinds[kind] ?? sentenceOf(kind)

/** Stripe may add words of its own: `in_transit` reads “In transit”. */
const sentenceOf = (word: string) => word.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())
