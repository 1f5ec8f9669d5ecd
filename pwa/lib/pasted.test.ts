import '#pwa/testing/window.ts'
import { expect, test } from 'vitest'
import { readPasted } from './pasted.ts'

const html = (pasted: string) => readPasted(pasted).html
const told = (pasted: string) => readPasted(pasted).told

test('Google Docs: only what is bold is, headings, nested lists and links stay', () => {
  const docs = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-0"><h1 dir="ltr"><span style="font-size:20pt;font-weight:400;">Quotes</span></h1><p dir="ltr" style="line-height:1.38;"><span style="font-weight:400;font-style:normal;">Plain words, </span><span style="font-weight:700;">bold words</span><span style="font-style:italic;"> and slanted</span></p><br /><ul style="padding-inline-start:48px;"><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>One</span></p></li><ul><li dir="ltr" aria-level="2"><p role="presentation"><span>Within</span></p></li></ul><li aria-level="1"><p><span>Two</span></p></li></ul><p><a href="https://www.google.com/url?q=https://gov.uk/vat&amp;sa=D" style="text-decoration:none;"><span>VAT</span></a></p></b><br class="Apple-interchange-newline">`
  expect(html(docs)).toBe(
    '<h2>Quotes</h2><p>Plain words, <strong>bold words</strong><em> and slanted</em></p><ul><li><p>One</p><ul><li><p>Within</p></li></ul></li><li><p>Two</p></li></ul><p><a href="https://gov.uk/vat">VAT</a></p>',
  )
  expect(told(docs)).toBe('')
})

const wordItem = (level: number, marker: string, words: string) =>
  `<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-bidi-font-family:\nSymbol'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${words}<o:p></o:p></p>`

