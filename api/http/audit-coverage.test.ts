// @module-tag full
import { desc } from 'drizzle-orm'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { auditEntries } from '#api/db/schema/audit.ts'
import { countAudience } from '#api/features/outreach/mailings/audience-queries.ts'
import { listCategories } from '#api/features/videos/categories-service.ts'
import { eximReport } from '#api/mail/testing/reports.ts'
import { fillDatabase } from '#api/testing/full-database.ts'
import { isOwnersAct, rowsOf } from '#api/testing/routes.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { Segment } from '#shared/contract/mailing.ts'

/** Route, ids in its path (a function for a row made on the way: the table's newest) and body. What it's called in the log is its row's word. */
type Change = [route: string, ids: (string | (() => string))[], body?: object]

const admin = '/api/admin'
const member = `${admin}/members/:memberId`

/** These call Stripe first, are for an owner's own login or the terminal here, or need a video. Their own tests make them. */
const elsewhere = new RegExp(
  `^\\S+ ${admin}/(${[
    'members/:memberId(/(refund|sync|subscription(/(cancel|resume|end|tier))?|free-month|put-off|upgrade|stripe-address))?',
    'tiers/:tier/price|(fix|delete)-member-invoices|subscription-links|lost-orders',
    'events/:id/replay|payments/:charge/lost|credits/:id/answer',
    '(media|podcast|calendar|second-factor|sandbox)(/.*)?|owners/(second-factor-reset|:id)',
  ].join('|')})$`,
)

const kept = ({ ctx }: World) => listCategories(ctx).categories.map(({ name }) => ({ name, was: name }))

