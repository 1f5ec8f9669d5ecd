import { expect, test } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import { renderPage } from '#pwa/testing/rendered-page.ts'

const networks = { facebook: 'https://network.test/alliance', instagram: 'https://pictures.test/alliance' }

test('NAV-11 the two social networks of the settings stand in the footer, and none that is not set', async () => {
  const world = startWorld({ env: { FACEBOOK_URL: networks.facebook, INSTAGRAM_URL: networks.instagram } })
  const { site } = await (await world.call('/api/site-content')).json()
  expect(site.links).toMatchObject(networks)
  const footerWith = async (links: object) =>
    (await renderPage('/about', { links })).html.match(/<footer.*<\/footer>/s)?.[0]
  const footer = await footerWith(site.links)
  for (const url of Object.values(networks)) expect(footer).toContain(`href="${url}"`)
  expect(await footerWith({})).not.toMatch(/href="https:\/\/(network|pictures)/)
})

test('NAV-12 the four quick links of the footer', async () => {
  const { html } = await renderPage('/about')
  const [, links = ''] = /Quick links<\/p><ul[^>]*>(.*?)<\/ul>/s.exec(html) ?? []
  expect([...links.matchAll(/href="([^"]*)"/g)].map(([, path]) => path)).toEqual([
    '/about',
    '/podcast',
    '/coaching',
    '/contact',
  ])
})
