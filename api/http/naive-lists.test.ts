import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { download } from '#api/testing/downloads.ts'
import { type NaiveList, type NaiveRow, officeLists } from '#api/testing/naive-lists.ts'
import { moneyLists, naiveExport } from '#api/testing/naive-money-lists.ts'
import { type Draw, drawsFrom } from '#api/testing/random.ts'
import { addVariedRows } from '#api/testing/varied-rows.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { totalHeader } from '#shared/contract/listing.ts'
import { foldText } from '#shared/rules/fold-text.ts'

const seeds = process.env.FULL ? 8 : 1
const triesOfEach = process.env.FULL ? 40 : 5
const words = [
  '',
  '',
  'ann',
  'ÖZ',
  "d'arcy",
  'bo lee',
  'zoe kim',
  'nandu',
  '李',
  '100%',
  '_',
  'a-0000 £150',
  'C-00',
  'kim, zoe',
  '£1,',
]
const limits = [7, 2, 20, 3, 1000, 1]

type Scene = { world: World; call: Call; member: { id: string; email: string }; draw: Draw }
let places: Scene[] = []

beforeAll(() => {
  places = Array.from({ length: seeds }, (_, seed) => {
    const world = startWorld()
    const draw = drawsFrom(seed + 1)
    const [member = world.addUser()] = addVariedRows(world, draw, 40)
    return { world, call: world.signIn(world.addOwner()), member, draw }
  })
})
afterAll(() => {
  for (const { world } of places) world.ctx.sqlite.close()
})

const WithId = v.object({ id: v.string() })
const Rows = v.union([
  v.array(WithId),
  v.pipe(
    v.object({ subscriptionDetails: v.array(v.object({ subscriptionId: v.string() })) }),
    v.transform(({ subscriptionDetails }) => subscriptionDetails.map(({ subscriptionId: id }) => ({ id }))),
  ),
  v.pipe(
    v.object({ lines: v.array(WithId) }),
    v.transform(({ lines }) => lines),
  ),
])

async function readAll(call: Call, address: string) {
  const ids: string[] = []
  const totals: (string | null)[] = []
  for (let next: string | undefined = address; next !== undefined; ) {
    const response = await call(next)
    expect([next, response.status]).toEqual([next, 200])
    ids.push(...v.parse(Rows, await response.json()).map(({ id }) => id))
    totals.push(response.headers.get(totalHeader))
    next = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
  }
  return { ids, totals }
}

/** Compares as SQLite does: numbers by size, texts by bytes. */
const compare = (one: string | number, other: string | number) =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))

function readNaively(rows: NaiveRow[], { q = '', sort, ...filters }: Record<string, string> & { sort: string }) {
  const isDescending = sort.startsWith('-')
  const key = sort.replace('-', '')
  const wanted = foldText(q)
    .split(/\s+/)
    .map((word) => word.replace(/,+$/, ''))
    .filter(Boolean)
  const textOf = ({ texts = [] }: NaiveRow) => foldText(texts.filter((text) => text !== null).join(' '))
  const order = (one: NaiveRow, other: NaiveRow) =>
    compare(one.sorts[key] ?? '', other.sorts[key] ?? '') || compare(one.id, other.id)
  return rows
    .filter((row) => row.isShown?.(filters) ?? true)
    .filter((row) => wanted.every((word) => textOf(row).includes(word)))
    .sort((one, other) => (isDescending ? order(other, one) : order(one, other)))
    .map(({ id }) => id)
}

function drawAddress(draw: Draw, { filters = {} }: NaiveList, rows: NaiveRow[]): Record<string, string> {
  const [sample] = rows
  const sorts = Object.keys(sample?.texts === undefined ? {} : sample.sorts)
  const address: Record<string, string> = {}
  const maybe = (name: string, values: readonly string[]) => {
    const value = values[draw(values.length)]
    if (value !== undefined && draw(3) > 0) address[name] = value
  }
  maybe(
    'sort',
    sorts.flatMap((key) => [key, `-${key}`]),
  )
  if (sample?.texts !== undefined) maybe('q', words)
  for (const [name, values] of Object.entries(filters)) maybe(name, values)
  return address
}

const names = [...officeLists(':id'), ...moneyLists({ id: ':id', email: '' })].map(({ path }) => path)

test.each(names)('%s holds what a naive reading of whole tables gives, whatever is asked for', async (name) => {
  for (const { world, call, member, draw } of places) {
    const list = [...officeLists(member.id), ...moneyLists(member)][names.indexOf(name)]
    if (list === undefined) throw new Error(`There is no list ${name}.`)
    const rows = list.rows(world.ctx)
    const whole = readNaively(rows, { sort: list.defaultSort })
    expect(await readAll(call, `${list.path}?limit=1000`)).toEqual({ ids: whole, totals: [String(whole.length)] })
    expect(whole.length).toBeGreaterThan(2)
    for (let tried = 0; tried < triesOfEach; tried += 1) {
      const address = drawAddress(draw, list, rows)
      const query = new URLSearchParams({ ...address, limit: String(limits[tried % limits.length]) })
      const { ids, totals } = await readAll(call, `${list.path}?${query}`)
      const expected = readNaively(rows, { sort: list.defaultSort, ...address })
      expect([`${query}`, ids]).toEqual([`${query}`, expected])
      expect([totals[0], totals.filter((total) => total !== null).length]).toEqual([String(expected.length), 1])
    }
  }
})

test('INV-4 the accountant’s file holds what a naive reading of whole tables gives, whatever days are asked for', async () => {
  const numbersOf = (csv: string) =>
    csv
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[1])
  for (const { world, call, draw } of places) {
    expect(naiveExport(world.ctx, '0000', '9999').length).toBeGreaterThan(20)
    for (let tried = 0; tried < triesOfEach; tried += 1) {
      const [from, to] = [`2026-0${4 + draw(2)}-${10 + draw(20)}`, `2026-0${6 + draw(2)}-${10 + draw(20)}`]
      const csv = await (await download(call, 'invoices.csv', `from=${from}&to=${to}`)).text()
      expect([from, to, numbersOf(csv)]).toEqual([from, to, naiveExport(world.ctx, from, to)])
    }
  }
})
