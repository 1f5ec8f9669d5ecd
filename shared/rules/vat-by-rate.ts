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
  const net = inProportion(
    note.net,
    rates.map((of) => of.net),
  )
  const vat = inProportion(
    note.vat,
    rates.map((of) => of.vat),
  )
  return rates.map(({ rate }, index) => ({ rate, net: net[index] ?? 0, vat: vat[index] ?? 0 }))
}

/** `amount` in parts of whole pence that add up to it. Nothing, where the shares add up to nothing. */
export function inProportion(amount: Pence, shares: readonly Pence[]): Pence[] {
  const whole = sum(shares)
  const until = (count: number) => (whole === 0 ? 0 : Math.round((amount * sum(shares.slice(0, count))) / whole))
  return shares.map((_, index) => until(index + 1) - until(index))
}

const sum = (amounts: readonly Pence[]) => amounts.reduce((total, amount) => total + amount, 0)
