import { expect, test } from 'vitest'
import { checkWalls } from './check.ts'

const broken = (files: Record<string, string>, sqlRecord = '') =>
  checkWalls(new Map(Object.entries(files)), sqlRecord).map(({ path, rule }) => `${path} ${rule}`)

test('a house in order has no broken walls', () => {
  const files = {
    'shared/rules/money.ts': `export const pence = 1`,
    'api/app.ts': `import { tierRoutes } from './features/tiers/routes.ts'\nexport type App = typeof tierRoutes`,
    'api/features/tiers/routes.ts': `import { pence } from '#shared/rules/money.ts'\nexport const tierRoutes = () => pence`,
    'pwa/lib/api.ts': `import type { App } from '#api/app.ts'\nexport type Client = App`,
    'cli/main.ts': `process.exit(await Promise.resolve(Number(process.env.CODE)))`,
  }
  expect(broken(files)).toEqual([])
})

test.each([
  ['shared loads api', 'shared/rules/a.ts', `import { x } from '#api/app.ts'`],
  ['pwa loads api', 'pwa/lib/a.ts', `import { x } from '#api/app.ts'`],
  ['an inline type still loads the file', 'pwa/lib/a.ts', `import { type App } from '#api/app.ts'`],
  ['pwa names types of cli', 'pwa/lib/a.ts', `import type { X } from '#cli/main.ts'`],
  ['cli loads api', 'cli/commands/members.ts', `import { x } from '#api/app.ts'`],
  ['cli loads it later', 'cli/commands/members.ts', `export const f = () => import('#api/app.ts')`],
  ['api passes pwa on', 'api/pages.ts', `export * from '#pwa/entry-server.tsx'`],
  ['pwa reads the seed', 'pwa/lib/a.ts', `import { tiers } from '#data/seed/tiers.ts'`],
  ['a journey loads api', 'pwa/e2e/join.spec.ts', `import { x } from '#api/app.ts'`],
  ['a journey loads a tool', 'pwa/e2e/join.spec.ts', `import { x } from '../../scripts/build/sizes.ts'`],
])('imports run one way: %s', (_name, path, text) => {
  expect(broken({ [path]: text })).toEqual([`${path} direction`])
})

test('journeys read what a page may weigh', () => {
  expect(broken({ 'pwa/e2e/weight.ts': `import { budgets } from '../../scripts/build/budgets.ts'` })).toEqual([])
})

test('the local transport, the doctor and tests call the API', () => {
  const text = `import { x } from '#api/app.ts'`
  const files = {
    'cli/transport-local.ts': text,
    'cli/doctor/run-checks.ts': text,
    'cli/commands/members.test.ts': text,
    'cli/commands/doctor.ts': text,
  }
  expect(broken(files)).toEqual(['cli/commands/doctor.ts direction'])
})

test('features keep off each other’s routes, and the product off test code', () => {
  const files = {
    'api/features/accounts/service.ts': `import { x } from '../tiers/routes.ts'`,
    'api/features/auth/rules.ts': `import { x } from '../tiers/price-routes.ts'`,
    'api/features/tiers/service.ts': `import { startWorld } from '#api/testing/world.ts'`,
  }
  expect(broken(files)).toEqual([
    'api/features/accounts/service.ts routes',
    'api/features/auth/rules.ts routes',
    'api/features/tiers/service.ts testing',
  ])
})

test('a package has one folder that talks to it', () => {
  const files = {
    'api/features/billing/service.ts': `import Stripe from 'stripe'`,
    'api/features/billing/price-service.ts': `import type Stripe from 'stripe'`,
    'api/features/invoices/document-service.ts': `import PDFDocument from 'pdfkit'`,
    'shared/rules/day.ts': `import { z } from 'zod'`,
    'pwa/sync/engine.ts': `import { useState } from 'react'`,
    'pwa/sync/hooks.ts': `import { useState } from 'react'`,
  }
  expect(broken(files)).toEqual([
    'api/features/billing/service.ts owner',
    'api/features/invoices/document-service.ts owner',
    'shared/rules/day.ts owner',
    'pwa/sync/engine.ts owner',
  ])
})

