import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contentSchemas } from './admin-content.ts'
import { SiteFile } from './site-content.ts'
import { blankOf, type Field, fieldOf, textsIn, variantOf } from './text-fields.ts'

const read = (name: string): unknown =>
  JSON.parse(readFileSync(`data/content/${['site', 'mails'].includes(name) ? name : `pages/${name}`}.json`, 'utf8'))

function fieldAt(field: Field, entry: string): Field | null {
  if (entry === '') return field
  const [name = '', ...rest] = entry.split('.')
  if (field.kind === 'list') return fieldAt(field.item, rest.join('.'))
  const below = field.kind === 'group' ? field.entries.find((one) => one.name === name)?.field : undefined
  return below === undefined ? null : fieldAt(below, rest.join('.'))
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : []
}

test('every page has a form, and its words are all that reads like words', () => {
  for (const [name, schema] of Object.entries(contentSchemas)) {
    const value = read(name)
    const texts = new Set(textsIn(fieldOf(schema), value).map(([, text]) => text))
    const others = leaves(value).filter((text) => !texts.has(text) && text.includes(' '))
    expect([name, others, texts.size > (name === 'mails' ? 0 : 2)]).toEqual([
      name,
      name === 'quotient' ? expect.any(Array) : [],
      true,
    ])
  }
})

test('lengths, links, pictures and colours come from the schema', () => {
  const site = fieldOf(SiteFile)
  expect(fieldAt(site, 'brand.shortName')).toEqual({ kind: 'text', most: 20, mayBeEmpty: false, hasLinks: false })
  expect(fieldAt(site, 'brand.openingHours')).toMatchObject({ kind: 'text', mayBeEmpty: true })
  expect(fieldAt(site, 'brand.logo')).toEqual({ kind: 'picture', mayBeEmpty: true })
  expect(fieldAt(site, 'brand.colours.accent')).toEqual({ kind: 'colour', mayBeEmpty: false })
  expect(fieldAt(site, 'brand.email')).toEqual({ kind: 'email', mayBeEmpty: true })
  expect(fieldAt(site, 'coaches.0.id')).toEqual({ kind: 'id', mayBeEmpty: false })
  expect(fieldAt(fieldOf(contentSchemas.home), 'hero.promises')).toMatchObject({ kind: 'list', least: 2, most: 4 })
  const body = fieldAt(fieldOf(contentSchemas.terms), 'sections.0.body.0')
  expect(body?.kind === 'variants' && body.variants[0]).toMatchObject({ kind: 'text', hasLinks: true })
  expect(body?.kind === 'variants' && variantOf(body.variants, { list: ['One'] })).toBe(1)
})

test('a new item has all that its schema asks for, and nothing that it may do without', () => {
  const reviews = fieldAt(fieldOf(contentSchemas.home), 'reviews.items')
  if (reviews?.kind !== 'list') throw new Error('No list')
  expect(blankOf(reviews.item, () => 'own-1')).toEqual({
    id: 'own-1',
    author: '',
    rating: 1,
    text: '',
    date: '',
    verified: false,
  })
})
