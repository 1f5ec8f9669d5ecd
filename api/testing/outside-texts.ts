import * as v from 'valibot'
import { escapeXml } from '#api/documents/feeds.ts'
import { cleanHtml } from '#api/features/blog/html-rules.ts'
import { readMarkdown } from '#api/features/blog/markdown-rules.ts'
import { withoutCards } from '#api/features/imports/cards-rules.ts'
import { startCsv } from '#api/features/imports/csv-rules.ts'
import { readJson } from '#api/features/imports/json-service.ts'
import { readLesson } from '#api/features/imports/lessons-rules.ts'
import {
  blockOf,
  isAmbiguous,
  isNo,
  isSecret,
  isYes,
  lessonsOf,
  readDay,
  splitName,
} from '#api/features/imports/members-rules.ts'
import type { Pack } from '#api/features/imports/pack-service.ts'
import { readGhost } from '#api/features/imports/posts/ghost-service.ts'
import { convertHtml } from '#api/features/imports/posts/html-rules.ts'
import { createOldSite } from '#api/features/imports/posts/old-site-rules.ts'
import { instantOf, ourSlug, pathOf, plainText, sameSite, titleOf } from '#api/features/imports/posts/post-rules.ts'
import { readRedirects } from '#api/features/imports/posts/redirect-rules.ts'
import { withoutTemplates } from '#api/features/imports/posts/templates-rules.ts'
import { readWordpress } from '#api/features/imports/posts/wordpress-service.ts'
import { assertSound, detectFormat } from '#api/features/media/content-rules.ts'
import { decodePath } from '#api/http/canonical-path.ts'
import { canonicalAddress } from '#api/http/client-address.ts'
import { readDeliveryReport } from '#api/mail/delivery-report.ts'
import { PostRequest } from '#shared/contract/admin-post.ts'
import { BackupManifest } from '#shared/contract/backup.ts'
import { Email, Line, OptionalText, RequiredLine, Text } from '#shared/contract/fields.ts'
import { SiteCopy } from '#shared/contract/site-copy.ts'
import { analyticsPath } from '#shared/rules/analytics-path.ts'
import { readByteRange } from '#shared/rules/byte-range.ts'
import { linesOf, marksOf, normaliseCaptions, readCaptions, transcriptOf } from '#shared/rules/captions.ts'
import { numberOfChat } from '#shared/rules/chat-number.ts'
import { deviceName } from '#shared/rules/device-name.ts'
import { decodeText } from '#shared/rules/encoding.ts'
import { excerptOf } from '#shared/rules/excerpt.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { linkTarget } from '#shared/rules/link-target.ts'
import { splitAddresses } from '#shared/rules/linked-text.ts'
import { mediaNamedIn } from '#shared/rules/media.ts'
import { fillPlaceholders } from '#shared/rules/placeholders.ts'
import { hasContent, readingMinutes, slugOf } from '#shared/rules/posts.ts'
import { priceMentions } from '#shared/rules/price-mentions.ts'
import { returnPath } from '#shared/rules/return-path.ts'
import { plainRichText, readRichText } from '#shared/rules/rich-text.ts'
import { splitCsv } from '#shared/rules/split-csv.ts'
import { differenceOf } from '#shared/rules/text-difference.ts'
import { readTypedDay, readTypedDayAndTime } from '#shared/rules/typed-day.ts'
import { isVatNumberShaped } from '#shared/rules/vat-number.ts'
import { typeOfPasted } from '#shared/rules/video-source.ts'
import { countedPage, visitSource } from '#shared/rules/visit-source.ts'
import { problemsOfTexts } from '#shared/rules/written-text.ts'

/** A text made of one part, again and again, between a beginning and an end. */
export type Worst = string | { head?: string; part: string; tail?: string }

/** Each followed by a word without end. */
const heads = (...marks: string[]): Worst[] => marks.map((head) => ({ head, part: 'a' }))

/** What reads a text that someone else wrote, and the texts that would cost it most. It may refuse them. */
export type OutsideReader = { name: string; read(text: string): unknown; worst: readonly Worst[] }

export function worstText(worst: Worst, length: number): string {
  const { head = '', part, tail = '' } = typeof worst === 'string' ? { part: worst } : worst
  return head + part.repeat(Math.ceil((length - head.length - tail.length) / part.length)) + tail
}

async function drain(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of rows);
}

const packOf = (text: string): Pack => ({
  isZip: false,
  names: ['file'],
  stream: async () => new Blob([text]).stream(),
  bytes: async () => new TextEncoder().encode(text),
})

