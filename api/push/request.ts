import { createECDH } from 'node:crypto'

export type PushKeys = { publicKey: string; privateKey: string }

/** A phone's address at its push service, and the keys that only it can read messages with. */
export type PushAddress = { endpoint: string; p256dh: string; auth: string }

export type PushTerms = {
  keys: PushKeys
  /** Who sends it: `mailto:` or `https:`. */
  subject: string
  ttlSeconds: number
  urgency: 'low' | 'normal' | 'high'
  /** A newer message replaces an older one of the same topic that hasn't been delivered. */
  topic: string
}

export type PushRequest = { endpoint: string; headers: Record<string, string>; body: Uint8Array<ArrayBuffer> }

/** A pair of P-256, each as base64url (RFC 8292). */
export function newPushKeys(): PushKeys {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  // Comes without the noughts it may begin with.
  const privateKey = pair.getPrivateKey('hex').padStart(64, '0')
  return { publicKey, privateKey: Buffer.from(privateKey, 'hex').toString('base64url') }
}

/**
 * Encrypts a message for a phone (RFC 8291) and signs it (RFC 8292) with a token of twelve hours, where a day is allowed. Throws if
 * the phone's keys aren't any.
 */
export async function pushRequest(to: PushAddress, payload: string, terms: PushTerms): Promise<PushRequest> {
  const { default: webPush } = await import('web-push')
  const { keys, subject, ttlSeconds, urgency, topic } = terms
  const { endpoint, headers, body } = webPush.generateRequestDetails(
    { endpoint: to.endpoint, keys: { p256dh: to.p256dh, auth: to.auth } },
    payload,
    {
      contentEncoding: 'aes128gcm',
      TTL: ttlSeconds,
      urgency,
      topic,
      vapidDetails: { subject, ...keys },
    },
  )
  return {
    endpoint,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])),
    body: new Uint8Array(body ?? []),
  }
}
