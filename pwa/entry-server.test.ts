import { expect, test } from 'vitest'
import { pageData, pageTexts, siteContent, tiers } from '#pwa/testing/public-data.ts'
import { createPageRenderer } from './entry-server.tsx'

const renderer = createPageRenderer(pageData)

const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')

function itemsOf(html: string, start: string): string[] {
  const list = html.slice(html.indexOf(start)).split('</ol>')[0] ?? ''
  return [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item = '']) => textOf(item))
}

async function page(path: string) {
  const rendered = await renderer.render(renderer.find(path), path)
  return { ...rendered, text: textOf(rendered.html) }
}

test('which paths the server renders whole, and which the browser does', () => {
  expect(
    ['/', '/membership-tiers', '/membership-application', '/members', '/nope', '/Members', '/about/us'].map(
      (path) => renderer.find(path).kind,
    ),
  ).toEqual(['page', 'page', 'shell', 'shell', 'missing', 'missing', 'missing'])
})

test('on pages with a payment, visitors without JavaScript read what to do and whom to contact', async () => {
  const { help } = pageTexts.quotient.success
  for (const path of ['/quotient/checkout', '/membership-application', '/reactivate', '/reactivate-delayed']) {
    const { html } = await page(path)
    const text = textOf(html.match(/<noscript>.*?<\/noscript>/s)?.[0] ?? '')
    expect([path, text]).toEqual([path, expect.stringContaining('This page needs JavaScript')])
    expect(text).toContain('Switch it on in your browser’s settings')
    expect(text).toContain(siteContent.coaches.map(({ email }) => email).join(' or '))
    expect(text).toContain(`${help.email} or ring ${help.phone}`)
  }
})

test('HOME-03 HOME-04 HOME-05 the front page promises: three benefits, then three steps in their order, with the lowest price', async () => {
  const { html, text, head, state } = await page('/')
  const { hero, benefits, journey } = pageTexts.home
  for (const said of hero.promises) expect(text).toContain(said)
  const cards = itemsOf(html, '<ol class="work">')
  expect(cards.map((card) => card.replace(/^Job \d /, ''))).toEqual(
    benefits.jobs.map(({ title, text }) => title + text),
  )
  const steps = itemsOf(html, '<ol class="run">')
  expect(steps).toHaveLength(3)
  for (const [index, { title, text }] of journey.steps.entries())
    expect(steps[index]?.startsWith(`${index + 1}${title}${text}`)).toBe(true)
  expect(steps[1]?.endsWith(siteContent.prices.lowest)).toBe(true)
  expect(head.title).toContain(siteContent.brand.name)
  expect(state.responses).toEqual([
    { key: ['site-content', 'home'], data: pageTexts.home },
    { key: ['membership-tiers'], data: tiers },
  ])
})

test('HOME-06 TIER-18 TIER-19 TIER-21 the tiers are on the front page, with their prices from the server', async () => {
  const { text } = await page('/')
  for (const said of ['£125 + VAT/month', '£250 + VAT/month', '£450 + VAT/month']) expect(text).toContain(said)
  expect(text).toContain('Most Popular')
  expect(text).toContain('INVITE ONLY')
  expect(text).toContain('CONTACT FOR INVITATION (Invite only)')
  expect(text).not.toContain('£297')
})

test('TIER-06 TIER-07 TIER-08 TIER-09 the page of the tiers mentions Mastermind and answers the questions', async () => {
  const { text, html } = await page('/membership-tiers')
  const { faq } = pageTexts['membership-tiers']
  expect(text).toContain(siteContent.mastermind.name)
  expect(text).toContain(siteContent.prices.mastermind)
  for (const { topic, answer } of faq) expect([text.includes(topic), text.includes(answer)]).toEqual([true, true])
  expect(html.match(/<summary>/g)).toHaveLength(faq.length)
  expect(html).toContain('href="#tiers"')
  expect(html).toContain('id="tiers"')
})

test('NAV-01 NAV-09 NAV-10 NAV-13 NAV-14 every page has its header and footer, links only to pages that exist', async () => {
  for (const path of ['/', '/members', '/nope']) {
    const { html, text } = await page(path)
    expect(html).toContain('<header class="nav">')
    expect(html).toContain('<footer class="foot">')
    expect(text).toContain('JOIN THE MOVEMENT')
    expect(text).toContain(siteContent.brand.tagline)
    expect(text).toContain(siteContent.brand.copyright)
    const foot = html.slice(html.indexOf('<footer'))
    expect(foot.match(/href="mailto:/g)).toHaveLength(2)
    expect(foot.match(/href="https:\/\/wa\.me/g)).toHaveLength(2)
    const missing = [...html.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].filter(
      ([, to]) => renderer.find(to ?? '').kind === 'missing',
    )
    expect(missing).toEqual([])
  }
})

test('ROUTE-31 a path that leads nowhere says so', async () => {
  const { kind, text } = await page('/nope')
  expect(kind).toBe('missing')
  expect(text).toContain('404 Page Not Found')
})

test('no page carries a style attribute or an inline script, which the content policy would refuse', async () => {
  for (const path of ['/', '/membership-tiers', '/members', '/nope']) {
    const { html } = await page(path)
    expect(html).not.toMatch(/\sstyle=|<script/)
  }
})

test('BLOG-6 a missing post looks the same for every odd path, and nothing is requested', async () => {
  const { html: usual } = await page('/blog/nothing-here')
  expect(textOf(usual)).toContain('POST NOT FOUND')
  for (const path of ['/blog/a b', '/blog/%61-b', '/blog/x%2Fy', '/blog/a-b?x', '/blog/%00', '/blog/é']) {
    const { kind, html, state } = await page(path)
    expect([path, kind, html]).toEqual([path, 'missing', usual])
    expect(JSON.stringify(state.responses)).not.toContain(path)
  }
})
