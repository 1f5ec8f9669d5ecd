import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { passkeys } from '#api/db/schema/sign-in.ts'
import type { NewPasskeyQuestion, PasskeyQuestion } from '#shared/contract/sign-in.ts'
import type { Attestation, Vouched } from './attestations.ts'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const encode = (data: string | Buffer) => Buffer.from(data).toString('base64url')

/** A row for a passkey that can't sign. */
export function addPasskeyRow(ctx: Context, userId: string): void {
  const createdAt = ctx.now().toISOString()
  const key = { credentialId: encode(randomBytes(16)), publicKey: '', counter: 0, transports: [], name: 'My phone' }
  insertRow(ctx, passkeys, { id: ctx.newId(), userId, createdAt, ...key })
}

const flags = { wasPresent: 0x01, wasVerified: 0x04, hasKey: 0x40 }

export type Manner = {
  origin?: string
  host?: string
  isVerified?: boolean
  counter?: number
  userHandle?: string
  attest?: (vouched: Vouched) => Attestation
}

/** For sites that don't care who made the device. */
const unattested: Attestation = { format: 'none', statement: Buffer.from([0xa0]) }

/** A virtual WebAuthn device. Each answer can be made wrong in one way. */
export function createDevice() {
  const id = encode(randomBytes(16))
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let userHandle = encode('nobody')
  let uses = 0
  const answer = <Response>(response: Response) => ({ id, rawId: id, type: 'public-key' as const, response })
  return {
    id,
    register({ challenge, user }: NewPasskeyQuestion, manner: Manner = {}) {
      userHandle = user.id
      const credential = Buffer.from(id, 'base64url')
      const about = [Buffer.alloc(16), Buffer.from([0, credential.length]), credential, coseKey(keys.publicKey)]
      const data = Buffer.concat([usage(manner, flags.hasKey), ...about])
      const client = clientData('webauthn.create', challenge, manner)
      const { format, statement } = manner.attest?.({ data, client, keys }) ?? unattested
      const attestation = Buffer.concat([
        ...[Buffer.from([0xa3]), text('fmt'), text(format), text('attStmt'), statement, text('authData')],
        ...[Buffer.from([0x58, data.length]), data],
      ])
      return answer({
        clientDataJSON: encode(client),
        attestationObject: encode(attestation),
        transports: ['internal'],
      })
    },
    sign({ challenge }: PasskeyQuestion, manner: Manner = {}) {
      uses += 1
      const client = clientData('webauthn.get', challenge, manner)
      const data = usage({ counter: uses, ...manner })
      const signer = createSign('sha256').update(Buffer.concat([data, sha256(client)]))
      return answer({
        clientDataJSON: encode(client),
        authenticatorData: encode(data),
        signature: encode(signer.sign(keys.privateKey)),
        userHandle: manner.userHandle ?? userHandle,
      })
    },
  }
}
export type Device = ReturnType<typeof createDevice>

function usage({ host = 'localhost', isVerified = true, counter = 0 }: Manner, more = 0): Buffer {
  const said = Buffer.alloc(5)
  said.writeUInt8(flags.wasPresent | (isVerified ? flags.wasVerified : 0) | more)
  said.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(host), said])
}

const clientData = (type: string, challenge: string, { origin = 'http://localhost:3000' }: Manner) =>
  JSON.stringify({ type, challenge, origin, crossOrigin: false })

const text = (said: string) => Buffer.concat([Buffer.from([0x60 | said.length]), Buffer.from(said)])

/** An ES256 key in COSE: kty 2, alg -7, crv 1, x, y. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const part = (label: number, value: string) =>
    Buffer.concat([Buffer.from([label, 0x58, 0x20]), Buffer.from(value, 'base64url')])
  return Buffer.concat([Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]), part(0x21, x), part(0x22, y)])
}
