import { expect, test } from 'vitest'
import { relational } from '#api/db/tables.ts'
import { sellerProblem, siteSettings } from '#api/site/settings.ts'
import { readError, startWorld } from '#api/testing/world.ts'

const seller = { SELLER_NAME: 'A Ltd', SELLER_ADDRESS: '1 High Street, Leeds', SELLER_VAT_NUMBER: 'GB 123 4567 82' }

function startSite(env: Record<string, string> = {}) {
  const world = startWorld({ env })
  const owner = world.signIn(world.addOwner())
  const set = (name: string, value: string, version = 0) =>
    owner(`/api/admin/settings/${name}`, { method: 'PUT', body: { value, version } })
  const find = async (name: string) => {
    const list: { name: string }[] = await (await owner('/api/admin/settings')).json()
    return list.find((setting) => setting.name === name)
  }
  return { world, owner, set, find, settings: () => siteSettings(world.ctx) }
}

test('without any, the sandbox has a sample seller and leads nowhere', () => {
  expect(startSite().settings()).toMatchObject({
    seller: { name: 'Sample Seller Ltd', vatNumber: 'GB 000 0000 00' },
    firm: { name: '', office: '', vatNumber: '', number: '', email: '' },
    salesPartner: 'Sales partner',
    embedHosts: [],
    measuring: { analytics: '', pixel: '' },
    links: { booking: '', coachCalls: [], salesTrainingVideos: [] },
  })
})

test('what an owner sets is on the pages, in the headers and on invoices at once', async () => {
  const { world, set, settings } = startSite()
  const [booking, video] = ['https://cal.example/us', 'https://film.example/one']
  expect((await set('BOOKING_URL', booking)).status).toBe(200)
  await set('SALES_TRAINING_VIDEO_URLS', `${video}, https://film.example/two`)
  await set('SELLER_NAME', 'Bench & Co Ltd')
  const site = await (await world.call('/api/site-content')).json()
  expect(site.site.links).toMatchObject({ booking, salesTrainingVideos: [video, 'https://film.example/two'] })
  const policy = (await world.call('/')).headers.get('content-security-policy')
  expect(policy).toMatch(/frame-src [^;]*https:\/\/cal\.example[^;]*https:\/\/film\.example/)
  expect(settings().seller.name).toBe('Bench & Co Ltd')
})

test('the environment wins, and is shown as locked', async () => {
  const { set, find, settings } = startSite({ BOOKING_URL: 'https://env.example', SELLER_NAME: ' ' })
  expect(await find('BOOKING_URL')).toMatchObject({ value: 'https://env.example', source: 'environment' })
  expect(await readError(await set('BOOKING_URL', 'https://other.example'))).toMatchObject({
    status: 409,
    message: expect.stringMatching(/^BOOKING_URL is set in the server’s environment/),
  })
  expect(settings().links.booking).toBe('https://env.example')
  expect(await find('SELLER_NAME')).toMatchObject({ source: 'none', version: 0 })
})

test('what does not fit, no secret and no older version is stored; sent twice it is one change', async () => {
  const { world, set, find } = startSite()
  const wrong: [name: string, value: string, says: RegExp][] = [
    ['BOOKING_URL', 'javascript:alert(1)', /must start with http/],
    ['COACH_CALL_URLS', 'https://one.example', /two addresses with a comma/],
    ['EMBED_HOSTS', '*', /isn’t a host/],
    ['SELLER_EMAIL', 'office', /must be an email/],
    ['SELLER_NAME', 'Bench\rCo', /must be on one line/],
    ['SALES_PARTNER', 'Marsh\nCo', /must be on one line/],
    ['SELLER_COMPANY_NUMBER', '[01234567](https://x.example)', /plain text/],
  ]
  for (const [name, value, says] of wrong) {
    expect((await readError(await set(name, value))).fields?.value).toMatch(says)
  }
  expect((await set('STRIPE_SECRET_KEY', 'sk_live_x')).status).toBe(422)
  await set('COMMUNITY_URL', 'https://one.example')
  expect((await set('COMMUNITY_URL', 'https://one.example')).status).toBe(200)
  expect((await set('COMMUNITY_URL', 'https://two.example')).status).toBe(409)
  expect((await set('COMMUNITY_URL', '', 1)).status).toBe(200)
  expect(await find('COMMUNITY_URL')).toMatchObject({ value: '', source: 'none', version: 2 })
  const written = relational(world.ctx.db).query.auditEntries.findMany().sync()
  expect(written.map(({ action, detail }) => [action, detail.from, detail.to])).toEqual([
    ['setting.changed', '', 'https://one.example'],
    ['setting.changed', 'https://one.example', ''],
  ])
})