test('layers of the PWA and the terminal', () => {
  const files = {
    'pwa/ui/row.tsx': `import { x } from '#pwa/features/tiers/use-tiers.ts'`,
    'pwa/sync/pull.ts': `import { x } from '../ui/row.tsx'`,
    'cli/commands/mrr.ts': `import { Table } from '../views/table.tsx'`,
    'cli/commands/members.ts': `export const show = () => import('../views/table.tsx')`,
  }
  expect(broken(files)).toEqual(['pwa/ui/row.tsx layer', 'pwa/sync/pull.ts layer', 'cli/commands/mrr.ts layer'])
})

test('the payment sandbox is a package with one door', () => {
  const door = `import { startSandbox } from '#api/sandbox/server.ts'`
  const files = {
    'api/sandbox/server.ts': `import { day } from '#shared/rules/day.ts'\nimport { startEngine } from './engine.ts'`,
    'api/sandbox/billing/charges.ts': `import { newId } from '#api/ids.ts'`,
    'api/sandbox/billing/charges.test.ts': `import { startWorld } from '#api/testing/world.ts'`,
    'api/sandbox/billing/tax.ts': `import { route } from '#api/sandbox/resources/route.ts'`,
    'api/features/sandbox/provider-service.ts': `export const open = () => import('#api/sandbox/server.ts')`,
    'api/features/sandbox/clock-service.ts': `import type { Sandbox } from '#api/sandbox/server.ts'`,
    'api/features/billing/service.ts': door,
    'api/testing/payments.ts': door,
    'cli/removal.test.ts': `import { openStore } from '#api/sandbox/store/store.ts'`,
  }
  expect(broken(files)).toEqual([
    'api/sandbox/billing/charges.ts sandbox',
    'api/sandbox/billing/charges.test.ts sandbox',
    'api/sandbox/billing/tax.ts layer',
    'api/features/billing/service.ts sandbox',
    'cli/removal.test.ts sandbox',
  ])
})

test('layers of the API: not even types of features in Stripe’s folder and the documents, one door to reconcile', () => {
  const files = {
    'api/stripe/prices.ts': `import type { Tier } from '#api/features/tiers/service.ts'`,
    'api/stripe/invoices.ts': `import { invoices } from '#api/db/schema/provider.ts'`,
    'api/stripe/refunds.ts': `import type { invoices } from '#api/db/schema/provider.ts'`,
    'api/documents/invoice-pdf.ts': `import type { InvoiceRow } from '#api/features/invoices/queries.ts'`,
    'api/documents/invoice-page.ts': `import type { LegalDocument } from './legal-document.ts'`,
    'api/features/billing/jobs.ts': `import { syncCustomer } from '#api/features/reconcile/service.ts'`,
    'api/features/members/service.ts': `import { receiveEvent } from '#api/features/reconcile/webhook-service.ts'`,
  }
  expect(broken(files)).toEqual([
    'api/stripe/prices.ts layer',
    'api/stripe/invoices.ts layer',
    'api/documents/invoice-pdf.ts layer',
    'api/features/members/service.ts layer',
  ])
})

test('files that import each other are reported once, whichever way they import', () => {
  const ring = {
    'api/a.ts': `import { b } from './b.ts'`,
    'api/b.ts': `export { c } from '#api/c.ts'`,
    'api/c.ts': `import './a.ts'`,
  }
  expect(broken(ring)).toEqual(['api/a.ts cycle'])
  expect(broken({ ...ring, 'api/c.ts': `import type { A } from './a.ts'` })).toEqual(['api/a.ts cycle'])
  expect(broken({ ...ring, 'api/c.ts': `export const later = () => import('./a.ts')` })).toEqual([])
})