test('Word: numbers and bullets are lists again, within each other and going on after other words', () => {
  const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm} --></style></head><body lang=EN-GB><!--StartFragment--><p class=MsoTitle>Pricing<o:p></o:p></p><h1>Day rates</h1><p class=MsoNormal><b style='mso-bidi-font-weight:normal'>Mind</b> the
margin<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p>${wordItem(1, '1.', 'Measure')}${wordItem(2, '·', 'twice')}${wordItem(2, 'o', 'or <i>three</i> times')}${wordItem(1, '2.', 'Cut')}<p class=MsoListParagraph>with a saw</p>${wordItem(1, '3.', 'Sweep')}${wordItem(1, '1.', 'Again')}<!--EndFragment--></body></html>`
  expect(html(word)).toBe(
    '<h2>Pricing</h2><h2>Day rates</h2><p><strong>Mind</strong> the margin</p><ol><li><p>Measure</p><ul><li><p>twice</p></li><li><p>or <em>three</em> times</p></li></ul></li><li><p>Cut</p></li></ol><p>with a saw</p><ol start="3"><li><p>Sweep</p></li></ol><ol><li><p>Again</p></li></ol>',
  )
})

test('Word in Safari, which takes its marks off: numbers and bullets are lists again', () => {
  const item = (points: number, marker: string, words: string) =>
    `<p class="MsoListParagraphCxSpMiddle" style="margin: 0cm 0cm 8pt ${points}pt; text-indent: -18pt; color: rgb(0, 0, 0);"><span>${marker}<span style="font-size: 7pt; font-family: &quot;Times New Roman&quot;;">&nbsp;&nbsp;<span class="Apple-converted-space">&nbsp;</span></span></span>${words}<o:p></o:p></p>`
  expect(
    html(
      `${item(36, '1.', 'Measure')}${item(72, '·', 'twice')}${item(36, '2.', 'Cut')}<p class="MsoListParagraph">with a saw</p><p class="MsoListParagraph"><span>Yes.</span> Sweep</p>`,
    ),
  ).toBe(
    '<ol><li><p>Measure</p><ul><li><p>twice</p></li></ul></li><li><p>Cut</p></li></ol><p>with a saw</p><p>Yes. Sweep</p>',
  )
})

test('Word online: headings, bold and lists of one item each are what people saw', () => {
  const run = (words: string, style = '') =>
    `<span data-contrast="auto" class="TextRun SCXW1 BCX8" style="margin: 0px; font-size: 12pt;${style}"><span class="NormalTextRun SCXW1">${words}</span></span><span class="EOP SCXW1" data-ccp-props="{&quot;1&quot;:0}">&nbsp;</span>`
  const item = (tag: string, level: number, words: string, start = '') =>
    `<div class="ListContainerWrapper SCXW1"><${tag} class="BulletListStyle1" role="list"${start}><li data-leveltext="" data-aria-level="${level}" role="listitem" class="OutlineElement Ltr"><p class="Paragraph SCXW1" style="font-weight: normal; font-style: normal;">${run(words)}</p></li></${tag}></div>`
  const online = `<html><body><!--StartFragment--><div class="OutlineElement Ltr SCXW1"><p class="Paragraph SCXW1" role="heading" aria-level="2" style="font-weight: normal;">${run('Pricing', 'font-weight: bold;')}</p></div><div class="OutlineElement"><p class="Paragraph" style="font-weight: normal; font-style: normal;">${run('Mind the ')}${run('margin', 'font-weight: bold;')}</p></div>${item('ul', 1, 'One')}${item('ul', 2, 'Within')}${item('ul', 1, 'Two')}${item('ol', 1, 'First', ' start="1"')}${item('ol', 1, 'Second', ' start="2"')}<!--EndFragment--></body></html>`
  expect(html(online)).toBe(
    '<h2>Pricing</h2><p>Mind the <strong>margin</strong></p><ul><li><p>One</p><ul><li><p>Within</p></li></ul></li><li><p>Two</p></li></ul><ol><li><p>First</p></li><li><p>Second</p></li></ol>',
  )
})

test('a page: its ranks fit a post’s, words without a block stay a line, and nothing hidden comes along', () => {
  expect(html('<h1>One</h1><h5>Five</h5>')).toBe('<h2>One</h2><h4>Five</h4>')
  expect(html('a <span style="font-weight:600">few</span> words&nbsp;more')).toBe('a <strong>few</strong> words more')
  expect(html('<div>One<br><br>Two<br>three</div><div style="display:none">x</div><script>x</script>')).toBe(
    '<p>One</p><p>Two<br>three</p>',
  )
  expect(html('<p>12 m<sup>2</sup> at 5 &lt; 6 style="x"</p>')).toBe('<p>12 m² at 5 &lt; 6 style=&quot;x&quot;</p>')
  expect(html('<ul><li>One<ol start="4"><li>Four</li></ol></li></ul><blockquote><p>Said</p></blockquote>')).toBe(
    '<ul><li><p>One</p><ol start="4"><li><p>Four</p></li></ol></li></ul><blockquote><p>Said</p></blockquote>',
  )
  expect(html('<p><a href="javascript:alert(1)">no</a> <a href="#x">here</a> <a href="/blog">ours</a></p>')).toBe(
    '<p>no here <a href="/blog">ours</a></p>',
  )
  expect(html('<p data-pm-slice="1 1 []">Ours <strong>too</strong></p>')).toContain('Ours <strong>too</strong>')
})

test('what a post can’t hold is said', () => {
  const picture = '<img src="https://example.com/a.png"><img src="file:///C:/clip_image001.png">'
  expect(readPasted(`<p>One${picture}</p>`)).toEqual({
    html: '<p>One</p>',
    told: 'We left out 2 pictures: upload them with “Picture”.',
  })
  expect(html('<p>One</p><img src="/media/x.jpg" alt="A van">')).toBe('<p>One</p><img src="/media/x.jpg" alt="A van">')
  const table = '<table><tr><th>Job</th><th>Price</th></tr><tr><td><p>Tap</p></td><td>£80</td></tr></table>'
  expect(readPasted(table)).toEqual({
    html: '<p><strong>Job</strong> | <strong>Price</strong></p><p>Tap | £80</p>',
    told: 'The table is lines of text now.',
  })
  expect(html('<table><tr><td><p>A mail</p></td></tr></table>')).toBe('<p>A mail</p>')
  expect(told('<p><s>£90</s> £80</p><iframe src="https://www.youtube.com/embed/x"></iframe>')).toBe(
    'We left out a video or another site’s box: add a link instead. Crossed-out words look like the others now.',
  )
})

test('what’s underlined, coloured or centred is said to be plain now, and what only looks like it isn’t', () => {
  const underlined = 'Underlined words look like the others now.'
  const coloured = 'Coloured words look like the others now.'
  expect(told('<p>One <u>two</u></p>')).toBe(underlined)
  expect(told('<p><span style="text-decoration:underline;color:#000000">One</span></p>')).toBe(underlined)
  expect(told('<p><a href="https://gov.uk"><u style="color:#1155cc">VAT</u></a><u> </u></p>')).toBe('')
  for (const css of ['color:red', 'color: rgb(192, 0, 0)', 'background:yellow;mso-highlight:yellow', 'color:#C00'])
    expect(told(`<p>One <span style='${css}'>two</span></p>`), css).toBe(coloured)
  expect(told('<p><font color="#ff0000">One</font> <mark>two</mark></p>')).toBe(coloured)
  const grey =
    'color: rgb(17, 24, 39); background-color: rgb(255, 255, 255); text-decoration-style: initial; text-align: start'
  expect(
    told(`<p style="${grey}">One <span style="color:windowtext;background-color:rgba(255, 0, 0, 0)">two</span></p>`),
  ).toBe('')
  expect(told('<h2 style="color:#2F5496;text-align:center"><u>One</u></h2>')).toBe('')
  expect(told('<p align=center style="text-align:center">One</p>')).toBe('Centred lines start at the left now.')
  // Apple’s programs say so in a sheet.
  const notes = `<html><head><meta name="Generator" content="Cocoa HTML Writer"><style type="text/css">p.p1 {margin: 0.0px 0.0px 0.0px 0.0px; font: 13.0px 'Helvetica Neue'; color: #000000}
span.s1 {text-decoration: underline}</style></head><body><p class="p1"><b>Prices</b></p><p class="p1">Per <span class="s1">day</span></p><ul class="ul1"><li class="li1">One</li></ul></body></html>`
  expect(readPasted(notes)).toEqual({
    html: '<p><strong>Prices</strong></p><p>Per day</p><ul><li><p>One</p></li></ul>',
    told: underlined,
  })
})
