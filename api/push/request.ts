import webPush from 'web-push'

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

export const newPushKeys = (): PushKeys => webPush.generateVAPIDKeys()

/**
 * Encrypts a message for a phone (RFC 8291) and signs it (RFC 8292) with a token of twelve hours, where a day is allowed. Throws if
 * the phone's keys aren't any.
 */
export function pushRequest(to: PushAddress, payload: string, terms: PushTerms): PushRequest {
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
