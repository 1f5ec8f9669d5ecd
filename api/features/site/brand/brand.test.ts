import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { relational } from '#api/db/tables.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { contentOf } from '#api/site/content.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-brand-'))
afterAll(() => rmSync(folder, { recursive: true }))

const bench = {
  name: 'Bench & Sons',
  shortName: 'Bench',
  logo: '',
  colours: { accent: '#7EE0C3', link: '#7a0010' },
  phone: '+44 1632 555 000',
  messenger: 'https://wa.me/441632555000',
  email: 'hello@bench.example',
  openingHours: 'Monday to Friday, 8 to 5',
}

function startBrand(world: World = startWorld()) {
  const owner = world.signIn(world.addOwner())
  const version = async () => (await (await owner('/api/admin/content/site')).json()).version
  return {
    world,
    owner,
    edit: async (entry: string, value: unknown) =>
      owner('/api/admin/content/site', { method: 'PUT', body: { version: await version(), entry, value } }),
    rebrand: async () => {
      const { brand } = (await (await owner('/api/admin/content/site')).json()).value
      const body = { version: await version(), entry: 'brand', value: { ...brand, ...bench } }
      expect((await owner('/api/admin/content/site', { method: 'PUT', body })).status).toBe(200)
    },
  }
}

const made = [
  ...['/manifest.webmanifest', '/favicon.ico', '/icons/icon.svg', '/icons/icon-192.png', '/icons/maskable-512.png'],
  ...['/icons/monochrome-512.png', '/icons/apple-touch-icon.png', '/pictures/coach-1.svg', '/social/default.png'],
]

async function read(world: World, path: string) {
  const response = await world.call(path)
  return {
    status: response.status,
    headers: response.headers,
    text: Buffer.from(await response.arrayBuffer()).toString('latin1'),
  }
}

test('pictures of the brand may be shown elsewhere: in the iframe of an email, which is of no site, and by directories', {
  tags: ['full'],
}, async () => {
  const { world } = startBrand()
  for (const path of ['/icons/icon-192.png', '/social/default.png']) {
    const { status, headers } = await read(world, path)
    expect([path, status, headers.get('cross-origin-resource-policy')]).toEqual([path, 200, 'cross-origin'])
  }
})

test('a colour that cannot be read is refused at its entry, with the pair and by how much', async () => {
  const { edit } = startBrand()
  const refused = await readError(await edit('brand.colours', { accent: '#102a5c', link: '#8fb4ff' }))
  expect(refused.fields).toEqual({
    'brand.colours.accent': expect.stringMatching(/by day: the contrast is 1\.03, and needs to be 4\.5/),
    'brand.colours.link': expect.stringMatching(/pink sheet by day: the contrast is 1\.58, and needs to be 4\.5/),
  })
})

test('another brand is in manifest, icons, drawings and share pictures with the next request, and leaves no trace', {
  tags: ['full'],
}, async () => {
  const { world, rebrand } = startBrand()
  const before = await Promise.all(made.map((path) => read(world, path)))
  await rebrand()
  const after = await Promise.all(made.map((path) => read(world, path)))
  for (const [at, path] of made.entries()) {
    expect([path, before[at]?.status, after[at]?.status]).toEqual([path, 200, 200])
    expect([path, after[at]?.text === before[at]?.text]).toEqual([path, false])
    expect([path, /alliance|ffdc00|173f9e/i.exec(after[at]?.text ?? '')]).toEqual([path, null])
    expect(after[at]?.headers.get('cache-control')).toBe('no-cache')
  }
  const manifest = JSON.parse(after[0]?.text ?? '')
  expect(manifest).toMatchObject({ name: 'Bench & Sons', short_name: 'Bench', theme_color: '#7ee0c3' })
  expect(manifest).not.toHaveProperty('screenshots')
  const { look } = contentOf(world.ctx).read().site
  expect(manifest.icons[0].src).toBe(`/icons/icon.svg?look=${look}`)
  expect(
    manifest.shortcuts.map(({ name, url, icons }: { name: string; url: string; icons: { src: string }[] }) => [
      name,
      url,
      icons[0]?.src,
    ]),
  ).toEqual([
    ['Next video', '/members#next-lesson', `/icons/icon-192.png?look=${look}`],
    ['Book a call', '/book-call', `/icons/icon-192.png?look=${look}`],
    ['Billing', '/members?tab=billing', `/icons/icon-192.png?look=${look}`],
  ])
  const kept = await world.call(`/social/default.png?look=${look}`)
  expect(kept.headers.get('cache-control')).toMatch(/immutable/)
  const again = await world.call('/social/default.png', {
    headers: { 'if-none-match': kept.headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
})

test('mails and feeds have the brand at once', async () => {
  const { world, rebrand } = startBrand()
  await rebrand()
  const envelope = { cause: 'tea:1', to: 'sam@example.com', userId: null }
  queueMessage(world.ctx, envelope, { subject: 'Tea', heading: 'Tea', blocks: [] })
  const [mail] = relational(world.ctx.db).query.mailOutbox.findMany().sync()
  expect(mail?.html).toMatch(/#7ee0c3[\s\S]*Bench &amp; Sons/)
  expect(`${mail?.html} ${mail?.text} ${await (await world.call('/rss.xml')).text()}`).not.toMatch(/alliance|#ffdc00/i)
})

test('share pictures are kept in the data folder, and go with the brand that they show', {
  tags: ['full'],
}, async () => {
  const { world, rebrand } = startBrand(startWorld({ file: join(folder, 'site.sqlite') }))
  const first = await read(world, '/social/tiers.png')
  await read(world, '/icons/icon-192.png')
  expect(readdirSync(join(folder, 'brand/shipped')).sort()).toEqual(['icon-192.png', 'share-tiers.png'])
  await rebrand()
  expect((await read(world, '/social/tiers.png')).text).not.toBe(first.text)
  expect(readdirSync(join(folder, 'brand'))).toEqual([contentOf(world.ctx).read().site.look])
})

test('what the site has none of is not there', async () => {
  const { world } = startBrand()
  // Names every object inherits must not count as pictures.
  const inherited = ['constructor', '__proto__', 'toString', 'valueOf'].flatMap((name) => [
    ...[`/social/${name}.png`, `/social/${name}`, `/icons/${name}.png`, `/photographs/${name}-480x360.avif`],
  ])
  const unknown = ['/icons/nope.png', '/social/nope.png', '/pictures/nope.svg', '/photographs/x-480x360.avif']
  for (const path of [...unknown, ...inherited]) expect([path, (await world.call(path)).status]).toEqual([path, 404])
})
