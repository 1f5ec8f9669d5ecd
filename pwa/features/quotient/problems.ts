import { RequestError } from '#pwa/lib/request-error.ts'
import type { IconName } from '#pwa/ui/icon-paths.ts'
import type { ToastMessage } from '#pwa/ui/toast.tsx'

/** Why there is no payment to be made, for a banner. */
export type Problem = { title: string; text: string; icon?: IconName | undefined }

export const setupError: ToastMessage = {
  title: 'Setup Error',
  description: 'Failed to initialize payment form.',
  tone: 'bad',
}

const kept = 'Nothing has been taken, and everything you typed is kept.'

export function problemOf(error: Error): Problem {
  const { code, text } = error instanceof RequestError ? error : {}
  switch (code) {
    case 'offline':
      return {
        icon: 'nosignal',
        title: 'Payment needs signal',
        text: `${kept} Please try again when you are back in range.`,
      }
    case 'invalid':
    case 'price_changed':
    case 'conflict':
    case 'idempotency_conflict':
    case 'rate_limited':
      return { title: text ?? 'Failed to initialize payment form.', text: kept }
    default:
      return { title: 'Failed to initialize payment form.', text: `${kept} Please try again.` }
  }
}
