const digitsOf = (text: string): string | undefined =>
  /^(?:GB|XI)?(\d{9}|\d{12})$/i.exec(text.replace(/[\s.-]/g, ''))?.[1]

/** Whether a text looks like a UK VAT number: nine digits, or twelve for a branch, with or without GB in front. */
export const isVatNumberShaped = (text: string): boolean => digitsOf(text) !== undefined

/** Whether the check digits fit one of HMRC's two algorithms. Nearly every typo breaks both. */
export function hasVatCheckDigits(text: string): boolean {
  const digits = digitsOf(text)
  if (digits === undefined) return false
  const weighted = [8, 7, 6, 5, 4, 3, 2].reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0)
  const checked = weighted + Number(digits.slice(7, 9))
  return checked % 97 === 0 || (checked + 55) % 97 === 0
}
