import { RequestError } from '#pwa/lib/request-error.ts'
import type { IconName } from '#pwa/ui/icon-paths.ts'
import type { ToastMessage } from '#pwa/ui/toast-region.tsx'
import { formatPounds, type Pence, withVat } from '#shared/rules/money.ts'

export const orderSteps = ['Your details', 'Payment', 'Done'] as const

export const setupErrorToast: ToastMessage = {
  title: 'Setup Error',
  description: 'Failed to initialize payment form.',
  tone: 'bad',
}

/** £450 + VAT (£540 total). */
export const formatSetupPrice = (net: Pence) => `${formatPounds(net)} + VAT (${formatPounds(withVat(net).total)} total)`

export type OrderProblem = { title: string; text: string; icon?: IconName | undefined }

const nothingLost = 'You haven’t been charged, and we’ve kept what you typed.'

export function problemOf(error: Error): OrderProblem {
  const { code, text } = error instanceof RequestError ? error : {}
  switch (code) {
    case 'offline':
      return {
        icon: 'nosignal',
        title: 'You need signal to pay',
        text: `${nothingLost} Try again when you’re back in range.`,
      }
    case 'invalid':
    case 'price_changed':
    case 'conflict':
    case 'idempotency_conflict':
    case 'rate_limited':
      return { title: text ?? 'Failed to initialize payment form.', text: nothingLost }
    default:
      return { title: 'Failed to initialize payment form.', text: `${nothingLost} Try again.` }
  }
}
