import { inflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeMedia } from '#api/features/media/store-service.ts'
import { sam } from '#api/testing/joining.ts'
import { issuedInvoices, joinAndPay, millLane } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { readError } from '#api/testing/world.ts'

let world: PaymentWorld
beforeAll(async () => {
  world = await startPaymentWorld()
})
afterAll(() => world.stop())

async function addLogo(): Promise<{ id: string; address: string }> {
  const blue = { width: 60, height: 30, channels: 3, background: '#0000ff' } as const
  const png = new Uint8Array(await sharp({ create: blue }).png().toBuffer())
  const { id } = await storeMedia(world.ctx, new Blob([png]), { name: 'logo.png', isPublic: true })
  return { id, address: `/media/${id}.png` }
}

/** Looks in the compressed drawing of each page for a fill in this colour. */
function fillsIn(pdf: Buffer, colour: string): boolean {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
  const fill = `${parts.join(' ')} scn`
  const streams = pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)
  return [...streams].some(([, bytes = '']) => {
    try {
      return inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1').includes(fill)
    } catch {
      // A picture or a font, which is encoded differently.
      return false
    }
  })
}

const countPictures = (pdf: Buffer) => pdf.toString('latin1').split('/Subtype /Image').length - 1

test('a new invoice has the brand’s colour and logo of its day; one that was issued is the same, byte for byte', {
  tags: ['full'],
}, async () => {
  const owner = world.signIn(world.addOwner())
  const read = async (path: string) => Buffer.from(await (await owner(path)).arrayBuffer())
  const invoice = (at: number) => read(`/api/billing/invoices/${issuedInvoices(world)[at]?.id}/pdf`)
  const statement = () =>
    read(`/api/admin/commission-statements/${world.ctx.now().toISOString().slice(0, 7)}?format=pdf`)
  const { id, address } = await addLogo()
  await joinAndPay(world)
  const [before, statementBefore] = [await invoice(0), await statement()]

  const site = async () => (await owner('/api/admin/content/site')).json()
  const { version, value } = await site()
  const brand = { ...value.brand, colours: { accent: '#7ee0c3', link: '#7a0010' }, logo: address }
  const body = { version, entry: 'brand', value: brand }
  expect((await owner('/api/admin/content/site', { method: 'PUT', body })).status).toBe(200)
  await joinAndPay(world, { ...sam, email: 'jo@example.com', billingAddress: millLane })

  const sellers = issuedInvoices(world).map(({ seller: { accent, logo } }) => ({ accent, logo }))
  expect(sellers).toEqual([{}, { accent: '#7ee0c3', logo: address }])
  expect((await invoice(0)).equals(before)).toBe(true)
  const [after, statementAfter] = [await invoice(1), await statement()]
  expect([before, after, statementBefore, statementAfter].map(countPictures)).toEqual([0, 1, 0, 1])
  for (const pdf of [before, statementBefore])
    expect(['#ffdc00', '#7ee0c3'].map((colour) => fillsIn(pdf, colour))).toEqual([true, false])
  for (const pdf of [after, statementAfter])
    expect(['#ffdc00', '#7ee0c3'].map((colour) => fillsIn(pdf, colour))).toEqual([false, true])
  expect((await invoice(1)).equals(after)).toBe(true)

  const unbranded = { version: (await site()).version, entry: 'brand.logo', value: '' }
  expect((await owner('/api/admin/content/site', { method: 'PUT', body: unbranded })).status).toBe(200)
  const removal = await readError(await owner(`/api/admin/media/${id}`, { method: 'DELETE' }))
  expect(removal.message).toMatch(/^You’ve issued invoices with this logo/)
})
