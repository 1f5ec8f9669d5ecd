import type { ToastMessage } from '#pwa/ui/toast-region.tsx'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'
import { consentText } from '#shared/rules/tier-prices.ts'
import type { DelayedSetup } from './reactivation-storage.ts'

type Agreed = Pick<DelayedSetup, 'date' | 'isDue' | 'total' | 'every'>

export const savedToast = ({ date, isDue }: Agreed): ToastMessage => ({
  title: 'Payment Method Saved!',
  description: isDue ? 'Your first payment went through today.' : `Billing will start on ${formatLongDate(date)}.`,
  tone: 'ok',
})

export const agreedText = ({ date, isDue, total, every }: Agreed): string =>
  consentText({ total, every, first: isDue ? null : formatLongDate(date) })

/** When we take the first payment, and why then. Both arguments are days. */
export function firstPaymentText(date: string, today: string): string {
  const day = formatLongDate(date)
  if (date === today) return `Your first payment is due today, ${day}.`
  return date < today
    ? `Your first payment was due on ${day}, one month after your last. We’ll take it today.`
    : `Your first payment is delayed until one month after your last payment: ${day}. You won’t be charged before then.`
}

/** By this device's clock, which only decides texts: the server decides when to take money, before the payer confirms. */
export const localToday = () => londonDay(new Date())
export const isDueToday = (date: string) => date <= localToday()
