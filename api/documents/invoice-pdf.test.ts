import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sam } from '#api/testing/joining.ts'
import { issuedInvoices, joinAndPay, millLane } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { hasUnsupportedGlyphs, printable } from './invoice-pdf-fonts.ts'

let world: PaymentWorld
beforeAll(async () => {
  world = await startPaymentWorld()
})
afterAll(() => world.stop())

/** The PDF's drawing commands: glyph numbers in angle brackets, with 0000 for a missing one. */
function drawingsOf(pdf: Buffer): string {
  const text = pdf.toString('latin1')
  const packed = text.matchAll(/\/Length (\d+)\s*\/Filter \/FlateDecode\s*>>\s*stream\n/g)
  const streams = [...packed].map((found) => {
    const start = found.index + found[0].length
    return inflateSync(pdf.subarray(start, start + Number(found[1]))).toString('latin1')
  })
  return streams.filter((stream) => /\bTJ\b/.test(stream)).join('\n')
}

const glyphs = (drawn: string) =>
  [...drawn.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])

async function pdfFor(email: string, name: string, line1: string): Promise<Buffer> {
  const { call } = await joinAndPay(world, { ...sam, email, name, billingAddress: { ...millLane, line1 } })
  const response = await call(`/api/billing/invoices/${issuedInvoices(world).at(-1)?.id}/pdf`)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

test.each([
  ['emoji@example.com', 'Danny 🔧 O’Brien 👷🏽‍♂️', '🏠 1 Mill Lane'],
  ['han@example.com', '王小明', '東京都 1-1'],
  ['devanagari@example.com', 'संजय Kumar', '1 Mill Lane'],
  ['greek@example.com', 'Σωκράτης Иван', '1 Mill Lane'],
])('a PDF never draws a box for a letter: %s', { tags: ['full'] }, async (email, name, line1) => {
  const drawn = glyphs(drawingsOf(await pdfFor(email, name, line1)))
  expect(drawn.length).toBeGreaterThan(100)
  expect(drawn).not.toContain('0000')
})

test('a PDF can be read out: it has a title, a language, a heading, and tables with heads', async () => {
  const pdf = (await pdfFor('read@example.com', 'Sam Field', '1 Mill Lane')).toString('latin1')
  for (const part of ['/Lang (en-GB)', '/DisplayDocTitle true', '/Marked true', '/StructTreeRoot']) {
    expect(pdf).toContain(part)
  }
  const count = (tag: string) => pdf.match(new RegExp(`/S /${tag}\\b`, 'g'))?.length ?? 0
  expect(['Document', 'H1', 'Table', 'TR', 'TH', 'TD'].map(count)).toEqual([1, 1, 2, 6, 10, 10])
})

test('an address has as many lines as fields: none of them can push the rest off the paper', async () => {
  const call = world.signIn(world.addMember())
  const line2 = `Flat 1${'\n'.repeat(150)}Yard`
  const response = await call('/api/billing/address', { method: 'PUT', body: { ...millLane, line2 } })
  expect(response.status).toBe(422)
  expect((await response.json()).error.fields).toEqual({ line2: 'Write this on one line.' })
})

test('what neither face can write is left out whole, and the rest closes up', () => {
  expect(printable('Danny 🔧 O’Brien 👷🏽‍♂️')).toBe('Danny O’Brien')
  expect(printable('🏠 1 Mill Lane\nLeeds')).toBe('1 Mill Lane\nLeeds')
  expect(printable('王小明')).toBe('')
  for (const kept of ['Σωκράτης Иван عمر', 'Łukasz Žižka', 'Jose\u0301'.normalize('NFC'), '£1,000.00 −£5.00']) {
    expect(printable(kept)).toBe(kept)
  }
})

test('unsupported letters are told apart from decorative characters', () => {
  expect(['王小明', 'संजय Kumar'].map(hasUnsupportedGlyphs)).toEqual([true, true])
  expect(['Danny 🔧', 'Σωκράτης', 'Sam'].map(hasUnsupportedGlyphs)).toEqual([false, false, false])
})
