/** Digits as people write card numbers: 13 to 19 of them, in groups or not. None begins with 0, as 0044 7700 900015 does. */
const longNumbers = /(?<![\d+])[1-9](?:[ -]?\d){12,18}(?!\d)/g
/** Ghost's and MongoDB's ids. A run of digits in one of them passes for a card number now and then. */
const isHexId = (text: string) => /^[0-9a-f]{24}$/i.test(text.trim()) && /[a-f]/i.test(text)

/** Leaves out what could be a card number. Some membership sites' exports have them in custom fields. */
export function withoutCards(text: string): { text: string; cards: number } {
  if (isHexId(text)) return { text, cards: 0 }
  let cards = 0
  const kept = text.replace(longNumbers, (found) => {
    if (!passesLuhn(found.replace(/\D/g, ''))) return found
    cards += 1
    return ''
  })
  return { text: kept, cards }
}

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at])
    const doubled = at % 2 === 0 ? digit : digit * 2
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
