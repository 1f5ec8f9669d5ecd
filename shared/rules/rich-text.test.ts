import { expect, test } from 'vitest'
import { plainRichText, readRichText } from './rich-text.ts'

test('paragraphs, headings, lists, bold words and links are taken apart', () => {
  const text = readRichText(
    '## Thursday\nThe **workshop** is at [the yard](/about).\nBring boots.\n\n- Tape\n- Level\n',
  )
  expect(text).toEqual([
    { kind: 'heading', lines: [[{ text: 'Thursday' }]] },
    {
      kind: 'paragraph',
      lines: [
        [
          { text: 'The ' },
          { text: 'workshop', isBold: true },
          { text: ' is at ' },
          { text: 'the yard', href: '/about' },
          { text: '.' },
          { text: '\n' },
          { text: 'Bring boots.' },
        ],
      ],
    },
    { kind: 'list', lines: [[{ text: 'Tape' }], [{ text: 'Level' }]] },
  ])
  expect(plainRichText(text, 'https://site.test')).toBe(
    'Thursday\n\nThe workshop is at the yard (https://site.test/about).\nBring boots.\n\n- Tape\n- Level',
  )
})

test('a link leads to the web, a mail, a number or a page of the site; anything else stays text', () => {
  const leads = (target: string) => readRichText(`[x](${target})`)[0]?.lines[0]?.[0]?.href ?? null
  expect(['https://a.test', 'mailto:a@b.test', 'tel:0770', '/blog'].map(leads)).not.toContain(null)
  for (const target of [
    'javascript:alert(1)',
    'JaVaScRiPt:x',
    'data:text/html,x',
    '//evil.test',
    'http://a.test',
    'vbscript:x',
  ])
    expect([target, leads(target)]).toEqual([target, null])
})

test('what was left unfinished is text, and nothing of it is lost', () => {
  for (const text of ['a ** b', '**', '[half](', '[a](b c)', '<b>x</b>', '#no heading', '-no list']) {
    expect(plainRichText(readRichText(text), '')).toBe(text)
  }
})

test('a link whose words are its address is written once', () => {
  const plain = (text: string) => plainRichText(readRichText(text), 'https://site.test')
  expect(plain('[a@b.test](mailto:a@b.test), [ring](tel:0770)')).toBe('a@b.test, ring (0770)')
})
