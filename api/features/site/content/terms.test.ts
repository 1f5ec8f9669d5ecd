import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agreedTerms, contentOf } from '#api/site/content.ts'
import { startWorld } from '#api/testing/world.ts'

test('an agreement names the terms that were shown, as long as we showed them; else those that stand now', () => {
  const folder = mkdtempSync(join(tmpdir(), 'terms-'))
  try {
    cpSync('data/content', folder, { recursive: true })
    const world = startWorld()
    const content = contentOf(world.ctx, { folder, everyMs: 0 })
    const first = content.read().site.terms
    expect(agreedTerms(world.ctx, undefined)).toBe(first)
    const file = join(folder, 'pages/terms.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"lead": "[^"]*"/, '"lead": "Other words."'))
    const second = content.read().site.terms
    expect(second.slice(0, 10)).toBe(first.slice(0, 10))
    expect(second).not.toBe(first)
    expect(agreedTerms(world.ctx, first)).toBe(first)
    expect(agreedTerms(world.ctx, '2020-01-01-0123456789abcdef')).toBe(second)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the footer says of the firm what is set; what is blank is a marked gap on the legal pages', async () => {
  const world = startWorld({
    env: { SELLER_NAME: 'Bench Ltd', SELLER_ADDRESS: '1 Yard Lane, Leeds', NODE_ENV: 'test' },
  })
  const { site, pages } = await (await world.call('/api/site-content')).json()
  expect(site.disclosure).toBe('Bench Ltd. 1 Yard Lane, Leeds')
  expect(JSON.stringify(pages.terms)).toContain('Bench Ltd, a company registered in [part of the United Kingdom]')
  expect(site.firm).toBeUndefined()
})

test('who the firm is, set while the site runs, is in the footer and on the legal pages straight away', async () => {
  const world = startWorld()
  const owner = world.signIn(world.addOwner())
  const particulars = {
    SELLER_NAME: 'Bench Ltd',
    SELLER_ADDRESS: '1 Yard Lane\nLeeds',
    SELLER_VAT_NUMBER: 'GB 123 4567 82',
    SELLER_COMPANY_NUMBER: '01234567',
    SELLER_REGISTERED_IN: 'Scotland',
    SELLER_ICO_NUMBER: 'ZA123456',
    SELLER_EMAIL: 'office@bench.example',
    SELLER_HOSTING: 'Host, UK',
    SELLER_MAIL_SERVICE: 'Post, UK',
  }
  for (const [name, value] of Object.entries(particulars)) {
    await owner(`/api/admin/settings/${name}`, { method: 'PUT', body: { value, version: 0 } })
  }
  const { site, pages } = await (await world.call('/api/site-content')).json()
  expect(site.disclosure).toBe(
    'Bench Ltd. Company number 01234567, registered in Scotland. Registered office: 1 Yard Lane, Leeds. VAT number GB 123 4567 82',
  )
  const legal = JSON.stringify([pages.privacy, pages.terms, pages.cancellation, pages.accessibility])
  for (const value of Object.values(particulars)) expect(legal).toContain(value.replace('\n', ', '))
  expect(legal.match(/\[[a-z][^\]]*\](?!\()/gi)).toBeNull()
})
