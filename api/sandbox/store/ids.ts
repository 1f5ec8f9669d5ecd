const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

function randomText(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  return Array.from(bytes, (byte) => letters.charAt(byte % letters.length)).join('')
}

/** An id in Stripe's format: `cus_` and 24 letters or digits. */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(24)}`
}

export function newClientSecret(id: string): string {
  return `${id}_secret_${randomText(25)}`
}

export function newFingerprint(): string {
  return randomText(16)
}