const site = () => createOldSite(packOf(''), { site: 'https://old.example' }, new Map())

const wordpressPost = (html: string) =>
  `<rss><channel><wp:base_site_url>https://old.example</wp:base_site_url><item><title>A</title><wp:post_type>post</wp:post_type><content:encoded><![CDATA[${html}]]></content:encoded></item></channel></rss>`

function readCsv(text: string): void {
  const csv = startCsv(',')
  csv.write(text)
  csv.end()
}

const timed = 'WEBVTT\n\n00:00.000 --> 00:01.000\n'

function readTimedText(text: string): void {
  const read = readCaptions(text)
  if ('problem' in read) return
  const transcript = transcriptOf(read.cues)
  linesOf(transcript, marksOf(read.cues, transcript))
}

const report = (status: string) =>
  `Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n${status}\r\n--b--\r\n`

const html = [
  ...[
    '<',
    '<a',
    '<a ',
    '<a href="',
    '<!--',
    '</',
    '<p>',
    '<b>',
    '</b>',
    '<div><p>',
    '<td>',
    '<img src=a>',
    '&',
    '&amp;',
  ],
  ...[' ', '\n', '"', '<a href="https://a.example">', '<p> ', '<svg>', '<style>', '<script>', '<![CDATA[', '<a a=b c'],
  ...['<blockquote>', '<ul><li>', '<table><tr>', { head: '<p>'.repeat(400), part: '</b>' }, '<iframe src="https://a">'],
  ...[
    '<img src="data:image/png;base64,',
    { head: '<img src="/a', part: '/', tail: '.png">' },
    '<h1>',
    '[caption]<img>',
  ],
]
const marks = [
  '*',
  '**a',
  '_',
  '`',
  '[',
  '[a](',
  '![',
  '> ',
  '- ',
  '#',
  '~',
  '|',
  '|-',
  '<',
  '&',
  '\\',
  '\n',
  ' \n',
  '1. ',
  'a_b*',
]
const marked = ['**', '[', '[a](', '[a](b', '](', '**a', ' ', '\n', '- ', '#', '[a]( ', 'https://']

