import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { coveringTests } from './covering.ts'
import { findFaults, withSwitches } from './faults.ts'

const changesIn = (text: string) => findFaults('rule.ts', text).map(({ change }) => change)

test('a fault is found in a comparison, a condition, a number, a negation and an early return, and in nothing else', () => {
  expect(changesIn('const f = (a: 1 | 2) => a < 10')).toEqual(['a < 10 → a <= 10', '10 → 11'])
  expect(changesIn('const f = (a) => !a && true')).toEqual(['!a && true → !a || true', '!a → a', 'true → false'])
  expect(changesIn('function f(a) {\n  if (a) return a * 2\n  return a\n}')).toEqual([
    'a → true',
    'a → false',
    'return a * 2 → nothing',
    'a * 2 → a / 2',
    '2 → 3',
  ])
  expect(
    changesIn("import { a } from './a.ts'\ntype B = { b: true; 1: 2 }\nconst c = 'it is ' + a\nconst d = { 3: c }"),
  ).toEqual([])
})

test('a source with switches does what it did, until one of them is on', () => {
  const text = `
    function f(list, limit) {
      const found = []
      for (const item of list) {
        if (item === limit) { if (!list.ends) return found
        } else if (item > limit && item < 9) throw new Error('over')
        item < 3 && found.push(item * 2)
      }
      return found
    }
    result = [f([1, 2, 4], 4), f([1, 3], 5)]`
  const faults = findFaults('rule.ts', text).map((fault, id) => ({ ...fault, id }))
  const switched = withSwitches(text, faults)
  const resultWith = (on: number): unknown => {
    const context = { result: undefined, $fault: (id: number) => id === on }
    try {
      runInNewContext(switched, context)
      return context.result
    } catch (error) {
      return String(error)
    }
  }
  expect(resultWith(-1)).toEqual([[2, 4], [2]])
  const idOf = (change: string) => faults.findIndex((fault) => fault.change === change)
  expect(resultWith(idOf('item * 2 → item / 2'))).toEqual([[0.5, 1], [0.5]])
  expect(resultWith(idOf('item < 3 → item <= 3'))).toEqual([
    [2, 4],
    [2, 6],
  ])
  expect(resultWith(idOf('item > limit && item < 9 → item > limit || item < 9'))).toBe('Error: over')
})

test('the test beside a file comes first, then those that import it, then those beside what does', () => {
  const files = {
    'shared/rules/money.ts': 'export const pence = 1',
    'shared/rules/money.test.ts': "import './money.ts'",
    'shared/rules/mrr.ts': "import type { Pence } from './money.ts'",
    'shared/rules/mrr.test.ts': "import './mrr.ts'",
    'api/features/tiers/service.ts': "import { pence } from '#shared/rules/money.ts'",
    'api/features/tiers/tiers.test.ts': '',
    'pwa/a.test.tsx': "import '#shared/rules/money.ts'",
  }
  expect(coveringTests(new Map(Object.entries(files)))('shared/rules/money.ts')).toEqual([
    'shared/rules/money.test.ts',
    'pwa/a.test.tsx',
    'api/features/tiers/tiers.test.ts',
  ])
})