/** Routes that only change our own rows. Deletions come last. */
function ownChanges(world: World): Change[] {
  const { id: danny, email } = fillDatabase(world, 2)
  const idsIn = (table: string, where = '1') =>
    world.ctx.sqlite.prepare<[], string>(`select id from ${table} where ${where} order by id`).pluck().all()
  const [video = '', post = ''] = [idsIn('member_videos')[0], idsIn('blog_posts')[0]]
  const [videoFile = ''] = idsIn('media', `format = 'mp4'`)
  const versions = `${admin}/videos/:id/versions`
  world.ctx.sqlite
    .prepare(`insert into skipped_versions values (?, 'sound', 'a film', 'removed', '2026-06-01T00:00:00.000Z')`)
    .run(video)
  const [application = '', other = ''] = idsIn('membership_applications')
  const [coaching = '', booking = ''] = [idsIn('coaching_applications')[0], idsIn('coaching_bookings')[0]]
  const [mail = ''] = idsIn('mail_outbox')
  const returned = { to: 'back@example.com', messageId: '<1@example.com>' }
  const [order = ''] = idsIn('quotient_orders')
  const [photo = ''] = idsIn('member_photos')
  const [shown = ''] = idsIn('users', `"profileImageUrl" like '%${photo}'`)
  const [invoice = ''] = idsIn('invoices')
  const note = () => idsIn('inbox_notes', `"aboutId" = '${application}'`).at(-1) ?? ''
  const upsell = () => idsIn('manual_commissions').at(-1) ?? ''
  const claim = () =>
    world.ctx.sqlite
      .prepare(`select json_object('claim', value ->> '$.claim.id') from settings where key = 'report.daily'`)
      .pluck()
      .all()
      .map((text) => JSON.parse(String(text)))[0]
  const [line = ''] = idsIn('commission_ledger', `kind = 'invoice'`).slice(-1)
  world.ctx.sqlite.exec(`update mail_outbox set status = 'refused'`)
  const tier = { name: 'Lite', description: 'Changed', features: ['One call'], visibility: 'open', version: 1 }
  const prices = (['month', 'year'] as const).map((every) => ({ every, net: 18_000 }))
  const newTier = { name: 'Silver', description: 'Between', features: ['One'], prices }
  const profile = { firstName: 'Dan', lastName: 'Marsh', email, phone: null, businessName: null, trade: 'Plumber' }
  const address = { line1: '1 Mill Lane', town: 'Leeds', postcode: 'LS1 1AA', country: 'GB' }
  const sold = { description: 'Van wrap', totalAmount: 900, commissionAmount: 90, saleDate: '2026-05-01' }
  const newVideo = { title: 'Vans', videoType: 'wistia', videoId: 'abc123def4', category: 'Money' }
  const about = ['membership-applications', application]
  const until = '2026-07-01'
  world.ctx.sqlite
    .prepare(
      `insert into email_changes (id, userId, fromEmail, toEmail, confirmHash, requestedAt, expiresAt, reportedAt)
        values ('reported', ?, 'old@example.com', ?, 'none', '2026-06-01', '2026-06-08', '2026-06-02')`,
    )
    .run(danny, email)
  return [
    [`PATCH ${admin}/tiers/:tier`, ['lite'], tier],
    [`POST ${admin}/tiers`, [], newTier],
    [`DELETE ${admin}/tiers/:tier/price/offer`, ['silver'], { every: 'year', version: 1 }],
    [`PUT ${admin}/tier-order`, [], { slugs: ['xl', 'lite', 'standard', 'mastermind', 'silver'] }],
    [`POST ${admin}/tiers/:tier/retire`, ['silver'], { version: 2 }],
    [`POST ${admin}/tiers/:tier/restore`, ['silver'], { version: 3 }],
    [`POST ${admin}/tiers/:tier/default`, ['silver'], { version: 4 }],
    [`DELETE ${admin}/tiers/:tier`, ['silver'], { version: 5, newDefault: 'standard' }],
    [`POST ${admin}/blog`, [], { title: 'Vans', slug: 'vans', content: '<p>Two.</p>' }],
    [`PATCH ${admin}/blog/:id`, [post], { title: 'New', version: 1 }],
    [`POST ${admin}/blog/:id/versions/:number/restore`, [post, '1'], { version: 2 }],
    [`POST ${admin}/blog/:id/addresses`, [post], { slugs: ['vans-before'] }],
    [`POST ${admin}/exports/all`, []],
    [`POST ${admin}/exports/files`, [], { file: 'invoices.csv' }],
    [`POST ${admin}/exports/lists`, [], { list: 'members', rows: 300 }],
    [`DELETE ${admin}/blog/:id`, [post]],
    [`POST ${admin}/videos`, [], newVideo],
    [`PUT ${admin}/videos/order`, [], { videos: [{ id: video, version: 1 }] }],
    [`PATCH ${admin}/videos/:id`, [video], { title: 'New', version: 1 }],
    [`PUT ${admin}/videos/categories`, [], { categories: kept(world), version: 0 }],
    [`PUT ${versions}/:form`, [video, 'light'], { file: videoFile }],
    [`DELETE ${versions}/:form`, [video, 'light']],
    [`POST ${versions}/:form/make`, [video, 'sound']],
    [`DELETE ${admin}/videos/:id`, [video]],
    [`PUT ${admin}/content/:page`, ['site'], { version: 0, entry: 'brand.tagline', value: 'Level.' }],
    [`POST ${admin}/content/:page/reset`, ['site'], { version: 1 }],
    [`POST ${admin}/content/:page/publish`, ['about'], { version: 0, entries: { title: 'Us' } }],
    [`POST ${admin}/content/:page/publish`, ['terms'], { version: 0, entries: { title: 'Ours' } }],
    [`POST ${admin}/content/:page/tell`, ['terms'], { note: 'Clearer.' }],
    [`PUT ${admin}/settings/:name`, ['SELLER_NAME'], { version: 0, value: 'Level Ltd' }],
    [`PUT ${admin}/setting-groups/:group`, ['seller'], { version: 1, SELLER_NAME: 'Plumb Ltd' }],
    [`PUT ${member}/profile`, [danny], { ...profile, version: 1 }],
    [`POST ${member}/email-report`, [danny], { keeps: true }],
    [`PUT ${member}/address`, [danny], { address, before: null }],
    [`DELETE ${member}/photos/:id`, [shown, photo]],
    [`PUT ${member}/free-access`, [danny], { until, version: 1 }],
    [`DELETE ${member}/free-access`, [danny]],
    [`POST ${admin}/members`, [], { email: 'new@example.com' }],
    [`POST ${admin}/invitations/:id/resend`, [idsIn('member_invitations')[0] ?? '']],
    [`DELETE ${admin}/invitations/:id`, [idsIn('member_invitations')[0] ?? '']],
    [`POST ${admin}/invitations`, [], { email: 'ned@example.com', tierSlug: 'xl' }],
    [`POST ${member}/archive`, [danny]],
    [`POST ${member}/card-link`, [danny]],
    [`POST ${member}/commitments`, [danny], { id: world.ctx.newId(), text: 'Ring three builders', day: '2026-07-01' }],
    [`PATCH ${member}/revoke-access`, [danny], { isMember: false }],
    [`POST ${admin}/owners/link`, [], { email: 'boss@example.com' }],
    [`DELETE ${admin}/owners/invitations/:id`, [idsIn('owner_invitations')[0] ?? '']],
    [`POST ${admin}/owners/invitations`, [], { email: 'owen@example.com' }],
    [`POST ${admin}/tokens`, [], { name: 'Books', scopes: ['read'], days: 30 }],
    [`POST ${admin}/sessions/revoke`, [], { email }],
    [`POST ${admin}/reactivation-links`, [], { email }],
    ...(['membership', 'coaching'] as const).map((kind): Change => {
      const id = kind === 'coaching' ? coaching : application
      const status = { status: 'contacted' }
      return [`PATCH ${admin}/${kind}-applications/:id/status`, [id], status]
    }),
    [`PATCH ${admin}/coaching-bookings/:id/status`, [booking], { status: 'completed' }],
    [`POST ${admin}/inbox/:kind/:id/notes`, about, { text: 'Rang back' }],
    [`PATCH ${admin}/inbox/:kind/:id/notes/:noteId`, [...about, note], { text: 'Rang', version: 1 }],
    [`POST ${admin}/inbox/:kind/:id/reply`, about, { text: 'Friday at four?' }],
    [`POST ${admin}/inbox/:kind/:id/invitation`, about, { tierSlug: 'xl' }],
    [`PATCH ${admin}/quotient-orders/:id`, [order], { setUpOn: until, version: 1 }],
    [`DELETE ${admin}/membership-applications/:id`, [other]],
    [`POST ${admin}/mail/:mailId/resend`, [mail]],
    [`POST ${admin}/mail-resend`, [], { since: '2027-01-01T00:00:00.000Z', emails: 0 }],
    [`POST ${admin}/mail-test`, [], { email }],
    [`POST ${admin}/suppressed-addresses`, [], { email: 'gone@example.com' }],
    [`POST ${admin}/bounces`, [], { report: eximReport(returned), isTrusted: true }],
    [`DELETE ${admin}/suppressed-addresses/:email`, ['gone@example.com']],
    [`POST ${admin}/commission-statements/:month/mail`, ['2026-06'], {}],
    [`POST ${admin}/manual-commissions`, [], sold],
    [`PATCH ${admin}/manual-commissions/:id`, [upsell], { commissionPaid: true }],
    [`DELETE ${admin}/manual-commissions/:id`, [upsell]],
    [`PATCH ${admin}/commission-status/:userId`, [danny], { commissionPaid: true }],
    [`DELETE ${admin}/commission-payments/:id`, [line]],
    [`POST ${admin}/commission-rates`, [], { tierSlug: 'xl', rate: 12, validFrom: until }],
    ...ofImports(world),
    ...ofTelling(world, idsIn),
    ...ofQuestions(world, idsIn),
    [`POST ${admin}/jobs/:name/run`, ['heartbeat']],
    [`POST ${admin}/invoice/:ref/credit`, [invoice], { reason: 'Wrong' }],
    [`POST ${admin}/reports/:kind`, ['daily'], { always: true }],
    [`POST ${admin}/reports/:kind/done`, ['daily'], { toJSON: claim }],
    [`POST ${admin}/impersonate/:memberId`, [danny], { reason: 'Asked' }],
    [`POST ${admin}/stop-impersonating`, []],
  ]
}