test('folders that lie side by side import one way, files beside them and `import()` included', () => {
  const circle = {
    'api/features/one/service.ts': `import type { A } from '#api/features/two/deep/service.ts'`,
    'api/features/two/deep/service.ts': `import { b } from '#api/features/three.ts'`,
    'api/features/three.ts': `export const later = () => import('#api/features/one/queries.ts')`,
    'api/features/one/queries.ts': 'export {}',
  }
  const rules = (files: Record<string, string>) => broken(files).filter((one) => one.endsWith('folder-cycle'))
  expect(rules(circle)).toEqual(['api/features/one folder-cycle'])
  expect(rules({ ...circle, 'api/features/three.ts': 'export {}' })).toEqual([])
  const inTest = { 'api/features/three.ts': 'export {}', 'api/features/three.test.ts': circle['api/features/three.ts'] }
  expect(rules({ ...circle, ...inTest })).toEqual([])
  const filesAlone = { 'api/a.ts': `import './b.ts'`, 'api/b.ts': `export const later = () => import('./a.ts')` }
  expect(rules(filesAlone)).toEqual([])
  const nested = {
    'api/mail/outbox.ts': `import './templates/a.ts'`,
    'api/mail/templates/a.ts': `import '../outbox.ts'`,
  }
  expect(rules(nested)).toEqual(['api/mail/templates folder-cycle'])
})

test('no feature is more than an eighth of the server', () => {
  const lines = (count: number) => 'export {}\n'.repeat(count)
  const files = { 'api/db/open.ts': lines(6_000), 'api/features/tiers/service.ts': lines(800) }
  expect(broken(files)).toEqual([])
  expect(broken({ ...files, 'api/features/tiers/queries.ts': lines(200) })).toEqual([
    'api/features/tiers/ feature-size',
  ])
})

test('of a feature, only its routes know HTTP', () => {
  const text = `import type { Site } from '#api/http/page-cache.ts'`
  const files = { 'api/features/tiers/service.ts': text, 'api/features/tiers/price-routes.ts': text }
  expect(broken(files)).toEqual(['api/features/tiers/service.ts layer'])
})

test('only a guard says who was let in', () => {
  const text = `import { authorize } from '#api/identity/authorize.ts'`
  const files = { 'api/features/tiers/service.ts': text, 'api/http/session.ts': text, 'api/http/base-app.ts': text }
  expect(broken(files)).toEqual(['api/features/tiers/service.ts layer', 'api/http/base-app.ts layer'])
})

test('names say what is inside', () => {
  const paths = ['api/utils.ts', 'shared/index.ts', 'pwa/lib/MyThing.tsx', 'api/features/auth/deep/er/login.ts']
  expect(broken(Object.fromEntries(paths.map((path) => [path, 'export {}'])))).toEqual([
    'api/utils.ts name',
    'shared/index.ts name',
    'pwa/lib/MyThing.tsx name',
    'api/features/auth/deep/er/login.ts feature-files',
  ])
  expect(broken({ 'pwa/routes/index.tsx': 'export {}', 'pwa/routes/view-member.$id.tsx': 'export {}' })).toEqual([])
})

test('a file of a feature is named by its role, with its subject before it where there are several', () => {
  const right = [
    'routes.ts',
    'link-service.ts',
    'queries.ts',
    'jobs.ts',
    'final-mails.ts',
    'html-rules.ts',
    'login.test.ts',
  ]
  const wrong = ['links.ts', 'mail.ts', 'seed.ts', 'services.ts', 'service-links.ts', 'page.tsx']
  const inFeature = (names: string[]) =>
    Object.fromEntries(names.map((name) => [`api/features/auth/${name}`, 'export {}']))
  expect(broken(inFeature(right))).toEqual([])
  expect(broken(inFeature(wrong))).toEqual(wrong.map((name) => `api/features/auth/${name} feature-files`))
})

test('a file of the app’s features is named by what it shows, or by its role, a hook by what it gives', () => {
  const right = [
    'login-page.tsx',
    'other-ways.tsx',
    'login-section.tsx',
    'proof-dialog.tsx',
    'code-form.tsx',
    'login-skeleton.tsx',
    'queries.ts',
    'passkey-queries.ts',
    'search.ts',
    'login-texts.ts',
    'draft-storage.ts',
    'session-store.ts',
    'account-places.ts',
    'use-logout.ts',
    'use-billing-context.tsx',
    'login-page.test.tsx',
    'testing/logins.ts',
  ]
  const wrong = ['times.ts', 'login-section.ts', 'queries.tsx', 'login-texts.tsx', 'logout-use.ts']
  const inFeature = (names: string[]) =>
    Object.fromEntries(names.map((name) => [`pwa/features/auth/${name}`, 'export {}']))
  expect(broken(inFeature(right))).toEqual([])
  expect(broken(inFeature(wrong))).toEqual(wrong.map((name) => `pwa/features/auth/${name} feature-files`))
})

