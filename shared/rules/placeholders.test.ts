import { expect, test } from 'vitest'
import { fillPlaceholders } from './placeholders.ts'

const values = { brand: { name: 'Alliance', founded: 2019, isOpen: true } }
const fill = (content: unknown) => fillPlaceholders(content, values)

test('a placeholder is filled wherever there’s text, by a text or a number', () => {
  expect(fill({ title: '{brand.name} since {brand.founded}', list: [['{brand.name}'], 3, null, true] })).toEqual({
    title: 'Alliance since 2019',
    list: [['Alliance'], 3, null, true],
  })
})

test('one without a value that can be written stays as it is', () => {
  const texts = ['{brand.isOpen}', '{brand}', '{brand.gone.name}', '{brand.constructor}', '{brand.name.length}', '{}']
  expect(texts.map(fill)).toEqual(texts)
})
