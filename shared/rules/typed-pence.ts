import type { Pence } from './money.ts'

/** Pounds as they’re typed. Null if they aren’t an amount: in 12,50 the comma may be meant as a point, so it’s no thousand. */
export function typedPence(text: string): Pence | null {
  const typed = text.replace(/[£\s]/g, '')
  if (!/^(\d+|\d{1,3}(,\d{3})+)(\.\d{1,2})?$/.test(typed)) return null
  return Math.round(Number(typed.replaceAll(',', '')) * 100)
}
