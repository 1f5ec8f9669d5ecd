/** Letters that no mark is taken from, and what people without them on their keyboard type. */
const plain: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ħ: 'h',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}
const special = new RegExp(`[${Object.keys(plain).join('')}]`, 'g')

/** Folds text for searching, without case, accents and apostrophes: "oneill" finds "O’Néill", "lukasz" finds "Łukasz". */
export const foldText = (text: string): string =>
  text
    // Before too: putting thousands of marks on one letter in order takes minutes.
    .replace(/\p{M}/gu, '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/['’‘ʼ`´′]/g, '')
    .toLowerCase()
    .replace(special, (letter) => plain[letter] ?? letter)