const posts: OutsideReader[] = [
  { name: 'the cleaner of posts', read: (text) => cleanHtml(text), worst: html },
  {
    name: 'marks of programs that build sites',
    read: (text) => withoutTemplates(text, () => undefined),
    worst: [
      '{% x ',
      '{% ',
      '{{ ',
      '{{< x ',
      '{{ site.url | ',
      '{{< figure src="',
      '%}',
      '{%-',
      'x "',
      ...heads('{%', '{{<', '{{', '{% x'),
    ],
  },
  { name: 'HTML of another program', read: (text) => convertHtml(text, site()), worst: html },
  {
    name: 'a post of WordPress',
    read: (text) => drain(readWordpress(packOf(wordpressPost(text)), 'file', {})),
    worst: [
      ...[
        '[caption]<img>',
        ...heads('[', '[x '),
        '[youtube=',
        '[vimeo https://',
        '[x',
        '[a]',
        '[caption',
        '[caption]',
        '[caption]<a ',
        '[caption]<img>[',
        '[gallery ',
        '[su_',
        '[embed',
        '[embed]',
      ],
      ...[
        '[embed]https://a',
        '\n\n',
        '<pre>',
        '<p>\n',
        '<br',
        '<object>',
        '\n',
        '<',
        ' ',
        '[',
        '<!-- wp:',
        '<script>\n',
        '&',
      ],
      ...[{ head: '[caption]<img>', part: '[a' }, { head: '[caption]<img>', part: 'a' }, '<div>\n\n', '<a\n\n', '</p>'],
    ],
  },
  {
    name: 'a file of WordPress',
    read: (text) => drain(readWordpress(packOf(text), 'file', {})),
    worst: [
      '<a>',
      '</a>',
      '<a',
      '<![CDATA[',
      ']]>',
      '&',
      '<!--',
      '<?',
      '<a b="',
      '<item>',
      ' ',
      '<a></b>',
      '<item></item>',
    ],
  },
  {
    name: 'a file of Ghost',
    read: (text) => drain(readGhost(packOf(text), 'file', {})),
    worst: [
      '[',
      '{"a":',
      '"',
      '\\',
      { head: '{"a":"', part: '\\' },
      { head: '[', part: '1,' },
      '1',
      ' ',
      { head: '[', part: '{},' },
    ],
  },
  {
    name: 'JSON of another site of ours',
    read: (text) => drain(readJson(packOf(text).stream('') as never, { paths: ['$.*'], damaged: '' })),
    worst: [],
  },
  { name: 'Markdown', read: (text) => readMarkdown({ name: 'a.md', text: `# A\n\n${text}` }), worst: marks },
  {
    name: 'the head of a Markdown file',
    read: (text) => readMarkdown({ name: 'a.md', text: `---\n${text}\n---\nA` }),
    worst: ['- ', '{', '[', '{a: ', 'a: ', '"', '|', '\n', '\n---  a', ' ', 'a:\n ', '&a ', '*a ', '!', '? ', '- - '],
  },
  {
    name: 'YAML of redirects',
    read: (text) => readRedirects(text, 'a.yaml', {}),
    worst: ['/a: /b\n', '[', '{', '- ', ' ', '301:\n'],
  },
  {
    name: 'JSON of redirects',
    read: (text) => readRedirects(`[{"from":"/${text}","to":"/a"}]`, 'a.json', {}),
    worst: ['/', '$', '/$', '^', '(', '%', '../', '?'],
  },
  {
    name: 'a post’s fields',
    read: (text) => v.safeParse(PostRequest, { title: text, slug: text, content: text }),
    worst: ['<', '<p>', '-', ' '],
  },
  {
    name: 'a slug',
    read: (text) => [slugOf(text), ourSlug(text, text)],
    worst: ['-', ' ', '- ', 'a', 'a\u0315\u0300', '\u0315\u0300', '%', '%e2'],
  },
  {
    name: 'a plain text of HTML',
    read: (text) => [titleOf(text), plainText(text, 500), readingMinutes(text), hasContent(text)],
    worst: ['<', '<a', '< ', ' ', '&nbsp;', '<img', 'a ', '<a>'],
  },
  {
    name: 'an address of a post',
    read: (text) => [pathOf(text), pathOf(`https://a.example/${text}`), sameSite(text, 'https://a.example')],
    worst: ['/', '../', '%', './', '//', '#', '?', '%2f'],
  },
  {
    name: 'an address in a post',
    read: (text) => [site().link(`https://old.example/${text}`), site().picture(`/${text}`)],
    worst: ['/', '#', '../', 'a/', '\n#', '%'],
  },
  { name: 'a time', read: (text) => instantOf(text), worst: ['0', ' ', '-', ':', '2026-', '('] },
  {
    name: 'media in a text',
    read: (text) => mediaNamedIn(text),
    worst: ['/media/', '/media/0', '/media/00000000-', '0'],
  },
]

const tables: OutsideReader[] = [
  { name: 'a CSV', read: readCsv, worst: ['"', '""', '","', ',', '\n', '\r', '\r\n', 'a', '"a', '"\n', '"a"b', ' "'] },
  {
    name: 'card numbers',
    read: withoutCards,
    worst: ['4111111111111111 ', '4111111111111111', '4 ', '0-', '4', '+4', '1 +', '4111 ', '411111111111 x', ' '],
  },
  {
    name: 'a day',
    read: (text) => [readDay(text), isAmbiguous(text)],
    worst: [
      ' ',
      '1',
      '1/',
      '2026-01-01 ',
      { head: '1 jan', part: 'a' },
      { head: '2026-01-01T00:00:00.', part: '0' },
      { head: '2026-01-01T00:00:00', part: ' ' },
    ],
  },
  { name: 'a name', read: (text) => splitName(text), worst: [' ', 'a ', '\n'] },
  {
    name: 'a yes or no',
    read: (text) => [isYes(text), isNo(text), blockOf(text, text), isSecret(text)],
    worst: ['yes', ' ', 'unsub', 'opt', 'no'],
  },
  { name: 'lessons of a cell', read: (text) => lessonsOf(text), worst: [';', '|', '\n', ' ', 'a;'] },
  {
    name: 'a lesson',
    read: (text) => readLesson(['T', text, text, text], { title: 0, address: 1, description: 2, minutes: 3 }),
    worst: [
      '<',
      '<br',
      '<br ',
      '\n',
      '\n ',
      '\n\n',
      '<iframe ',
      '<iframe src="',
      '</iframe',
      '</iframe ',
      '1:',
      '&nbsp;',
      ' src=',
      '//',
    ],
  },
  { name: 'a CSV to cut', read: (text) => splitCsv(100).add(text), worst: ['"', '\n', ',', '"\n'] },
]

