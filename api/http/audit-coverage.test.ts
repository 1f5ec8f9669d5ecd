// @module-tag full
import { desc } from 'drizzle-orm'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { auditEntries } from '#api/db/schema/audit.ts'
import { countAudience } from '#api/features/outreach/mailings/audience-queries.ts'
import { listCategories } from '#api/features/videos/categories-service.ts'
import { eximReport } from '#api/mail/testing/reports.ts'
import { fillDatabase } from '#api/testing/full-database.ts'
import { whyAsked } from '#api/testing/owner-routes.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { Segment } from '#shared/contract/mailing.ts'

/** Route, audit action, ids in its path (a function for a row made on the way: the table's newest) and body. */
type Change = [route: string, action: string, ids: (string | (() => string))[], body?: object]

const admin = '/api/admin'
const member = `${admin}/members/:memberId`

const trials = [
  ...[
    `POST ${admin}/blog/preview`,
    `POST ${admin}/invitations/preview`,
    `POST ${member}/upgrade/preview`,
    `POST ${admin}/setup/:name/check`,
  ],
  ...[`POST ${admin}/mail-words/:kind/test`, `PUT ${admin}/content/:page/draft`, `DELETE ${admin}/content/:page/draft`],
]

/** These call Stripe first. Their own tests check their audit entries. */
const atProvider = [
  ...[`POST ${admin}/tiers/:tier/price`, `DELETE ${admin}/tiers/:tier/price`],
  ...[`POST ${admin}/fix-member-invoices`, `POST ${admin}/delete-member-invoices`],
  ...[`POST ${member}/refund`, `DELETE ${member}`, `POST ${member}/sync`],
  ...[`POST ${member}/subscription/cancel`, `POST ${member}/subscription/resume`, `POST ${member}/subscription/end`],
  ...[`POST ${member}/subscription/tier`, `DELETE ${member}/subscription/tier`, `PUT ${member}/free-month`],
  `POST ${member}/upgrade`,
  ...[`POST ${admin}/events/:id/replay`, `POST ${admin}/subscription-links`, `POST ${admin}/lost-orders`],
  `POST ${admin}/payments/:charge/lost`,
  ...[`POST ${admin}/credits/:id/answer`, `POST ${member}/stripe-address`],
]

const ofMedia = [
  ...[`POST ${admin}/media`, `DELETE ${admin}/media/:id`, `POST ${admin}/media/uploads`],
  ...[`PATCH ${admin}/media/uploads/:id`, `POST ${admin}/media/uploads/:id/finish`],
  `DELETE ${admin}/media/uploads/:id`,
  ...[`POST ${admin}/podcast`, `PATCH ${admin}/podcast/:id`, `DELETE ${admin}/podcast/:id`],
]

/** These are for an owner's own login, or for the terminal on this machine. Their own tests check their audit entries. */
const ofSignIn = [
  ...['', '/confirm', '/recovery-codes'].map((end) => `POST ${admin}/second-factor${end}`),
  ...[`DELETE ${admin}/second-factor`, `POST ${admin}/owners/second-factor-reset`],
  `DELETE ${admin}/owners/:id`,
]

const ofSandbox = [`POST ${admin}/sandbox/advance`, `POST ${admin}/sandbox/chaos`]

const kept = ({ ctx }: World) => listCategories(ctx).categories.map(({ name }) => ({ name, was: name }))

