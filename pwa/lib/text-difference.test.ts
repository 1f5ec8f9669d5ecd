import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differenceOf, linesOf } from './text-difference.ts'

test('a value reads as lines: lists with dots, yes and no, and no ids', () => {
  expect(linesOf({ id: 'x', title: 'Fix it', isOn: true, list: ['one', { a: 'two', b: 3 }], none: null })).toBe(
    'Fix it\nYes\n• one\n• two; 3',
  )
  expect([false, 7, undefined, null, ''].map(linesOf)).toEqual(['No', '7', '', '', ''])
})

test('what is gone and new is told word by word, in as few pieces as there are', () => {
  expect(differenceOf('Fix it in a week', 'Fix it in one good week')).toEqual([
    { kind: 'same', text: 'Fix it in ' },
    { kind: 'gone', text: 'a ' },
    { kind: 'new', text: 'one good ' },
    { kind: 'same', text: 'week' },
  ])
  expect(differenceOf('a b c ', 'c a b ')).toEqual([
    { kind: 'new', text: 'c ' },
    { kind: 'same', text: 'a b ' },
    { kind: 'gone', text: 'c ' },
  ])
  expect(differenceOf('• More freedom.\n• More profit.', '• More evenings.\n• More profit.')).toEqual([
    { kind: 'same', text: '• More ' },
    { kind: 'gone', text: 'freedom.' },
    { kind: 'new', text: 'evenings.' },
    { kind: 'same', text: '\n• More profit.' },
  ])
  expect(differenceOf('', 'new')).toEqual([{ kind: 'new', text: 'new' }])
  expect(differenceOf('', '')).toEqual([])
})

test('the pieces make up both texts, and keep the most words that can stay', () => {
  const words = fc.array(fc.constantFrom('a ', 'b ', 'c '), { maxLength: 6 })
  fc.assert(
    fc.property(words, words, (one, other) => {
      const pieces = differenceOf(one.join(''), other.join(''))
      const textOf = (left: string) =>
        pieces
          .filter(({ kind }) => kind !== left)
          .map(({ text }) => text)
          .join('')
      expect([textOf('new'), textOf('gone')]).toEqual([one.join(''), other.join('')])
      expect(pieces.filter(({ kind }, at) => pieces[at + 1]?.kind === kind)).toEqual([])
      const kept = pieces.filter(({ kind }) => kind === 'same').reduce((sum, { text }) => sum + text.length / 2, 0)
      expect(kept).toBe(mostInCommon(one, other))
    }),
  )
})

function mostInCommon([first, ...one]: readonly string[], other: readonly string[]): number {
  if (first === undefined || other.length === 0) return 0
  const at = other.indexOf(first)
  return Math.max(mostInCommon(one, other), at < 0 ? 0 : 1 + mostInCommon(one, other.slice(at + 1)))
}

test('long texts are compared word by word too, those with little in common whole', () => {
  const long = (word: string) => Array.from({ length: 5_000 }, (_, at) => `${word}${at} `).join('')
  const pieces = differenceOf(long('a'), `${long('a')}more`)
  expect(pieces.map(({ kind }) => kind)).toEqual(['same', 'new'])
  expect(differenceOf(long('a'), long('b'))).toEqual([
    { kind: 'gone', text: long('a') },
    { kind: 'new', text: long('b') },
  ])
})
