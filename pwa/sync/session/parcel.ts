import type { SealedRow } from './device-store.ts'
import { getOrCreateKey, ownerHash, type Sealer } from './seal.ts'

/** Text and, behind it, bytes that it describes. Encrypted with this device's own key, under a name that says nothing without it. */
export type Parcel = { text: string; bytes: ArrayBuffer }

type Opener = Sealer & { subtle: SubtleCrypto }

const lengthBytes = 4

export async function putParcel({ subtle, ...sealer }: Opener, name: string, text: string, bytes: BlobPart[]) {
  const encoded = new TextEncoder().encode(text)
  const length = new Uint8Array(lengthBytes)
  new DataView(length.buffer).setUint32(0, encoded.length)
  const plain = await new Blob([length, encoded, ...bytes]).arrayBuffer()
  const iv = new Uint8Array(sealer.platform.randomBytes(12))
  const key = await getOrCreateKey(sealer, subtle, 'seal')
  const data = await subtle.encrypt({ name: 'AES-GCM', iv }, key, plain)
  await sealer.device.sealed.put({ owner: await ownerHash(sealer, subtle, name), iv, data })
}

/** Null if there's none that can still be opened. */
export async function readParcel({ subtle, ...sealer }: Opener, name: string): Promise<Parcel | null> {
  const sealed = await sealer.device.sealed.get(await ownerHash(sealer, subtle, name))
  const key = await sealer.device.keys.get('seal')
  const plain = sealed && key && (await decrypt(subtle, key.key, sealed))
  if (!plain) return null
  const end = lengthBytes + new DataView(plain).getUint32(0)
  return { text: new TextDecoder().decode(plain.slice(lengthBytes, end)), bytes: plain.slice(end) }
}

export async function deleteParcel({ subtle, ...sealer }: Opener, name: string): Promise<void> {
  await sealer.device.sealed.delete(await ownerHash(sealer, subtle, name))
}

/** Null if it's damaged on disk: we can never open it again, and it mustn't lock the member out. */
async function decrypt(subtle: SubtleCrypto, key: CryptoKey, { iv, data }: SealedRow): Promise<ArrayBuffer | null> {
  try {
    return await subtle.decrypt({ name: 'AES-GCM', iv }, key, data)
  } catch {
    return null
  }
}
