import type { TierVisibility } from '#shared/contract/admin-tier.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

export const visibilityLabels: Record<TierVisibility, string> = {
  open: 'Everyone',
  invitation: 'Everyone, marked “by invitation”',
  hidden: 'No one (not on sale)',
}

/** `net`: pence a month. */
export const monthlyText = (net: number) => `${formatPoundsAndPence(net)} + VAT`
