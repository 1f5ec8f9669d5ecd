import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyOverrides,
  clashesBetween,
  entryAt,
  isSame,
  isWithin,
  overridesBetween,
  toEntries,
  toOverrides,
  withValueAt,
} from './overrides.ts'

const content = { hero: { title: 'Fix it', lead: 'In a week' }, list: ['one', 'two'] }

test('an override replaces its entry, the inner one on top of the outer one, whatever their order', () => {
  const outer = { entry: 'hero', value: { title: 'New', lead: 'Old' } }
  const inner = { entry: 'hero.lead', value: 'Today' }
  const wanted = { hero: { title: 'New', lead: 'Today' }, list: ['one', 'two'] }
  expect(applyOverrides(content, [outer, inner])).toEqual(wanted)
  expect(applyOverrides(content, [inner, outer])).toEqual(wanted)
  expect(applyOverrides(content, [{ entry: '', value: 'all' }])).toBe('all')
  expect(applyOverrides(content, [{ entry: 'list.more', value: 1 }])).toEqual({ ...content, list: { more: 1 } })
  expect(applyOverrides(null, [{ entry: 'a', value: 1 }])).toEqual({ a: 1 })
  expect(applyOverrides(content, [])).toBe(content)
})

test('an entry is found by its names, and what every object inherits is none', () => {
  expect(entryAt(content, 'hero.lead')).toBe('In a week')
  expect(entryAt(content, '')).toBe(content)
  expect(['constructor', 'hero.lead.length', 'list.0', 'gone.too'].map((entry) => entryAt(content, entry))).toEqual(
    Array(4).fill(undefined),
  )
})

test('the overrides between two contents turn one into the other, and are the fewest', () => {
  const wanted = { hero: { title: 'Fix it', lead: 'Today' }, list: ['one'] }
  expect(overridesBetween(content, wanted)).toEqual([
    { entry: 'hero.lead', value: 'Today' },
    { entry: 'list', value: ['one'] },
  ])
  expect(overridesBetween(content, structuredClone(content))).toEqual([])
  expect(overridesBetween(content, { hero: { title: 'Fix it' }, list: content.list })).toEqual([
    { entry: 'hero', value: { title: 'Fix it' } },
  ])
  const name = fc.constantFrom('a', 'b', 'c')
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc.nat(2),
      fc.constant(null),
      fc.array(fc.nat(2)),
      fc.dictionary(name, tie('tree')),
    ),
  }))
  fc.assert(
    fc.property(fc.dictionary(name, tree), fc.dictionary(name, tree), (one, other) => {
      const overrides = overridesBetween(one, other)
      expect(isSame(applyOverrides(one, overrides), other)).toBe(true)
      expect(isSame(one, other)).toBe(overrides.length === 0)
      expect(toOverrides(toEntries(overrides))).toEqual(overrides)
    }),
  )
})

test('contents are the same by their values, whatever the order of their names', () => {
  expect(isSame({ a: 1, b: [null] }, { b: [null], a: 1 })).toBe(true)
  const others = [
    [[1], [1, 2]],
    [[1, 2], [1]],
    [[1], [2]],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: 1, b: 1 }, { a: 1 }],
  ]
  for (const [one, other] of [...others, [{}, null], [null, {}], [[], {}], ['1', 1]])
    expect(isSame(one, other)).toBe(false)
})

test('an entry is within itself, what it begins with and the whole', () => {
  expect(['hero.lead', 'hero', ''].map((other) => isWithin('hero.lead', other))).toEqual([true, true, true])
  expect(['hero.lead.more', 'her', 'list'].map((other) => isWithin('hero.lead', other))).toEqual([false, false, false])
})

test('a value is set at its path, in lists too, and taken away in its place', () => {
  expect(withValueAt(content, 'list.1', 'three')).toEqual({ ...content, list: ['one', 'three'] })
  expect(withValueAt(content, 'hero.lead', undefined)).toEqual({ ...content, hero: { title: 'Fix it' } })
  expect(withValueAt(content, '', 'all')).toBe('all')
  expect(withValueAt('text', 'a.b', 1)).toEqual({ a: { b: 1 } })
  expect(Object.keys(Object(withValueAt(content, 'hero', 'new')))).toEqual(['hero', 'list'])
  expect(Object.keys(Object(withValueAt(content, 'more', 'new')))).toEqual(['hero', 'list', 'more'])
})

test('a clash is an entry that was published since, inside or around ours, with another value', () => {
  const mine = [{ entry: 'hero.lead', value: 'Today' }]
  const published = { hero: { title: 'Fix it', lead: 'Tomorrow' } }
  const clash = { entry: 'hero.lead', mine: 'Today', theirs: 'Tomorrow' }
  for (const changed of ['hero.lead', 'hero', 'hero.lead.part', ''])
    expect(clashesBetween(mine, published, [changed])).toEqual([clash])
  expect(clashesBetween(mine, published, ['hero.title'])).toEqual([])
  expect(clashesBetween(mine, { hero: { lead: 'Today' } }, ['hero'])).toEqual([])
})
