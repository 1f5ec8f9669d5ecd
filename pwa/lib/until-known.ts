import { RequestError } from './request-error.ts'

/** How long Stripe may need to answer again, in ms. */
const delays = [4_000, 8_000, 16_000] as const

/**
 * No answer from Stripe isn't a refusal. Says so, then sends the same again, which is safe and does nothing twice, until the server
 * knows what came of it.
 */
export async function untilKnown<Result>(send: () => Promise<Result>, say: (text: string) => void): Promise<Result> {
  for (const delay of delays) {
    try {
      return await send()
    } catch (error) {
      if (!isUnknown(error)) throw error
      say(error.text ?? 'We don’t know yet whether that went through. We’re checking.')
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }
  return send()
}

export const isUnknown = (error: unknown): error is RequestError =>
  error instanceof RequestError && error.code === 'unanswered'