const typed: OutsideReader[] = [
  {
    name: 'a text field',
    read: (text) => [v.safeParse(Text(500), text), v.safeParse(OptionalText(500), text)],
    worst: [' ', '\r', '\n', '\u202a', '\ud800', '\u200b', 'a '],
  },
  {
    name: 'a line',
    read: (text) => [v.safeParse(Line(100), text), v.safeParse(RequiredLine('A'), text)],
    worst: [' ', '\t', '\n', '\u2028', '\u200b'],
  },
  {
    name: 'an email address',
    read: (text) => v.safeParse(Email, text),
    worst: ['a@', '@', '.', 'a.', ' ', { head: 'a@', part: 'a.' }, { head: 'a@', part: 'a-', tail: '.' }],
  },
  { name: 'words to search for', read: foldText, worst: ['a\u0315\u0300', '\u0315\u0300', '\u0301', '’', 'é', ' '] },
  { name: 'an excerpt', read: (text) => excerptOf(text, 200, ['zz']), worst: [' ', 'a', 'z', 'z ', '\u0301'] },
  {
    name: 'addresses in a text',
    read: (text) => [splitAddresses(text), linkTarget(text)],
    worst: ['https://', 'https://.', 'https://a.', { head: 'https://a', part: '.' }, 'a.', '@', '/', ' '],
  },
  { name: 'owners’ Markdown', read: (text) => plainRichText(readRichText(text), 'https://a.example'), worst: marked },
  {
    name: 'what’s wrong with a text',
    read: (text) => problemsOfTexts(text, 'a'),
    worst: [...marked, '<', '](', ']( '],
  },
  { name: 'placeholders', read: (text) => fillPlaceholders(text, {}), worst: ['{', '{a', '{a.', '}', '{{'] },
  {
    name: 'prices in a text',
    read: priceMentions,
    worst: ['£1', '£1 ', '£1,', '£', '£1 + VAT ', '£1 a month ', ' a '],
  },
  { name: 'two texts', read: (text) => differenceOf(text, `${text}a`), worst: [' ', 'a ', '\n', 'a'] },
  {
    name: 'a typed day',
    read: (text) => [readTypedDay(text, '2026-01-01'), readTypedDayAndTime(text, '2026-01-01')],
    worst: [' ', '\t', '1', '1 ', { part: '\t', tail: '0\n0.00' }, { head: '1', part: '/' }, { head: '1 ', part: 'a' }],
  },
  { name: 'a VAT number', read: isVatNumberShaped, worst: ['1', ' ', 'GB', '1 '] },
  {
    name: 'a video’s address',
    read: (text) => [typeOfPasted('wistia', text), typeOfPasted('youtube', text)],
    worst: [
      '<iframe ',
      '<iframe src="',
      { head: '<iframe ', part: 'src=' },
      { head: '<iframe ', part: ' ', tail: '</iframe>' },
      { head: '<iframe ', part: 'a="', tail: '</iframe>' },
      '/',
      'https://youtu.be/',
      ' ',
      '?v=',
    ],
  },
  {
    name: 'automatic captions',
    read: (text) => readTimedText(`${timed}<00:00:00.500>${text}\n\n${timed.slice(8)}${text}`),
    worst: ['a\n', 'a b\n', '<00:00:00.500>\n'],
  },
  {
    name: 'captions',
    read: (text) => [readTimedText(text), normaliseCaptions(text)],
    worst: [
      { head: 'WEBVTT\n\n', part: '00:00.000 --> 00:01.000\na\n\n' },
      { head: 'WEBVTT\n\n', part: '00:00.000 --> 00:01.000\na.\n\n00:04.000 --> 00:05.000\nb.\n\n' },
      { head: 'WEBVTT\n\n', part: '00:00.000 --> 00:01.000\n<b\n\n' },
      ...[
        '\n',
        '\r',
        ' ',
        '1\n',
        '00:00:00,000 --> ',
        '-->',
        '<',
        '&',
        { head: 'WEBVTT\n\n00:00.000 --> 00:01.000\n', part: '<' },
        { head: 'WEBVTT\n\n00:00.000 ', part: ' ' },
      ],
      { head: '1\n00:00:00,000 --> 00:00:01,000\na\n\n', part: '00:00:00,000 --> 00:00:01,000\na\n\n' },
    ],
  },
]

const bytesOf = (text: string) => Buffer.from(text, 'latin1')

async function readUpload(text: string, format: 'mp4' | 'vtt'): Promise<void> {
  const file = new Blob([bytesOf(text)])
  await detectFormat(file).catch(() => null)
  await assertSound(file, format)
}

const box = '\0\0\0\x08free'

