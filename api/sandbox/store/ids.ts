import { randomInt } from 'node:crypto'

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

function randomText(length: number): string {
  return Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('')
}

/** `cus_` and 24 letters, as Stripe writes its ids. */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(24)}`
}

export function newClientSecret(id: string): string {
  return `${id}_secret_${randomText(25)}`
}

export function newFingerprint(): string {
  return randomText(16)
}
