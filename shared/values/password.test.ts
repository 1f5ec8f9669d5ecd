import { expect, test } from 'vitest'
import { isGuessable } from './password.ts'

const own = { brand: ['The Alliance', 'alliance', 'tradesmen'], email: 'sam.field@fieldworks.example' }

test.each([
  ...['Alliance2026!', 'TheAlliance1', 'alliance-alliance', 'Älliance99', 'myalliance', '123Tradesmen'],
  ...['sam.field@fieldworks.example', 'SamField2026', 'fieldworks1', 'field-sam-99', 'fieldworks.example!'],
])('V6.1.2 V6.2.11 the site’s words and the own address are guessed first: %s', (password) => {
  expect(isGuessable(password, own)).toBe(true)
})

const numbered = { ...own, email: '07700900123@mail.test' }

test.each(['07700900123', '07700 900 123', '07700900123!!', '07700900123-2026', '0770090012307700900123', 'Mail-2026'])(
  'V6.1.2 V6.2.11 so is an address of digits: %s',
  (password) => expect(isGuessable(password, numbered)).toBe(true),
)

test.each(['447700900123', '+44 7700 900123', '+44 (0)7700 900123', '00447700900123', '7700900123', '7700-900-123!'])(
  'V6.1.2 V6.2.11 so is a telephone number as it is dialled from elsewhere: %s',
  (password) => {
    expect(isGuessable(password, numbered)).toBe(true)
    for (const local of ['447700900123', '+447700900123', '00447700900123'])
      expect([local, isGuessable(password, { ...own, email: `${local}@mail.test` })]).toEqual([local, true])
  },
)

test.each([
  ...['ALL1ANCE2026', 'A11iance!', '4lli4nc3', '@lliance99', 'The-A1liance-1', 'tr4de5men', '2026 4LL14NC3 2026'],
  ...['S4mF13ld2026', 'f1eldw0rks', 'F1ELDW0RK5'],
])('V6.1.2 V6.2.11 so are signs that stand for letters: %s', (password) => {
  expect(isGuessable(password, own)).toBe(true)
})

test.each([
  ...[
    '4152 7788 9900',
    '1310 5150 4313',
    'a11 the vans 4 sale',
    'ladder-4-sale-5',
    'trestle 5150 joist',
    'w0rks-0n-R00fs',
  ],
  ...['tape-and-1eve1-42', '5am-start-0n-site', 'alligator 1950', 'f1elding the van'],
])('signs that stand for letters spoil no passphrase: %s', (password) => {
  expect(isGuessable(password, { ...own, email: 'sam.field@ais.example' })).toBe(false)
})

test.each([
  ...[
    'All!ance1',
    'A||iance2',
    'A11!4nc3',
    'alli4nc€1',
    'AIIiance123',
    'A11IANCE1',
    'A l l ! a n c e 1',
    'A1l1l1i1a1n1c1e',
    '4!l!l!1!4!n!c!3',
  ],
  ...[
    'Alli\u0430nce123',
    '\u0410LLIANC\u0415 99',
    '\u0391lli\u03b1nce7',
    '\uff21\uff4c\uff4cia\uff4ece1',
    '\u200bAlli\u200bance12',
  ],
  ...['7r4d35m3n', 'Fie\u04cfdworks1', 'F!e1d-s4m-99'],
])('V6.1.2 V6.2.11 so are signs that look like letters: %s', (password) => {
  expect(isGuessable(password, own)).toBe(true)
})

test.each([
  ...[
    'Weather-7391-5528',
    'then 4719 0038 2291 5567',
    'Mother#4471-9982!',
    'Theo:8872-1193-0046',
    '480 the 9931 77 12 0x',
  ],
  ...[
    'leather:20391847562',
    '$the9$8812$7731',
    'Tomato-8814-2291',
    'tomcats 8814',
    'T0mato-8814-2291',
    '1234 5678 9021',
  ],
])('an article of the name, and three letters within another word, spoil no password: %s', (password) => {
  expect(isGuessable(password, { brand: ['The Alliance', 'The', 'Alliance'], email: 'tom@mail.test' })).toBe(false)
})

test.each([
  ...[
    'tom12345',
    'Tom-2024!',
    'tomtom99',
    'T.o.m.1234',
    't0m-2024!!',
    'Tom-abcd-2024',
    'TomAlliance',
    'tom@mail.test',
    'Alliance the abcd',
  ],
])('three letters that stand alone are the address still: %s', (password) => {
  expect(isGuessable(password, { brand: ['The Alliance', 'The', 'Alliance'], email: 'tom@mail.test' })).toBe(true)
})

test('an address whose parts look alike is read in no time', () => {
  const email = `${['ill', 'lil', 'iii', 'lll', 'ili', 'lii', 'ooo', 'sss'].join('.')}@mail.test`
  expect(isGuessable(`${'l'.repeat(198)}zz`, { ...own, email })).toBe(false)
})

test.each([
  '07700900124',
  '447700900124',
  '+44 7911 123456',
  '07700900123-horse',
  '4829 1775 2210',
  'tape-and-level-42',
])('with an address of digits, what has enough besides passes: %s', (password) =>
  expect(isGuessable(password, numbered)).toBe(false),
)

test('an address of a few digits spoils no password that has them among others', () => {
  expect(isGuessable('4829 1775 2210', { ...own, email: '482@mail.test' })).toBe(false)
})

test.each([
  'a-van-that-starts-42',
  'tape-and-level-42',
  'alliance of plumbers',
  'samovar kettle',
  '4829 1775 2210',
  'zzfield-ladder',
])('what has enough besides passes: %s', (password) => {
  expect(isGuessable(password, own)).toBe(false)
})
