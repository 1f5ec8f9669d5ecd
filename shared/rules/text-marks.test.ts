import { expect, test } from 'vitest'
import { withoutMarks } from '#api/testing/text-marks.ts'
import { marksIn, withMark } from './text-marks.ts'

test('a mark is read back as it was written, is seen by nobody, and leaves the text as it was', () => {
  const text = 'More time, £300 – and “freedom”'
  const marked = `${withMark(text, 'home:hero.promises.0')} ${withMark('Next', 'site:brand.name')}`
  expect(marksIn(marked)).toEqual(['home:hero.promises.0', 'site:brand.name'])
  expect(withoutMarks(marked)).toBe(`${text} Next`)
  expect(marked.replaceAll(/\p{Cf}/gu, '')).toBe(`${text} Next`)
  expect([marksIn(text), withoutMarks(text)]).toEqual([[], text])
})
