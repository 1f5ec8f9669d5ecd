import type { Pence } from './money.ts'

type Line = { rate: number; net: Pence; vat: Pence }
export type RateSum = Line

/** A document's sums for each rate of VAT, the highest rate first. */
export function vatByRate(lines: readonly Line[]): RateSum[] {
  const rates = [...new Set(lines.map(({ rate }) => rate))].sort((one, other) => other - one)
  return rates.map((rate) => {
    const ofRate = lines.filter((line) => line.rate === rate)
    return { rate, net: sum(ofRate.map(({ net }) => net)), vat: sum(ofRate.map(({ vat }) => vat)) }
  })
}

/**
 * What of a credit note is at which rate of its invoice: in proportion to what each rate charged. The parts are whole pence and add
 * up to the note.
 */
export function noteByRate(lines: readonly Line[], note: { net: Pence; vat: Pence }): RateSum[] {
  const rates = vatByRate(lines)
  const whole = { net: sum(rates.map(({ net }) => net)), vat: sum(rates.map(({ vat }) => vat)) }
  const given = { net: 0, vat: 0 }
  const seen = { net: 0, vat: 0 }
  return rates.map(({ rate, ...of }) => {
    const part = (kind: 'net' | 'vat') => {
      seen[kind] += of[kind]
      const until = whole[kind] === 0 ? 0 : Math.round((note[kind] * seen[kind]) / whole[kind])
      const own = until - given[kind]
      given[kind] = until
      return own
    }
    return { rate, net: part('net'), vat: part('vat') }
  })
}

const sum = (amounts: readonly Pence[]) => amounts.reduce((total, amount) => total + amount, 0)
