import { foldText } from './fold-text.ts'

/** Words that say nothing of what's wanted. */
const fillers = new Set(
  'a an the my our your their his her him to of for in on at by do does did done i we me us how can could where what who when why there is are was were be been put give let and with want wants would like it that this some all show see find get gets getting got go goes going have has had need if s re ve ll d t m'.split(
    ' ',
  ),
)

export const wordsIn = (text: string): string[] =>
  foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

export const isFiller = (word: string): boolean => fillers.has(word)

/** The words that tell what's wanted, or all if none of them does. */
export function tellingWords(text: string): string[] {
  const all = wordsIn(text)
  const telling = all.filter((word) => !isFiller(word))
  return telling.length > 0 ? telling : all
}

/** “Prices”, “price” and “pricing” have one stem. It needn't be a word. A rating isn't a rate. */
export function stemOf(word: string): string {
  if (word.length < 4) return word
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x|z)es$/, '$1')
    .replace(/(?<!s|u|i)s$/, '')
  const plain = singular.replace(/(?<=[aeiouy].*)(?<!th|^rat)ing$/, '').replace(/([bdgmnprt])\1$/, '$1')
  return plain.length < 3 ? singular : plain.replace(/(?<=..)e$/, '')
}