const cue = '00:00.000 --> 00:01.000\n\xe9\n\n'
const film = '\0\0\0\x18ftypisom\0\0\x02\0isomiso2'

const files: OutsideReader[] = [
  {
    name: 'a film’s head',
    read: (text) => readUpload(text, 'mp4'),
    worst: [box, '\0', { head: film, part: box }, '\0\0\0\x01moov', '<', '%PDF', 'PK\x05\x06'],
  },
  {
    name: 'an upload of captions, in any encoding',
    read: (text) => [decodeText(bytesOf(text)), readUpload(text, 'vtt')][1],
    worst: ['WEBVTT\n', 'a\x80', 'a\x80\x93', ' \xc0 ', '\xff\xfe', '\0a', { head: 'WEBVTT\n\n', part: cue }],
  },
  {
    name: 'another site’s content',
    read: (text) => v.safeParse(v.pipe(v.string(), v.parseJson(), SiteCopy), text),
    worst: ['[', '{"a":', '"', '1', { head: '{"words":{"a":{', part: '"a":1,', tail: '"b":1}}}' }],
  },
  {
    name: 'a backup’s manifest',
    read: (text) => v.safeParse(v.pipe(v.string(), v.parseJson(), BackupManifest), text),
    worst: ['[', '{"a":', '"', '1', { head: '{"media":[', part: '{},', tail: '{}]}' }],
  },
]

const web: OutsideReader[] = [
  {
    name: 'a browser’s name',
    read: deviceName,
    worst: ['Mozilla/5.0 (', 'Chrome/', 'Version/', '(', ' ', 'Android ', 'Safari/', '1'],
  },
  {
    name: 'where a visit came from',
    read: (text) => [visitSource(text, 'a.example'), visitSource(`https://${text}`, 'a.example')],
    worst: ['a.', '.', '/', 'www.', '%'],
  },
  {
    name: 'a visited path',
    read: (text) => [analyticsPath(`/${text}`), countedPage(`/${text}`, () => false)],
    worst: ['/', '?', '#', '@', '1', '%40', 'a/'],
  },
  {
    name: 'a path',
    read: (text) => [decodePath(`/${text}`), returnPath(`/${text}`)],
    worst: ['/', '%', '%2f', '../', '%c3%', '\\'],
  },
  { name: 'a client’s address', read: (text) => canonicalAddress(text), worst: ['1.', ':', '[', '1', '0:', ' '] },
  { name: 'a range', read: (text) => readByteRange(`bytes=${text}`, 100), worst: ['0-', '-', '0,', '0', ' '] },
  { name: 'a chat’s address', read: (text) => numberOfChat(text), worst: ['1', 'https://wa.me/', '+'] },
  { name: 'a feed’s text', read: escapeXml, worst: ['&', '<', '\u0001', '\ud800', '"'] },
  {
    name: 'a bounced email',
    read: (text) => readDeliveryReport(report(text)),
    worst: ['\r\n', 'a: b\r\n', '\r\n ', ':', ' ', '<', 'Final-Recipient: rfc822; <', ';'],
  },
  {
    name: 'an email of another shape',
    read: (text) => readDeliveryReport(text),
    worst: [
      'a: b\r\n',
      '\r\n ',
      'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n',
      '=?utf-8?q?',
      '<',
      ',',
      '(',
      '"',
      ' ',
    ],
  },
]

export const outsideReaders: readonly OutsideReader[] = [...posts, ...tables, ...typed, ...files, ...web]

/** What costs some reader or other too much. The full tests give each of them all of these. */
export const commonWorst: readonly Worst[] = [
  ...[
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\u00a0',
    'a',
    '0',
    '1 ',
    '<',
    '<a',
    '<a ',
    '</',
    '<!--',
    '-->',
    '&',
    '&#',
    '"',
    "'",
    '`',
    '=',
  ],
  ...[
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '[a](',
    '![',
    '*',
    '**',
    '_',
    '#',
    '- ',
    '> ',
    '| ',
    '-',
    '--',
    ',',
    ';',
    ':',
    '.',
    '/',
  ],
  ...[
    '../',
    '%',
    '%41',
    '@',
    'a@',
    '?',
    '!',
    '$',
    '^',
    '+',
    '\\',
    'a.',
    'a,',
    'https://',
    'http://a.',
    '\u0301',
    'a\u0315\u0300',
  ],
  ...['\ud83d\ude00', '\u200b', '\ud800', '0,', '"a",', '\\"', '{"a":', '[1,', 'a:\n', '1.'],
]
