import { expect, test } from 'vitest'
import { createPageRenderer } from '#pwa/entry-server.tsx'
import { pageData, pageTexts, siteContent, tiers } from '#pwa/testing/public-data.ts'

const links = { ...siteContent.links, booking: 'https://calendar.test/book' }
const renderer = createPageRenderer({ ...pageData, content: { ...siteContent, links } })
const { html } = await renderer.render(renderer.find('/coaching'), '/coaching')
const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'))

/** Theme → its topics, as the page lists them. */
const themes = Object.fromEntries(
  main
    .split('class="theme"')
    .slice(1)
    .map((part) => [part.match(/<h3>([^<]*)/)?.[1], [...part.matchAll(/<dt>([^<]*)/g)].map(([, topic]) => topic)]),
)

test('COACH-01 COACH-10 /coaching has a head, the three themes, the tiers and the way to start', () => {
  expect(main.match(/<h1/g)).toHaveLength(1)
  expect(Object.keys(themes)).toEqual(pageTexts.coaching.themes.items.map(({ title }) => title))
  for (const { price } of tiers) expect(main).toContain(`£${price / 100}`)
  expect(main).toContain(pageTexts.coaching.start.heading)
})

test('COACH-02 COACH-03 COACH-04 each theme covers its three topics', () => {
  const { items } = pageTexts.coaching.themes
  expect(themes).toEqual(
    Object.fromEntries(items.map(({ title, topics }) => [title, topics.map((topic) => topic.title)])),
  )
})

test('COACH-05 COACH-06 COACH-07 three steps to begin, with what to press', () => {
  const steps = main.slice(main.indexOf('class="steplist"'))
  expect(steps.slice(0, steps.indexOf('</ol>')).match(/<li>/g)).toHaveLength(3)
  expect(steps).toMatch(/<button[^>]*aria-haspopup="dialog"[^>]*><span>BOOK FREE CONSULTATION/)
  expect(steps).toMatch(/<a [^>]*href="\/membership-application"[^>]*><span>CHOOSE YOUR TIER/)
})

test('COACH-08 COACH-09 each coach has a chat, in a new tab, and an email address', () => {
  expect(siteContent.coaches).toHaveLength(2)
  for (const { chat, email } of siteContent.coaches) {
    const link = main.match(new RegExp(`<a [^>]*href="${chat}"[^>]*>`))?.[0]
    expect(link).toContain('target="_blank"')
    expect(main).toContain(`href="mailto:${email}"`)
  }
})
