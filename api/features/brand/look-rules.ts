import type { Brand } from '#shared/contract/site-content.ts'

type Look = Pick<Brand, 'name' | 'shortName' | 'logo' | 'colours'>

const hashOf = ({ name, shortName, logo, colours: { accent, link } }: Look) =>
  new Bun.CryptoHasher('sha256')
    .update(JSON.stringify([name, shortName, logo, accent, link]))
    .digest('hex')
    .slice(0, 8)

/** That of the brand that comes with the program. */
const shippedLook = 'de7ed540'

/** Names what the brand looks like, in addresses of what is made from it; empty while it is the shipped one. */
export function lookOf(brand: Look): string {
  const look = hashOf(brand)
  return look === shippedLook ? '' : look
}
