import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanHtml } from '#api/features/site/blog/html-rules.ts'
import { convertHtml } from './html-rules.ts'

const site = { picture: () => 0, link: (address: string) => address }
const stored = (html: string) => cleanHtml(convertHtml(html, site).html)

test('text in boxes becomes paragraphs, and cards and players become links', () => {
  const card = (name: string, inner: string) => `<figure class="kg-card ${name}">${inner}</figure>`
  const html = [
    'Bare<div>One<div>Two <b>bold</b></div></div>',
    '<blockquote>Said</blockquote><ul><li>A</li></ul><pre>  kept\n as it is</pre>',
    card(
      'kg-bookmark-card',
      '<a href="https://a.example/x"><div class="kg-bookmark-title">T</div><img src="/i.png"></a>',
    ),
    card(
      'kg-audio-card',
      '<audio src="https://a.example/a.mp3"></audio><div class="kg-audio-title">Talk</div><svg></svg>',
    ),
    '<iframe src="//player.vimeo.com/video/1"></iframe><h1>Top</h1><table><tr><td colspan="2" onclick="x()">C</td></tr></table>',
  ].join('')
  expect(convertHtml(html, site)).toEqual({
    html: [
      '<p>Bare</p><p>One</p><p>Two <b>bold</b></p>',
      '<blockquote>Said</blockquote><ul><li>A</li></ul><pre>  kept\n as it is</pre>',
      '<p><a href="https://a.example/x">T</a></p><p><a href="https://a.example/a.mp3">Talk</a></p>',
      '<p><a href="https://player.vimeo.com/video/1">player.vimeo.com</a></p><h2>Top</h2>',
      '<table><tr><td colspan="2">C</td></tr></table>',
    ].join(''),
    lost: ['1 audio player, now a link', '1 embed from player.vimeo.com, now a link', '1 script'],
  })
})

test('a post nested without end is refused in a moment', () => {
  const from = performance.now()
  for (const open of ['<div>', '<b>', '<figure class="kg-card kg-audio-card">', '<blockquote> ', '<table><tr><td>'])
    expect(convertHtml(open.repeat(100_000), site)).toEqual({ html: '', lost: [expect.stringContaining('too deeply')] })
  expect(performance.now() - from).toBeLessThan(5_000)
})

test('a page builder’s boxes may be nested by the thousand: their words and links stay', () => {
  const deep = `${'<div class="row"><span>'.repeat(750)}<p>Van <a href="https://a.example">day</a></p>Rates${'</span></div>'.repeat(750)}`
  expect(convertHtml(deep, site)).toEqual({
    html: '<p>Van <a href="https://a.example">day</a></p><p>Rates</p>',
    lost: ['boxes nested too deeply'],
  })
})

const tags = 'p div a img iframe script style form svg figure video b h1 table td li pre noscript template'.split(' ')
const attributes = [
  'onclick="x()"',
  'href="javascript:x()"',
  'src="https://a.example/x"',
  'style="x"',
  'class="kg-card kg-file-card"',
  'href="https://a.example"',
  'srcdoc="<script>"',
]
const Soup = fc.array(
  fc.oneof(
    fc.tuple(fc.constantFrom(...tags), fc.subarray(attributes)).map(([tag, some]) => `<${tag} ${some.join(' ')}>`),
    fc.constantFrom(...tags).map((tag) => `</${tag}>`),
    fc.constantFrom('text', '&lt;script&gt;', '<!--', '-->', '<![CDATA[', '"', "'", '<', ' '),
  ),
  { maxLength: 40 },
)

test('whatever soup a file holds, nothing of it runs, and no picture is fetched from elsewhere', {
  tags: ['full'],
}, () => {
  fc.assert(
    fc.property(Soup, (parts) => {
      const html = stored(parts.join(''))
      expect(html).not.toMatch(
        /<(script|iframe|style|form|svg|video|template|noscript)|\son\w+=|href="javascript:|<[^>]*(style=|srcdoc)/i,
      )
      expect([...html.matchAll(/<img[^>]*src="([^"]*)"/g)].every(([, src]) => src?.startsWith('/~'))).toBe(true)
      // Storing it again changes nothing.
      expect(cleanHtml(html)).toBe(html)
    }),
    { numRuns: process.env.FULL ? 3000 : 300 },
  )
})

test('typed lines and blank lines become breaks and paragraphs, except between boxes and where text is as it is', () => {
  const typed = (html: string) => convertHtml(html, site, { isTyped: true }).html
  expect(typed('One\ntwo <b>bold</b>\nthree\n\n\nFour\r\nfive')).toBe(
    '<p>One<br>two <b>bold</b><br>three</p><p>Four<br>five</p>',
  )
  expect(
    typed('Before\n<ul>\n<li>A</li>\n<li>B\nb</li>\n</ul>\nAfter <a href="/x">link</a>\n<h2>T</h2>\n\nEnd'),
  ).toMatch(
    /^<p>Before<\/p>\s*<ul>\s*<li>A<\/li>\s*<li>B<br>b<\/li>\s*<\/ul>\s*<p>After <a href="\/x">link<\/a><\/p>\s*<h2>T<\/h2>\s*<p>End<\/p>$/,
  )
  expect(typed('<pre>a\n\nb</pre>\nc<br>\nd')).toBe('<pre>a\n\nb</pre><p>c<br>d</p>')
  expect(typed('a\n<!--more-->\nb\n\nhttps://youtu.be/x')).toBe(
    '<p>a</p><p>b</p><p><a href="https://youtu.be/x">https://youtu.be/x</a></p>',
  )
})