test('files that run SQL as text are those of the record', () => {
  const prepares = `export const tiers = (copy) => copy.prepare('select 1')`
  const files = {
    'api/features/tiers/queries.ts': 'export const all = statement()({ id }, () => sql`select 1`)',
    'api/db/copy.ts': prepares,
    'api/db/lock.ts': `export const take = (lock) => lock.exec('begin exclusive')`,
    'api/db/statement.ts': prepares,
    'api/sandbox/store.ts': prepares,
    'api/db/query.ts': `export const compile = (query) => query.prepare()`,
    'api/db/name.ts': 'export const name = (text) => /^a/.exec(text)',
  }
  expect(broken(files)).toEqual([
    'api/features/tiers/queries.ts raw-sql',
    'api/db/copy.ts raw-sql',
    'api/db/lock.ts raw-sql',
  ])
  const row = (path: string) => `| \`${path}\` | a reason |\n`
  const record = ['api/features/tiers/queries.ts', 'api/db/copy.ts', 'api/db/lock.ts'].map(row).join('')
  expect(broken(files, record)).toEqual([])
  expect(broken(files, record + row('api/db/name.ts'))).toEqual(['api/db/name.ts raw-sql'])
})

test('environment, exit, SQL as text, parts loaded past `loadFile` and tests that do not run', () => {
  const files = {
    'api/features/tiers/service.ts': `export const tiers = (ctx) => ctx.sqlite.prepare('select 1')`,
    'api/features/tiers/link-queries.ts': 'export const ids = (text) => JSON.parse(text)',
    'api/features/tiers/queries.ts': 'export const id = sql<string>`id`',
    'api/mail/smtp.ts': `export const url = process.env.SMTP_URL`,
    'cli/commands/mrr.ts': `process.exit(1)`,
    'api/settings.ts': `export const all = process.env`,
    'pwa/lib/parts.ts': `export const load = () => import('./part.ts')`,
    'pwa/lib/place.ts': `export const load = () => loadFile(() => import('./part.ts'))`,
    'pwa/lib/part.ts': 'export const part = 1',
    'api/a.test.ts': `test${'.only'}('x', () => {})`,
    'pwa/e2e/a.spec.ts': `test.describe${'.skip'}('x', () => {})`,
  }
  expect(broken(files)).toEqual([
    'api/features/tiers/link-queries.ts claimed-type',
    'api/features/tiers/queries.ts claimed-type',
    'api/mail/smtp.ts environment',
    'cli/commands/mrr.ts exit',
    'pwa/lib/parts.ts bare-load',
    'api/a.test.ts unrun-test',
    'pwa/e2e/a.spec.ts unrun-test',
    'api/features/tiers/service.ts raw-sql',
  ])
})

test('a comment says who is meant', () => {
  const files = {
    'api/a.ts': '/** For whoever asks. */\nexport const a = 1',
    'pwa/a.test.ts': '// He is asked again.\nexport const a = 1',
    'shared/a.ts': `/** The member is asked; they may wait. */\nexport const whoever = 'whoever asks'`,
  }
  expect(broken(files)).toEqual(['api/a.ts comment-word', 'pwa/a.test.ts comment-word'])
})

test('no shipped tier is named in code', () => {
  const text = `export const isBest = (slug: string) => slug === 'standard'`
  expect(broken({ 'api/best.ts': text, 'data/seed/best.ts': text, 'api/best.test.ts': text })).toEqual([
    'api/best.ts tier-slug',
  ])
})

test('a word of one trade stands in content and samples alone', () => {
  const text = `export const hint = 'For plumbers.'`
  expect(broken({ 'api/hint.ts': text, 'data/seed/hint.ts': text, 'api/hint.test.ts': text })).toEqual([
    'api/hint.ts trade-word',
  ])
})
