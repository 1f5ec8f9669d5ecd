import { expect, test } from 'vitest'
import { openState, type State } from './proof.ts'
import { reportOf } from './report.ts'

const part = { commit: 'aaaaaaaaaa', day: '2026-11-01', machine: 'two cores', loads: [1, 3], faults: [] }

/** Another machine, which has run nothing yet. */
const fresh = (changes: Partial<State>): State => ({ ...openState(true), ...changes })

const everything = fresh({
  kills: { API: { kills: 9, underWay: 8, caught: 7, acknowledged: 6 } },
  disk: { 'a form': { tried: 1, answer: '503 | later', saved: 1 } },
  requests: { sent: 500, statuses: { member: { '2xx': 500 } } },
  connections: { nobody: { left: 0, p99: 3, slowest: 4, memory: 100, after: 90 } },
  parts: { kills: part, disk: { ...part, faults: ['A form was lost.'] }, requests: part, connections: part },
})

const promises = { API: 'It’s there once.' }
const page = reportOf(everything, promises, '')

const linesWith = (text: string, mark: string) => text.split('\n').filter((line) => line.includes(mark))
const sectionOf = (text: string, heading: string) =>
  text
    .split(/^## /m)
    .find((one) => one.includes(heading))
    ?.trim()

test('what wasn’t run on a fresh machine keeps what the page said', () => {
  const requests = { sent: 20, statuses: { visitor: { '4xx': 20 } } }
  const own = { ...part, commit: 'bbbbbbbbbb', machine: 'four cores' }
  const next = reportOf(fresh({ requests, parts: { requests: own } }), promises, page)
  expect(linesWith(next, '`bbbbbbbbbb`')).toEqual([
    '| requests | `bbbbbbbbbb` | 2026-11-01 | four cores | 3.0, 3.0 | 0 |',
  ])
  expect(sectionOf(next, 'requests made')).toContain('| visitor | 20 |')
  expect(next).not.toContain('| member | 500 |')
  for (const heading of ['times kill -9', 'A full disk', 'idle connections']) {
    expect(sectionOf(page, heading)).toBeTruthy()
    expect(sectionOf(next, heading)).toBe(sectionOf(page, heading))
  }
  expect(linesWith(next, '`aaaaaaaaaa`')).toEqual(
    linesWith(page, '`aaaaaaaaaa`').filter((line) => !line.includes('requests')),
  )
  expect(linesWith(next, '**Fault**')).toEqual(['- **Fault** (disk): A form was lost.'])
})

test('a part that was only begun takes nothing off the page', () => {
  expect(reportOf(fresh({ parts: { kills: { ...part, commit: 'bbbbbbbbbb' } } }), promises, page)).toBe(page)
})

test('a part that was run again says nothing of its faults before', () => {
  const again = fresh({ disk: everything.disk, parts: { disk: part } })
  expect(reportOf(again, promises, page)).not.toContain('**Fault**')
})

test('of the page that’s there nothing is lost', async () => {
  const there = await Bun.file('docs/proven.md').text()
  const plain = (text: string) => text.replace(/-+/g, '-').replace(/\s+/g, ' ')
  expect(plain(reportOf(fresh({}), {}, there))).toBe(plain(there))
})
