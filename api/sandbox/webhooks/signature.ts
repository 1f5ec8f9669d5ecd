import { createHmac } from 'node:crypto'

/** The `Stripe-Signature` header. `at` is wall time in unix seconds, which receivers compare with their own clock. */
export function signatureOf(payload: string, secret: string, at: number): string {
  const digest = createHmac('sha256', secret).update(`${at}.${payload}`, 'utf8').digest('hex')
  return `t=${at},v1=${digest}`
}