function ofImports(world: World): Change[] {
  const row = world.ctx.sqlite.prepare(
    `insert into imports (id, kind, options, state, columns, facts, createdAt)
      select ?, 'members', options, ?, '[]', '{}', createdAt from imports limit 1`,
  )
  const [planned, open, left, applied] = (['planned', 'planned', 'planned', 'applied'] as const).map((state) => {
    const id = world.ctx.newId()
    row.run(id, state)
    return id
  })
  const { id } = world.addUser()
  world.ctx.sqlite
    .prepare(`insert into import_rows (importId, line, outcome, madeId) values (?, 2, 'new', ?)`)
    .run(applied, id)
  return [
    [`POST ${admin}/imports`, [], { kind: 'stripe', upload: null }],
    [`POST ${admin}/imports/:id/plan`, [planned ?? ''], { options: {} }],
    [`POST ${admin}/imports/:id/apply`, [open ?? '']],
    [`POST ${admin}/imports/:id/cancel`, [left ?? '']],
    [`POST ${admin}/imports/:id/letters`, [applied ?? ''], { count: 1 }],
    [`POST ${admin}/imports/:id/undo`, [applied ?? '']],
  ]
}

function ofQuestions(world: World, idsIn: (table: string, where?: string) => string[]): Change[] {
  const [waiting = ''] = idsIn('questions', '"answeredAt" is null')
  const [other = ''] = idsIn('questions', '"answeredAt" is not null').slice(-1)
  const [reply = '', left = ''] = idsIn('saved_replies')
  const [video = ''] = idsIn('member_videos').slice(-1)
  const one = `${admin}/questions/:id`
  const words = { question: 'Cold?', answer: 'Bleed it first.' }
  return [
    [`POST ${one}/answers`, [waiting], { id: world.ctx.newId(), text: 'Bleed it.', version: 1 }],
    [`POST ${one}/close`, [waiting], { version: 2 }],
    [`POST ${one}/reopen`, [waiting], { version: 3 }],
    [`PUT ${one}/published`, [other], { ...words, videoId: video, version: 1 }],
    [`DELETE ${admin}/published-questions/:id`, idsIn('published_questions', `"questionId" = '${other}'`)],
    [`POST ${admin}/saved-replies`, [], { title: 'Figures', text: 'What did you charge?' }],
    [`PUT ${admin}/saved-replies/:id`, [reply], { title: 'Figures', text: 'What did you spend?', version: 1 }],
    [`DELETE ${admin}/saved-replies/:id`, [left]],
  ]
}

