import { expect, test } from 'vitest'
import { typedPence } from './typed-pence.ts'

test('pounds are read as they’re typed; a comma is for thousands, never for pence', () => {
  const typed: [text: string, pence: number | null][] = [
    ['250', 25_000],
    [' £1,250.50 ', 125_050],
    ['12.5', 1_250],
    ['£ 1 250', 125_000],
    ['1,250,000', 125_000_000],
    ['12,50', null],
    ['1,2500', null],
    ['1.250,00', null],
    ['0.005', null],
    ['12 pounds 3', null],
    ['-5', null],
    ['', null],
  ]
  for (const [text, pence] of typed) expect([text, typedPence(text)]).toEqual([text, pence])
})
