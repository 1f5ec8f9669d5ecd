import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idRandomBytes, isUuidV7, shortReference, uuidV7 } from './id.ts'

const bytes = fc.uint8Array({ minLength: idRandomBytes, maxLength: idRandomBytes })

test('an id is a valid UUIDv7 whatever the clock and the random bytes', () => {
  fc.assert(
    fc.property(fc.double(), bytes, (ms, random) => {
      expect(isUuidV7(uuidV7(Number.isNaN(ms) ? 0 : ms, random))).toBe(true)
    }),
  )
})

test('ids sort by the time they were made at', () => {
  const early = uuidV7(1_000, new Uint8Array(idRandomBytes).fill(255))
  const late = uuidV7(1_001, new Uint8Array(idRandomBytes))
  expect([late, early].sort()).toEqual([early, late])
  expect(early.startsWith('00000000-03e8-7')).toBe(true)
})

test('every random byte counts', () => {
  const base = uuidV7(0, new Uint8Array(idRandomBytes))
  for (let index = 0; index < idRandomBytes; index++) {
    const random = new Uint8Array(idRandomBytes)
    random[index] = 1
    expect(uuidV7(0, random)).not.toBe(base)
  }
})

test('other versions, upper case and anything longer are no ids', () => {
  expect(isUuidV7('0190163d-8694-4e3b-8c7d-1f2b3c4d5e6f')).toBe(false)
  expect(isUuidV7('0190163D-8694-7E3B-8C7D-1F2B3C4D5E6F')).toBe(false)
  expect(isUuidV7('0190163d-8694-7e3b-8c7d-1f2b3c4d5e6f0')).toBe(false)
})

test('a reference to read out is the random end of the id', () => {
  expect(shortReference('0190163d-8694-7e3b-8c7d-1f2b3c4d5e6f')).toBe('3C4D-5E6F')
})
