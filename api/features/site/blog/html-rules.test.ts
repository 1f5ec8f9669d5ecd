import { describe, expect, test } from 'vitest'
import { attacks } from '#api/testing/attacks.ts'
import { cleanHtml } from './html-rules.ts'

const allowed =
  'H2 H3 H4 P UL OL LI BLOCKQUOTE FIGURE FIGCAPTION IMG A CODE PRE TABLE CAPTION THEAD TBODY TFOOT TR TH TD STRONG EM B I HR BR'
const attributes = 'href rel src alt width height loading start colspan rowspan scope'.split(' ')
const ownPath = /^\/(?![/\\])/

/** Everything in the tree that could run, load or navigate. */
function findings(root: Element): string[] {
  return [...root.querySelectorAll('*')].flatMap((element) => [
    ...(allowed.split(' ').includes(element.tagName) ? [] : [`<${element.tagName}>`]),
    ...[...element.attributes].flatMap(({ name, value }) => {
      const isAddress = name === 'href' || name === 'src'
      const isGood = ownPath.test(value) || (name === 'href' && /^(https?:\/\/|mailto:)/.test(value))
      return !attributes.includes(name) || (isAddress && !isGood) ? [`${element.tagName} ${name}="${value}"`] : []
    }),
  ])
}

/** As a document without scripts would read it. */
const inert = (html: string): Element => new DOMParser().parseFromString(html, 'text/html').body

/** The same, plus as `innerHTML` would. */
function readings(html: string): Element[] {
  const inside = document.createElement('div')
  inside.innerHTML = html
  return [inside, inert(html)]
}

describe('BLOG-5 pasted HTML runs nothing, loads nothing and links to nothing that is not allowed', () => {
  test.each(Object.entries(attacks))('%s', (_name, attack) => {
    // On its own, inside elements it could break out of, and followed by other text.
    for (const html of [
      attack,
      `<blockquote><p>${attack}</p></blockquote>`,
      `<table><tr><td>${attack}`,
      `${attack}<p>`,
    ]) {
      const clean = cleanHtml(html)
      // It's cleaned on input and again on output, which mostly changes nothing.
      const written = new Set([clean, cleanHtml(clean)])
      for (const reading of [...written].flatMap((html) => readings(html))) {
        expect(findings(reading)).toEqual([])
        // Parsing what the browser serialised reveals mutations.
        for (const again of readings(reading.innerHTML)) expect(findings(again)).toEqual([])
      }
    }
  })

  test('the check itself finds what is not clean', () => {
    const seen = Object.values(attacks).filter((attack) => findings(inert(attack)).length > 0)
    expect(seen.length).toBeGreaterThan(60)
  })

  test('ten thousand nested elements are cleaned too', () => {
    const deep = cleanHtml(`${'<blockquote>'.repeat(10_000)}deep${'</blockquote>'.repeat(10_000)}`)
    expect(deep).toContain('deep')
    expect(deep.length).toBeLessThan(3_000)
  })

  test('of more elements than anyone writes, the words stay', () => {
    expect(cleanHtml('<td>a</td>'.repeat(19_999))).toContain('<td>a</td>')
    expect(cleanHtml('<p>a '.repeat(20_001))).toBe('a '.repeat(20_001).replaceAll(' ', '  ').trim())
  })
})

describe('BLOG-5 what a post needs stays', () => {
  test('text, lists, tables, pictures and code come through as they were', () => {
    const post = [
      '<h2>Price it</h2><h3>Once</h3><h4>On paper</h4><p>Five &amp; six, <strong>seven</strong> <em>eight</em> <b>b</b> <i>i</i><br />nine.</p>',
      '<ol start="3"><li>a</li></ol><ul><li>b</li></ul><blockquote>q</blockquote><hr /><pre><code>a &lt; b</code></pre>',
      '<figure><img src="/pictures/blog-paid.svg" alt="An invoice" width="640" height="360" loading="lazy" /><figcaption>c</figcaption></figure>',
      '<table><caption>t</caption><thead><tr><th scope="col">h</th></tr></thead><tbody><tr><td colspan="2" class="end">d</td></tr></tbody></table>',
      '<p><a href="/contact">ours</a>, <a href="mailto:sam@example.com">mail</a></p>',
    ].join('')
    expect(cleanHtml(post)).toBe(post)
    expect(cleanHtml('<td class="end big" align="right">1</td>')).toBe('<td class="end">1</td>')
    expect(cleanHtml('<td class="toast">1</td>')).toBe('<td>1</td>')
  })

  test('a link to another site is nofollow, a picture has a text, a heading ranks below the page’s own', () => {
    expect(cleanHtml('<a href=" HTTPS://Example.com/a b " target=_blank rel=opener>x</a>')).toBe(
      '<a href="https://example.com/a%20b" rel="noopener nofollow">x</a>',
    )
    expect(cleanHtml('<img src=/a.svg>')).toBe('<img src="/a.svg" alt="" loading="lazy" />')
    expect(cleanHtml('<h1>a</h1><h6>b</h6>')).toBe('<h2>a</h2><h4>b</h4>')
  })

  test('a link to this site’s API is removed, however it is written; another site’s stays', () => {
    const own = ['https://alliance.example']
    const calls = '/api/logout /api /./api/logout?x=1 /%61pi/logout /API/logout /sandbox/mail/1'.split(' ')
    for (const path of [...calls, ...calls.map((call) => own[0] + call)]) {
      expect([path, cleanHtml(`<p>a<img src="${path}"><a href="${path}">b</a></p>`, own)]).toEqual([path, '<p>ab</p>'])
    }
    for (const good of ['/apiary', 'https://docs.example/api/list', '/blog/api/', 'mailto:api@example.com']) {
      expect(cleanHtml(`<a href="${good}">b</a>`, own)).toContain(`href="${good}"`)
    }
  })

  test('the text of removed elements stays where it is text', () => {
    expect(cleanHtml('<div class=x><span>Call </span><a href="javascript:x">us</a></div>')).toBe('Call us')
  })
})