test('an address of several lines keeps them, each with one end', async () => {
  const { set, find, settings } = startSite()
  expect((await set('SELLER_ADDRESS', '1 High Street\r\nLeeds\rLS1 1AA')).status).toBe(200)
  expect(await find('SELLER_ADDRESS')).toMatchObject({ value: '1 High Street\nLeeds\nLS1 1AA' })
  expect(settings().firm.office).toBe('1 High Street, Leeds, LS1 1AA')
})

test('a wrong company number is stored and named', async () => {
  const { set, find } = startSite()
  const stored: unknown[] = []
  for (const [version, value] of ['1234', 'SC 123456', 'None'].entries()) {
    await set('SELLER_COMPANY_NUMBER', value, version)
    stored.push(await find('SELLER_COMPANY_NUMBER'))
  }
  const problems = [expect.stringContaining('eight characters, such as 01234567'), null, null]
  expect(stored).toMatchObject(problems.map((problem) => ({ problem })))
})

test('a wrong VAT number is stored and named; with a live key the seller must be whole', async () => {
  const { set, find, settings } = startSite({
    NODE_ENV: 'production',
    SESSION_SECRET: 'x'.repeat(32),
    PUBLIC_URL: 'https://a.example',
    STRIPE_SECRET_KEY: 'sk_live_x',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
  })
  expect(sellerProblem(settings())).toMatch(/^Set SELLER_NAME, SELLER_ADDRESS, SELLER_VAT_NUMBER in the environment/)
  for (const [name, value] of Object.entries({ ...seller, SELLER_VAT_NUMBER: 'TBC' })) await set(name, value)
  expect((await readError(await set('BOOKING_URL', 'http://cal.example'))).fields?.value).toMatch(/https/)
  expect(sellerProblem(settings())).toMatch(/^SELLER_VAT_NUMBER isn’t a UK VAT number/)
  await set('SELLER_VAT_NUMBER', 'GB 123 4567 83', 1)
  expect([sellerProblem(settings()), await find('SELLER_VAT_NUMBER')]).toMatchObject([
    null,
    { problem: expect.stringContaining('mistyped') },
  ])
})

test('a group is changed whole or not at all, and each field that does not fit is named without its variable', async () => {
  const { owner, find } = startSite({ INSTAGRAM_URL: 'https://env.example' })
  const put = (body: object, group = 'community') =>
    owner(`/api/admin/setting-groups/${group}`, { method: 'PUT', body: { version: 0, ...body } })
  const facebook = { FACEBOOK_URL: 'https://facebook.example' }
  expect((await readError(await put({ ...facebook, COMMUNITY_URL: 'nowhere' }))).fields).toEqual({
    COMMUNITY_URL: 'It must start with http:// or https://.',
  })
  expect((await put({ ...facebook, INSTAGRAM_URL: '' })).status).toBe(409)
  expect((await put(facebook, 'podcast')).status).toBe(422)
  expect(await find('FACEBOOK_URL')).toMatchObject({ value: '', version: 0 })
  expect(await (await put(facebook)).json()).toMatchObject({ version: 1 })
  expect((await put(facebook)).status).toBe(200)
  expect((await put({ ...facebook, COMMUNITY_URL: 'https://community.example' })).status).toBe(409)
})
