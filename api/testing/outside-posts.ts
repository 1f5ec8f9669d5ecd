import * as v from 'valibot'
import { readJson } from '#api/features/imports/json-service.ts'
import type { Pack } from '#api/features/imports/pack-service.ts'
import { readGhost } from '#api/features/imports/posts/ghost-service.ts'
import { convertHtml } from '#api/features/imports/posts/html-rules.ts'
import { createOldSite } from '#api/features/imports/posts/old-site-rules.ts'
import { instantOf, ourSlug, pathOf, plainText, sameSite, titleOf } from '#api/features/imports/posts/post-rules.ts'
import { readRedirects } from '#api/features/imports/posts/redirect-rules.ts'
import { withoutTemplates } from '#api/features/imports/posts/templates-rules.ts'
import { readWordpress } from '#api/features/imports/posts/wordpress-service.ts'
import { cleanHtml } from '#api/features/site/blog/html-rules.ts'
import { readMarkdown } from '#api/features/site/blog/markdown-rules.ts'
import { PostRequest } from '#shared/contract/admin-post.ts'
import { mediaNamedIn } from '#shared/values/media.ts'
import { hasContent, readingMinutes, slugOf } from '#shared/values/posts.ts'
import type { OutsideReader, Worst } from './outside-texts.ts'

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
/** Each followed by a word without end. */
const heads = (...marks: string[]): Worst[] => marks.map((head) => ({ head, part: 'a' }))

export const postReaders: OutsideReader[] = [
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
      '{% comment %}',
      '{% raw %}',
      '{% x %',
      '{:',
      '){: ',
      '* TOC\n',
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
