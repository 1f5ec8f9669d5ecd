import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { attacks } from '#api/testing/attacks.ts'
import { drawPdf } from './invoice-pdf.ts'
import { printable } from './invoice-pdf-fonts.ts'
import { drawStatement } from './statement-pdf.ts'

/** Attempts to break out of a PDF string. The HTML ones are tried too. */
const corpus = [
  ...Object.values(attacks),
  ') /OpenAction << /S /JavaScript /JS (app.alert(1)) >> (',
  '\\) >> endobj 9 0 obj << /S /URI /URI (https://evil.example) >> endobj',
  'endstream endobj 1 0 obj << /Type /Action /S /Launch >>',
  'https://evil.example mailto:a@evil.example',
].map((attack) => attack.slice(0, 160))

/** The file without its streams and strings. An action would have to be in what's left. */
function structureOf(pdf: string): string {
  let [left, depth] = ['', 0]
  const withoutStreams = pdf.replace(/\bstream\r?\n[\s\S]*?\nendstream\b/g, '')
  for (let at = 0; at < withoutStreams.length; at += 1) {
    const letter = withoutStreams[at]
    if (depth > 0 && letter === '\\') at += 1
    else if (letter === '(') depth += 1
    else if (letter === ')') depth -= 1
    else if (depth === 0) left += letter
  }
  return left.replace(/<[0-9a-fA-F\s]*>/g, '')
}

function readOut(bytes: Uint8Array): string {
  const pdf = Buffer.from(bytes)
  const source = pdf.toString('latin1')
  const object = (id: string) => new RegExp(`(?:^|\\n)${id} 0 obj\\n([\\s\\S]*?)endobj`).exec(source)?.[1] ?? ''
  const unpacked = (found: RegExpExecArray) => {
    const start = found.index + found[0].length
    return inflateSync(pdf.subarray(start, start + Number(found[1]))).toString('latin1')
  }
  const packed = /\/Length (\d+)\s*\/Filter \/FlateDecode\s*>>\s*stream\n/g
  const streams = [...source.matchAll(packed)].map(unpacked)
  const tables = new Map<string, string[]>()
  for (const [, name = '', font = ''] of source.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const table = /\/ToUnicode (\d+) 0 R/.exec(object(font))?.[1] ?? ''
    const at = source.search(new RegExp(`(?:^|\\n)${table} 0 obj\\n`))
    packed.lastIndex = at
    const found = packed.exec(source)
    const ranges = found === null ? '' : unpacked(found)
    const letters = [...ranges.matchAll(/> \[([^\]]*)\]/g)].flatMap(([, list = '']) => list.match(/<[^>]*>/g) ?? [])
    tables.set(
      name,
      letters.map((hex) =>
        Buffer.from(hex.replace(/[^0-9a-f]/g, ''), 'hex')
          .swap16()
          .toString('utf16le'),
      ),
    )
  }
  let font: string[] = []
  return streams
    .filter((stream) => /\bTJ\b/.test(stream))
    .flatMap((stream) => [...stream.matchAll(/\/(F\d+) [\d.]+ Tf|<([0-9a-f]+)>/g)])
    .map(([, name, hex]) => {
      if (name !== undefined) font = tables.get(name) ?? []
      return (hex?.match(/.{4}/g) ?? []).map((id) => font[Number.parseInt(id, 16)] ?? '').join('')
    })
    .join('')
}

const letters = (text: string) => printable(text.replace(/\p{Cc}/gu, ' ')).replace(/\s/g, '')

const amounts = { net: 10_000, vat: 2_000 }
const createdAt = '2026-06-12T07:40:00.000Z'

function invoiceOf(attacks: readonly string[]) {
  const [seller = '', address = '', vatNumber = '', name = '', remark = ''] = attacks
  return drawPdf({
    title: 'VAT invoice' as const,
    number: 'A-000001',
    ...amounts,
    gross: 12_000,
    createdAt,
    details: [{ label: 'Number', value: 'A-000001' }],
    seller: { name: seller, address: `1 Mill Lane\n${address}`, vatNumber },
    customer: { name, businessName: address, address: remark },
    lines: attacks.map((description) => ({
      description,
      discount: name,
      quantity: '1',
      unitPrice: 10_000,
      rate: 20,
      ...amounts,
    })),
    rates: [{ rate: 20, ...amounts }],
    remarks: [remark],
  })
}
function statementOf(attacks: readonly string[]) {
  const [title = '', seller = '', remark = '', label = ''] = attacks
  return drawStatement({
    kind: 'statement' as const,
    title,
    seller,
    accent: '#ffdc00',
    remarks: [remark],
    createdAt,
    sums: [{ label, amount: 1 }],
    closing: { label: remark, amount: 1 },
    lines: attacks.map((attack) => [attack, attack, '', '', '']),
  })
}

test.each([
  ['an invoice', invoiceOf],
  ['a statement', statementOf],
])(
  '%s draws what anybody wrote as text: nothing in the file runs, leads or loads',
  { tags: ['full'] },
  async (_what, draw) => {
    for (let at = 0; at < corpus.length; at += 20) {
      const attacks = corpus.slice(at, at + 20)
      const bytes = await draw(attacks)
      const structure = structureOf(Buffer.from(bytes).toString('latin1'))
      expect(structure).toContain('/Type /Catalog')
      expect(/\/(Annots?|URI|JS|JavaScript|OpenAction|AA|Launch|EmbeddedFile|AcroForm)\b/.exec(structure)?.[0]).toBe(
        undefined,
      )
      const read = readOut(bytes).replace(/\s/g, '')
      for (const attack of attacks) expect(read).toContain(letters(attack))
    }
  },
)
