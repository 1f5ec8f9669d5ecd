import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** What a device attests: its claims about the key, for which page, and the key. */
export type Vouched = { data: Buffer; client: string; keys: { publicKey: KeyObject; privateKey: KeyObject } }
export type Attestation = { format: string; statement: Uint8Array }

const es256 = -7

/** Self-signed with the new key, without certificates. A browser may pass this on even if no one asked. */
export const attestedBySelf = ({ data, client, keys }: Vouched): Attestation => ({
  format: 'packed',
  statement: isoCBOR.encode(new Map<string, number | Uint8Array>([['alg', es256], signatureOf(data, client, keys)])),
})

/** With certificates the client made itself, which say the revocation list is at `list`. */
export const attestedByCertificates =
  (format: string, list: string) =>
  ({ data, client, keys }: Vouched): Attestation => {
    const root = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const description = extension('060a2b06010401d679020111', keyDescription(sha256(client)))
    const leaf = certificate({ of: keys.publicKey, name: 'Leaf', list, more: [description] }, root.privateKey)
    const top = certificate({ of: root.publicKey, name: 'Root', list, more: [] }, root.privateKey)
    const parts: [string, string | number | Uint8Array | Uint8Array[]][] = [
      ...[signatureOf(data, client, keys), ['x5c', [leaf, top]] satisfies [string, Uint8Array[]]],
      ['alg', es256],
      ['ver', '2.0'],
    ]
    return { format, statement: isoCBOR.encode(new Map(parts)) }
  }

const sha256 = (data: string) => createHash('sha256').update(data).digest()

function signatureOf(data: Buffer, client: string, { privateKey }: Vouched['keys']): [string, Uint8Array] {
  return ['sig', createSign('sha256').update(data).update(sha256(client)).sign(privateKey)]
}

function der(kind: number, ...parts: Buffer[]): Buffer {
  const { length } = Buffer.concat(parts)
  const head = length < 0x80 ? [kind, length] : [kind, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), ...parts])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const hex = (bytes: string) => Buffer.from(bytes, 'hex')
const number = (value: number, kind = 0x02) => der(kind, Buffer.from([value]))

const ecdsaWithSha256 = sequence(hex('06082a8648ce3d040302'))

const extension = (name: string, content: Buffer) => sequence(hex(name), der(0x04, content))

/** Android's description of a key: made for this challenge, with no promises. */
const keyDescription = (challenge: Buffer) =>
  sequence(
    ...[number(3), number(0, 0x0a), number(4), number(0, 0x0a), der(0x04, challenge), der(0x04)],
    ...[sequence(), sequence()],
  )

const listPoint = (address: string) =>
  extension('0603551d1f', sequence(sequence(der(0xa0, der(0xa0, der(0x86, Buffer.from(address)))))))

function nameOf(name: string): Buffer {
  const parts = { 6: 'GB', 10: 'Nobody', 11: 'Authenticator Attestation', 3: name }
  const each = Object.entries(parts).map(([part, text]) =>
    der(0x31, sequence(Buffer.from([0x06, 3, 0x55, 4, Number(part)]), der(0x0c, Buffer.from(text)))),
  )
  return sequence(...each)
}

type Certified = { of: KeyObject; name: string; list: string; more: Buffer[] }

function certificate({ of, name, list, more }: Certified, issuer: KeyObject): Uint8Array {
  const time = (text: string) => der(0x17, Buffer.from(text))
  const content = sequence(
    ...[der(0xa0, number(2)), number(name.length), ecdsaWithSha256, nameOf('Root')],
    ...[sequence(time('200101000000Z'), time('491231235959Z')), nameOf(name)],
    ...[of.export({ type: 'spki', format: 'der' }), der(0xa3, sequence(listPoint(list), ...more))],
  )
  const signature = createSign('sha256').update(content).sign(issuer)
  return sequence(content, ecdsaWithSha256, der(0x03, hex('00'), signature))
}
