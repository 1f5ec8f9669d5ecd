import { createDecipheriv, createECDH, type ECDH, hkdfSync } from 'node:crypto'

/** A phone as its push service's stand-in makes one: what a browser keeps to itself of a subscription. */
export type Receiver = { ecdh: ECDH; auth: Buffer }

export function newReceiver(): Receiver & { keys: { p256dh: string; auth: string } } {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  const auth = Buffer.from(crypto.getRandomValues(new Uint8Array(16)))
  return {
    ecdh,
    auth,
    keys: { p256dh: ecdh.getPublicKey().toString('base64url'), auth: auth.toString('base64url') },
  }
}

const derive = (key: Buffer, salt: Buffer, info: Buffer, bytes: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes))

/** Reads a message as a browser does (RFC 8291, one record of RFC 8188). Throws if it's for someone else, or was changed. */
export function decryptPush({ ecdh, auth }: Receiver, message: Uint8Array): string {
  const bytes = Buffer.from(message)
  const salt = bytes.subarray(0, 16)
  const senderKey = bytes.subarray(21, 21 + bytes.readUInt8(20))
  const sealed = bytes.subarray(21 + senderKey.length)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), senderKey])
  const secret = derive(ecdh.computeSecret(senderKey), auth, info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  // The text ends in a 2, and as many zeros as the sender likes.
  const end = padded.lastIndexOf(2)
  if (end < 0) throw new Error('This message has no end.')
  return padded.subarray(0, end).toString()
}