/** Routes that only change our own rows. Deletions come last. */
function ownChanges(world: World): Change[] {
  const { id: danny, email } = fillDatabase(world, 2)
  const idsIn = (table: string, where = '1') =>
    world.ctx.sqlite.prepare<[], string>(`select id from ${table} where ${where} order by id`).pluck().all()
  const [video = '', post = ''] = [idsIn('member_videos')[0], idsIn('blog_posts')[0]]
  const [film = ''] = idsIn('media', `format = 'mp4'`)
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
    [`PATCH ${admin}/tiers/:tier`, 'tier.changed', ['lite'], tier],
    [`POST ${admin}/blog`, 'post.created', [], { title: 'Vans', slug: 'vans', content: '<p>Two.</p>' }],
    [`PATCH ${admin}/blog/:id`, 'post.changed', [post], { title: 'New', version: 1 }],
    [`POST ${admin}/blog/:id/versions/:number/restore`, 'post.restored', [post, '1'], { version: 2 }],
    [`POST ${admin}/blog/:id/addresses`, 'post.changed', [post], { slugs: ['vans-before'] }],
    [`POST ${admin}/exports/all`, 'backup.exported', []],
    [`POST ${admin}/exports/files`, 'backup.file_exported', [], { file: 'invoices.csv' }],
    [`POST ${admin}/exports/lists`, 'backup.file_exported', [], { list: 'members', rows: 300 }],
    [`DELETE ${admin}/blog/:id`, 'post.removed', [post]],
    [`POST ${admin}/videos`, 'video.added', [], newVideo],
    [`PUT ${admin}/videos/order`, 'video.ordered', [], { videos: [{ id: video, version: 1 }] }],
    [`PATCH ${admin}/videos/:id`, 'video.changed', [video], { title: 'New', version: 1 }],
    [`PUT ${admin}/videos/categories`, 'video.categories', [], { categories: kept(world), version: 0 }],
    [`PUT ${versions}/:form`, 'video.version_given', [video, 'light'], { file: film }],
    [`DELETE ${versions}/:form`, 'video.version_removed', [video, 'light']],
    [`POST ${versions}/:form/make`, 'video.version_asked', [video, 'sound']],
    [`DELETE ${admin}/videos/:id`, 'video.removed', [video]],
    [
      `PUT ${admin}/content/:page`,
      'content.changed',
      ['site'],
      { version: 0, entry: 'brand.tagline', value: 'Level.' },
    ],
    [`POST ${admin}/content/:page/reset`, 'content.changed', ['site'], { version: 1 }],
    [`POST ${admin}/content/:page/publish`, 'content.changed', ['about'], { version: 0, entries: { title: 'Us' } }],
    [`POST ${admin}/content/:page/publish`, 'content.changed', ['terms'], { version: 0, entries: { title: 'Ours' } }],
    [`POST ${admin}/content/:page/tell`, 'content.told', ['terms'], { note: 'Clearer.' }],
    [`PUT ${admin}/settings/:name`, 'setting.changed', ['SELLER_NAME'], { version: 0, value: 'Level Ltd' }],
    [`PUT ${admin}/setting-groups/:group`, 'setting.changed', ['seller'], { version: 1, SELLER_NAME: 'Plumb Ltd' }],
    [`PUT ${member}/profile`, 'member.profile_changed', [danny], { ...profile, version: 1 }],
    [`POST ${member}/email-report`, 'member.email_kept', [danny], { keeps: true }],
    [`PUT ${member}/address`, 'member.profile_changed', [danny], { address, before: null }],
    [`DELETE ${member}/photos/:id`, 'member.photo_removed', [shown, photo]],
    [`PUT ${member}/free-access`, 'member.free_access', [danny], { until, version: 1 }],
    [`DELETE ${member}/free-access`, 'member.free_access_ended', [danny]],
    [`POST ${admin}/members`, 'member.added', [], { email: 'new@example.com' }],
    [`POST ${admin}/invitations/:id/resend`, 'member.invited', [idsIn('member_invitations')[0] ?? '']],
    [`DELETE ${admin}/invitations/:id`, 'member.uninvited', [idsIn('member_invitations')[0] ?? '']],
    [`POST ${admin}/invitations`, 'member.invited', [], { email: 'ned@example.com', tierSlug: 'xl' }],
    [`POST ${member}/archive`, 'member.exported', [danny]],
    [`POST ${member}/card-link`, 'member.card_link', [danny]],
    [`PATCH ${member}/revoke-access`, 'member.revoke_access', [danny], { isMember: false }],
    [`POST ${admin}/owners/link`, 'owner.link', [], { email: 'boss@example.com' }],
    [`DELETE ${admin}/owners/invitations/:id`, 'owner.invitation_withdrawn', [idsIn('owner_invitations')[0] ?? '']],
    [`POST ${admin}/owners/invitations`, 'owner.invited', [], { email: 'owen@example.com' }],
    [`POST ${admin}/tokens`, 'token.made', [], { name: 'Books', scopes: ['read'], days: 30 }],
    [`POST ${admin}/sessions/revoke`, 'session.revoked', [], { email }],
    [`POST ${admin}/reactivation-links`, 'reactivation.link', [], { email }],
    ...(['membership', 'coaching'] as const).map((kind): Change => {
      const id = kind === 'coaching' ? coaching : application
      const status = { status: 'contacted' }
      return [`PATCH ${admin}/${kind}-applications/:id/status`, `${kind}-application.status`, [id], status]
    }),
    [`PATCH ${admin}/coaching-bookings/:id/status`, 'coaching-booking.status', [booking], { status: 'completed' }],
    [`POST ${admin}/inbox/:kind/:id/notes`, 'inbox.note', about, { text: 'Rang back' }],
    [
      `PATCH ${admin}/inbox/:kind/:id/notes/:noteId`,
      'inbox.note_changed',
      [...about, note],
      { text: 'Rang', version: 1 },
    ],
    [`POST ${admin}/inbox/:kind/:id/reply`, 'inbox.reply', about, { text: 'Friday at four?' }],
    [`POST ${admin}/inbox/:kind/:id/invitation`, 'inbox.invitation', about, { tierSlug: 'xl' }],
    [`PATCH ${admin}/quotient-orders/:id`, 'quotient-order.set_up', [order], { setUpOn: until, version: 1 }],
    [`DELETE ${admin}/membership-applications/:id`, 'membership-application.deleted', [other]],
    [`POST ${admin}/mail/:mailId/resend`, 'mail.resent', [mail]],
    [`POST ${admin}/mail-resend`, 'mail.resent', [], { since: '2027-01-01T00:00:00.000Z', emails: 0 }],
    [`POST ${admin}/mail-test`, 'mail.tested', [], { email }],
    [`POST ${admin}/suppressed-addresses`, 'mail.suppressed', [], { email: 'gone@example.com' }],
    [`POST ${admin}/bounces`, 'mail.suppressed', [], { report: eximReport(returned), isTrusted: true }],
    [`DELETE ${admin}/suppressed-addresses/:email`, 'mail.allowed', ['gone@example.com']],
    [`POST ${admin}/commission-statements/:month/mail`, 'commission.mailed', ['2026-06'], {}],
    [`POST ${admin}/manual-commissions`, 'upsell.added', [], sold],
    [`PATCH ${admin}/manual-commissions/:id`, 'upsell.paid', [upsell], { commissionPaid: true }],
    [`DELETE ${admin}/manual-commissions/:id`, 'upsell.deleted', [upsell]],
    [`PATCH ${admin}/commission-status/:userId`, 'commission.paid', [danny], { commissionPaid: true }],
    [`DELETE ${admin}/commission-payments/:id`, 'commission.deleted', [line]],
    [`POST ${admin}/commission-rates`, 'commission.rate', [], { tierSlug: 'xl', rate: 12, validFrom: until }],
    ...ofImports(world),
    ...ofTelling(world, idsIn),
    [`POST ${admin}/jobs/:name/run`, 'job.run', ['heartbeat']],
    [`POST ${admin}/invoice/:ref/credit`, 'invoice.credited', [invoice], { reason: 'Wrong' }],
    [`POST ${admin}/reports/:kind`, 'report.made', ['daily'], { always: true }],
    [`POST ${admin}/reports/:kind/done`, 'report.printed', ['daily'], { toJSON: claim }],
    [`POST ${admin}/impersonate/:memberId`, 'impersonation.started', [danny], { reason: 'Asked' }],
    [`POST ${admin}/stop-impersonating`, 'impersonation.stopped', []],
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
    [`POST ${admin}/imports`, 'import.planned', [], { kind: 'stripe', upload: null }],
    [`POST ${admin}/imports/:id/plan`, 'import.planned', [planned ?? ''], { options: {} }],
    [`POST ${admin}/imports/:id/apply`, 'import.applied', [open ?? '']],
    [`POST ${admin}/imports/:id/cancel`, 'import.cancelled', [left ?? '']],
    [`POST ${admin}/imports/:id/letters`, 'import.letters', [applied ?? ''], { count: 1 }],
    [`POST ${admin}/imports/:id/undo`, 'import.undone', [applied ?? '']],
  ]
}