function ofTelling(world: World, idsIn: (table: string) => string[]): Change[] {
  const [note = '', other = ''] = idsIn('announcements')
  const times = { startsAt: '2026-06-12T07:00:00.000Z', endsAt: '2026-06-20T07:00:00.000Z' }
  return [
    [`POST ${admin}/announcements`, [], { title: 'Closed', text: 'On Monday.', ...times }],
    [`PATCH ${admin}/announcements/:id`, [note], { title: 'Shut', version: 1 }],
    [`POST ${admin}/announcements/:id/end`, [note], { version: 2 }],
    [`DELETE ${admin}/announcements/:id?version=1`, [other]],
    ...ofMailings(world, idsIn),
  ]
}

function ofMailings(world: World, idsIn: (table: string) => string[]): Change[] {
  const [mailing = '', other = ''] = idsIn('mailings')
  const written = { subject: 'News', text: 'Words', purpose: 'service', segment: {} }
  const wish = '019a0000-0000-7000-8000-000000000000'
  const at = `POST ${admin}/mailings/:id`
  const send = {
    version: 4,
    // Counted when it's sent, because earlier calls change who has access.
    get gets() {
      return countAudience(world.ctx, v.parse(Segment, {}), 'service').gets
    },
  }
  return [
    [`POST ${admin}/document-numbers/skip`, [], { upTo: [] }],
    [`POST ${admin}/revenue-months/reopen`, [], { months: [] }],
    [`POST ${admin}/mailings`, [], written],
    [`PATCH ${admin}/mailings/:id`, [mailing], { ...written, version: 1 }],
    [`${at}/test`, [mailing], { wish }],
    [`${at}/schedule`, [mailing], { version: 2, sendAt: '2030-01-02T09:00:00.000Z' }],
    [`${at}/unschedule`, [mailing]],
    [`${at}/send`, [mailing], send],
    [`${at}/pause`, [mailing]],
    [`${at}/resume`, [mailing]],
    [`${at}/stop`, [mailing]],
    [`DELETE ${admin}/mailings/:id?version=1`, [other]],
  ]
}

test('every change that an owner makes is in the audit log, under their name', async () => {
  const world = startWorld({ env: { SALES_PARTNER_EMAIL: 'partner@example.com' } })
  const boss = world.addOwner()
  world.ctx.sqlite.exec(`update users set email = 'boss@example.com' where id = '${boss.id}'`)
  const owner = world.addOwner()
  const call = world.signIn(owner)
  const changes = ownChanges(world)
  const prove = world.ctx.sqlite.prepare<[string | null]>('update sessions set provenAt = ?')
  const acts = rowsOf(world.wholeApp()).filter(isOwnersAct)
  for (const [route, ids, body] of changes) {
    const [method = '', path = ''] = route.split(' ')
    const row = acts.find(({ name }) => name === route.replace(/\?.*/, ''))
    const address = ids.reduce<string>((rest, id) => rest.replace(/:\w+/, typeof id === 'string' ? id : id()), path)
    const send = () => call(address, body === undefined ? { method } : { method, body })
    prove.run(null)
    // Routes that always require a recent password do so. Those that do for part of it are in `proof.test.ts`.
    if (row?.asksPassword) expect([route, (await readError(await send())).code]).toEqual([route, 'password_needed'])
    if (row?.asksPassword || row?.unasked?.startsWith('asks when ')) prove.run(world.ctx.now().toISOString())
    const response = await send()
    const [entry] = world.ctx.db.select().from(auditEntries).orderBy(desc(auditEntries.id)).limit(1).all()
    expect([route, response.status, entry?.actor]).toEqual([route, 200, `user:${owner.id}`])
    expect([route, row?.audit]).toEqual([route, expect.arrayContaining([entry?.action])])
  }
  const made = new Set(changes.map(([route]) => route.replace(/\?.*/, '')))
  const unmade = acts.filter(({ name, audit }) => audit?.length !== 0 && !made.has(name) && !elsewhere.test(name))
  expect(
    unmade.map(({ name }) => name),
    'Add a call of each to `ownChanges`, or to `elsewhere`',
  ).toEqual([])
})
