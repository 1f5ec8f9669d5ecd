import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Box, coveredBy, freePlace, roomFor, sectionToMove } from './toast-place.ts'

const area: Box = { left: 8, top: 8, right: 382, bottom: 836 }
const size = { width: 352, height: 58 }
const across = (top: number, bottom: number): Box => ({ left: 0, top, right: 390, bottom })
const screen = { area, targets: [], lines: [], pressed: { top: 0, bottom: 0 } }

/** A list on a phone: lines of text over a pair of buttons, row after row, down to a dock. */
const rowTops = [-60, 120, 300, 480, 660]
const list = {
  area,
  targets: [...rowTops.map((top) => across(top + 90, top + 146)), across(780, 844)],
  lines: rowTops.map((top) => ({ left: 60, top: top + 14, right: 300, bottom: top + 70 })),
}

describe('the place of a message', () => {
  test('is at the lower edge of an empty screen', () => {
    expect(freePlace(screen, size)).toEqual({ left: 30, top: 778, right: 382, bottom: 836 })
  })

  test('covers no button of a list, and nothing from the row on that was pressed', () => {
    const place = freePlace({ ...list, pressed: { top: 480, bottom: 660 } }, size)
    expect(coveredBy({ ...screen, targets: list.targets }, place)).toBe(0)
    expect(place.bottom).toBeLessThanOrEqual(480)
  })

  test('covers words of the row that was pressed rather than of the next, in large text', () => {
    const lines = [across(20, 260), across(480, 700)]
    const targets = [across(300, 460), across(740, 844)]
    const place = freePlace(
      { ...screen, lines, targets, pressed: { top: 0, bottom: 460 } },
      { width: 352, height: 120 },
    )
    expect(coveredBy({ ...screen, targets }, place)).toBe(0)
    expect(place.bottom).toBeLessThanOrEqual(300)
  })

  test('covers a part of a section’s head where the whole screen can be pressed, and none of its words', () => {
    const heads = [0, 100, 200].map((top) => ({ ...across(top, top + 100), isLarge: true }))
    const targets = [...heads, across(300, 844)]
    const lines = [{ left: 16, top: 10, right: 200, bottom: 36 }, ...[110, 210].map((top) => across(top, top + 90))]
    expect(freePlace({ ...screen, targets, lines }, size)).toMatchObject({ top: 39 })
  })

  test('is made above the lowest closed section that can move down without coming under the dock', () => {
    const heads = [0, 99, 196, 292, 388, 484, 580, 676].map((top) => ({ ...across(top, top + 97), isLarge: true }))
    const dock = { ...across(780, 844), isBar: true }
    const filled = { ...screen, targets: [...heads, dock] }
    expect(coveredBy(filled, freePlace(filled, size))).toBeGreaterThan(0)
    expect(sectionToMove(filled, size)).toBe(676)
    expect(roomFor(size)).toBe(66)
    expect(sectionToMove(filled, { ...size, height: 120 })).toBe(580)
    expect(sectionToMove({ ...filled, targets: [across(0, 780), dock] }, size)).toBeUndefined()
  })

  test('is beside what takes one half of a wide screen', () => {
    const wide: Box = { left: 8, top: 8, right: 1432, bottom: 892 }
    const targets = [{ left: 0, top: 0, right: 700, bottom: 900 }]
    expect(freePlace({ ...screen, area: wide, targets }, size)).toMatchObject({ right: 1432, bottom: 892 })
  })

  test('is on the right of a wide screen, as far down as nothing is covered', () => {
    const wide: Box = { left: 8, top: 8, right: 1432, bottom: 892 }
    const targets = [{ left: 1086, top: 480, right: 1400, bottom: 900 }]
    expect(freePlace({ ...screen, area: wide, targets }, size)).toMatchObject({ right: 1432, bottom: 476 })
  })

  test('fits between two that leave exactly its height and the least gap', () => {
    const targets = [658, 112, 0, 294, 476].map((top) => across(top, top + 118))
    const tight = { ...screen, targets: [...targets, across(776, 844)] }
    expect(coveredBy(tight, freePlace(tight, size))).toBe(0)
  })

  test('is never in the way where there is any place that is not', () => {
    const tops = fc.array(fc.integer({ min: 0, max: 800 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(tops, fc.integer({ min: 20, max: 120 }), (all, height) => {
        const targets = all.map((top) => across(top, top + height))
        const isFree = (top: number) => coveredBy({ ...screen, targets }, { ...area, top, bottom: top + 58 }) === 0
        const anywhere = Array.from({ length: 771 }, (_, step) => 8 + step).some(isFree)
        expect(isFree(freePlace({ ...screen, targets }, size).top)).toBe(anywhere)
      }),
      { numRuns: 60 },
    )
  })
})
