// @module-tag full

import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { ticketOf } from '#api/testing/downloads.ts'
import { fillDatabase } from '#api/testing/full-database.ts'
import { startWorld } from '#api/testing/world.ts'

/** Routes that return one item, a file, a page or Stripe's answer. All other GETs are called. */
const isNoList = (path: string) =>
  path.includes(':') || path.includes('*') || /^\/(api\/admin\/sandbox|sandbox|robots)|\/(docs|logout)/.test(path)

const lists = [
  '/api/admin/announcements',
  '/api/admin/audit',
  '/api/admin/blog',
  '/api/admin/calendar',
  '/api/admin/calendar/calls',
  '/api/admin/calendar/feeds',
  '/api/admin/calendar/monthly',
  '/api/admin/calendar/mornings',
  '/api/admin/coaching-applications',
  '/api/admin/coaching-bookings',
  '/api/admin/coaching-bookings/upcoming',
  '/api/admin/commission-statements/2026-06',
  '/api/admin/commitments',
  '/api/admin/contacts',
  '/api/admin/credits',
  '/api/admin/document-numbers',
  '/api/admin/exports/invoices.csv',
  '/api/admin/imports',
  '/api/admin/inactive-members',
  '/api/admin/inbox/members/theirs/notes',
  '/api/admin/invoices',
  '/api/admin/mail',
  '/api/admin/mailing-audience?purpose=service',
  '/api/admin/mailings',
  '/api/admin/manual-commissions',
  '/api/admin/media',
  '/api/admin/media/uploads',
  '/api/admin/member-payments',
  '/api/admin/member-progress/theirs',
  '/api/admin/members',
  '/api/admin/members-at-risk',
  '/api/admin/members/theirs/activity',
  '/api/admin/members/theirs/commitments',
  '/api/admin/members/theirs/record',
  '/api/admin/membership-applications',
  '/api/admin/mrr',
  '/api/admin/payments',
  '/api/admin/podcast',
  '/api/admin/questions',
  '/api/admin/quotient-orders',
  '/api/admin/saved-replies',
  '/api/admin/sessions',
  '/api/admin/suppressed-addresses',
  '/api/admin/site-copy',
  '/api/admin/today',
  '/api/admin/videos',
  '/api/admin/watching/lessons',
  '/api/admin/videos/categories',
  '/api/admin/videos/viewed/viewers',
  '/api/announcements',
  '/api/billing/invoices',
  '/api/blog',
  '/api/member-videos',
  '/api/member-videos/texts',
  '/api/members/questions',
  '/api/shelf',
  '/api/site-content',
  '/podcast.xml',
  '/rss.xml',
  '/sitemap.xml',
]

async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await setImmediate()
}

async function measure(rows: number): Promise<Map<string, { statements: number; length: number }>> {
  let statements = 0
  // How often it checks for other programs' writes depends on turns of the event loop, which vary with cached pictures.
  const isQuery = (text: string) => text !== 'pragma data_version'
  const world = startWorld({ onStatement: (text) => (statements += Number(isQuery(text))) })
  const member = fillDatabase(world, rows)
  const asMember = world.signIn(member)
  const owner = world.addOwner()
  for (let at = 0; at < rows; at += 1) world.signIn(owner)
  const asOwner = world.signIn(owner)
  const month = world.ctx.billingNow().toISOString().slice(0, 7)
  const routes = world.wholeApp().routes.filter(({ method, path }) => method === 'GET' && !isNoList(path))
  const page = `/api/admin/members/${member.id}`
  const viewed = String(world.ctx.sqlite.prepare('select id from member_videos order by id').pluck().get())
  const more = [
    ...[`/api/admin/commission-statements/${month}`, `${page}/record`, `${page}/activity`, `${page}/commitments`],
    `/api/admin/videos/${viewed}/viewers`,
    '/api/admin/mailing-audience?purpose=service',
    ...[`/api/admin/member-progress/${member.id}`, `/api/admin/inbox/members/${member.id}/notes`],
  ]
  const paths = [...new Set(routes.map(({ path }) => path)), ...more]
  const csv = '/api/admin/exports/invoices.csv'
  const ticket = await ticketOf(asOwner, 'invoices.csv')
  // How long posts take to read is counted first, in tens, and goes on after the answer.
  await asMember('/api/blog')
  for (let seen = -1; seen !== statements; await turns()) seen = statements
  invalidateResponses(world.ctx, ['pages'])
  const measured = new Map<string, { statements: number; length: number }>()
  for (const path of paths) {
    const call = path.startsWith('/api/admin') ? asOwner : asMember
    // A world's first call also records the visit.
    await call('/api/auth/user')
    statements = 0
    const response = await call(path === csv ? `${csv}?ticket=${ticket}` : path)
    const { length } = await response.text()
    if (response.status === 200)
      measured.set(path.replace(member.id, 'theirs').replace(viewed, 'viewed'), { statements, length })
  }
  return measured
}

/** The lint reads invoices in pages of 200, and each row here makes two. The export's pages have 1,000. */
const morePages = (path: string, rows: number): number =>
  path === '/api/admin/invoice-lint' ? Math.floor((2 * rows) / 200) : 0

test('no list runs one more statement for each of its rows', async () => {
  const rows = process.env.FULL ? 300 : 9
  // Few enough for every "latest" list.
  const few = await measure(2)
  const many = await measure(rows)
  // A list inside a long text only grows by its own rows.
  const grows = (length: number, before = 0) => length > before * 1.5 || length > before + 60 * Math.min(rows, 40)
  const grown = [...many].filter(([path, { length }]) => grows(length, few.get(path)?.length))
  expect(grown.map(([path]) => path).sort()).toEqual(lists.toSorted())
  const expected = [...few].map(([path, { statements }]) => [path, statements + morePages(path, rows)])
  expect([...many].map(([path, { statements }]) => [path, statements])).toEqual(expected)
})
