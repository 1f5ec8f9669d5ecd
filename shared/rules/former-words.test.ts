import { expect, test } from 'vitest'
import { formerWords } from './former-words.ts'

const shipped = {
  name: 'The Guild',
  shortName: 'Guild',
  tagline: 'Help for cobblers.',
  trades: 'Cobblers and tanners.',
}
const tradeWords = ['cobbler', 'tanner', 'at the last']
const kindsOf = (own: Partial<typeof shipped>) => formerWords({ shipped, own: { ...shipped, ...own }, tradeWords })

test.each([
  ['nothing is old before a rebrand', {}, 'The Guild of cobblers', null],
  ['the old name in any case', { name: 'Bench', shortName: 'Bench' }, 'JOIN THE GUILD!', 'name'],
  ['a short name that was forgotten', { name: 'Bench & Sons' }, 'Guild', 'name'],
  ['part of another word is no name', { name: 'Bench', shortName: 'Bench' }, 'Gold-guilded guilders', null],
  ['a new name that keeps the old one', { name: 'Guild of Bakers', shortName: 'Bakers' }, 'Guild of Bakers', null],
  ['a name in braces follows by itself', { name: 'Bench', shortName: 'Bench' }, '{brand.guild} is ours', null],
  ['words of the old trade, in the plural', { trades: 'Bakers.', tagline: 'Bread.' }, 'For tanners', 'trade'],
  ['an owner’s own word', { trades: 'Bakers and tanners.', tagline: 'Bread.' }, 'For tanners', null],
  ['the same trade under another name', { name: 'Bench', shortName: 'Bench' }, 'For tanners', null],
  ['a cookie keeps the program’s name', { name: 'Bench', shortName: 'Bench' }, 'guild_session', null],
  ['marks in a name', { name: 'C++ (UK)', shortName: 'C++' }, 'C++ (UK) at the last', null],
] as const)('%s', (_, own, text, kind) => {
  expect(kindsOf(own)(text)).toBe(kind)
})