function ofTelling(world: World, idsIn: (table: string) => string[]): Change[] {
  const [note = '', other = ''] = idsIn('announcements')
  const times = { startsAt: '2026-06-12T07:00:00.000Z', endsAt: '2026-06-20T07:00:00.000Z' }
  return [
    [`POST ${admin}/announcements`, 'announcement.added', [], { title: 'Closed', text: 'On Monday.', ...times }],
    [`PATCH ${admin}/announcements/:id`, 'announcement.changed', [note], { title: 'Shut', version: 1 }],
    [`POST ${admin}/announcements/:id/end`, 'announcement.ended', [note], { version: 2 }],
    [`DELETE ${admin}/announcements/:id?version=1`, 'announcement.removed', [other]],
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
    [`POST ${admin}/document-numbers/skip`, 'invoices.skipped', [], { upTo: [] }],
    [`POST ${admin}/revenue-months/reopen`, 'clock.confirmed', [], { months: [] }],
    [`POST ${admin}/mailings`, 'mailing.added', [], written],
    [`PATCH ${admin}/mailings/:id`, 'mailing.changed', [mailing], { ...written, version: 1 }],
    [`${at}/test`, 'mailing.tested', [mailing], { wish }],
    [`${at}/schedule`, 'mailing.scheduled', [mailing], { version: 2, sendAt: '2030-01-02T09:00:00.000Z' }],
    [`${at}/unschedule`, 'mailing.unscheduled', [mailing]],
    [`${at}/send`, 'mailing.sent', [mailing], send],
    [`${at}/pause`, 'mailing.paused', [mailing]],
    [`${at}/resume`, 'mailing.resumed', [mailing]],
    [`${at}/stop`, 'mailing.stopped', [mailing]],
    [`DELETE ${admin}/mailings/:id?version=1`, 'mailing.removed', [other]],
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
  for (const [route, action, ids, body] of changes) {
    const [method = '', path = ''] = route.split(' ')
    const address = ids.reduce<string>((rest, id) => rest.replace(/:\w+/, typeof id === 'string' ? id : id()), path)
    const send = () => call(address, body === undefined ? { method } : { method, body })
    prove.run(null)
    // Routes that always require a recent password do so. Those that do for part of it are in `proof.test.ts`.
    if (whyAsked.get(route.replace(/\?.*/, ''))?.startsWith('asks: ')) {
      expect([route, (await readError(await send())).code]).toEqual([route, 'password_needed'])
      prove.run(world.ctx.now().toISOString())
    }
    if (whyAsked.get(route)?.startsWith('asks when ')) prove.run(world.ctx.now().toISOString())
    const response = await send()
    const [entry] = world.ctx.db.select().from(auditEntries).orderBy(desc(auditEntries.id)).limit(1).all()
    expect([route, response.status, entry?.action, entry?.actor]).toEqual([route, 200, action, `user:${owner.id}`])
  }
  const named = new Set([
    ...trials,
    ...atProvider,
    ...ofSandbox,
    ...ofMedia,
    ...ofSignIn,
    ...changes.map(([route]) => route.replace(/\?.*/, '')),
  ])
  const routes = world.wholeApp().routes.map(({ method, path }) => `${method} ${path}`)
  // The calendar has its own test.
  const missing = routes.filter((route) => / \/api\/admin\/(?!calendar)/.test(route) && !/^GET|^HEAD/.test(route))
  expect(missing.filter((route) => !named.has(route))).toEqual([])
  expect([...named].filter((route) => !routes.includes(route))).toEqual([])
})
