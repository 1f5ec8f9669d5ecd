import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { createApp } from '#api/app.ts'
import { tables } from '#api/db/tables.ts'
import { storeMedia } from '#api/features/media/store-service.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { attacks } from '#api/testing/attacks.ts'
import { siteIn } from '#api/testing/built-site.ts'
import { dangersIn } from '#api/testing/dangers.ts'
import { fillDatabase } from '#api/testing/full-database.ts'
import { typedColumns, writeTypedTexts } from '#api/testing/typed-texts.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { captionsAddress } from '#shared/rules/video.ts'

const mark = 'This was typed. '
const all = `${mark}${Object.values(attacks).join('\n')}`

function attackedWorld(): World {
  const world = startWorld()
  world.addVideos()
  fillDatabase(world, 1)
  writeTypedTexts(world, all)
  invalidateResponses(world.ctx)
  return world
}

/** Texts the program makes, or with a fixed format: identifiers, email addresses, URLs. */
const ofOneForm: Readonly<Record<string, string>> = {
  addresses: 'country',
  applied_changes: 'changeId',
  audit_entries: 'actor action',
  authenticators: 'secret',
  balance_transactions: 'kind source',
  customer_credits: 'type invoice',
  customers: 'emailAtStripe',
  blog_posts: 'slug',
  blog_versions: 'actor',
  call_days: 'coach',
  call_feeds: 'coach',
  call_hours: 'coach',
  call_mornings: 'email',
  cancellations: 'cause',
  card_changes: 'outcome',
  coaching_applications: 'email',
  coaching_bookings: 'email coach heldFrom',
  commission_ledger: 'reverses',
  contacts: 'email',
  content_changes: 'page entry actor',
  content_drafts: 'page',
  content_overrides: 'page entry',
  credit_notes: 'number takesPlaceOf',
  daily_counts: 'key',
  email_changes: 'fromEmail toEmail',
  document_csv_rows: 'csv',
  follow_ups: 'occasion',
  member_invitations: 'email invitedBy',
  owner_invitations: 'email invitedBy',
  idempotency_answers: 'scope key',
  import_rows: 'keyHash reason madeId',
  subscriptions: 'nextPaymentKey pausedFor',
  // Paths, read as addresses are.
  old_addresses: 'path to',
  imports: 'startedBy source fileName fileHash problem',
  inbox_notes: 'wish',
  invoices: 'number takesPlaceOf',
  job_leases: 'holder',
  kept_videos: 'sid',
  limit_hits: 'bucket',
  mail_outbox: 'cause replyTo text html',
  mail_agreements: 'source',
  mail_refusals: 'address source',
  mailings: 'cause',
  media: 'sha256 codec',
  media_pieces: 'file sha256',
  media_uploads: 'fingerprint',
  member_photos: 'content',
  member_videos: 'slug embedUrl',
  membership_tiers: 'slug',
  membership_applications: 'email termsVersion',
  notices: 'cause path',
  owner_addresses: 'email',
  passkeys: 'publicKey',
  password_resets: 'email token',
  payment_methods: 'type brand last4',
  // What people are found by, folded, and read by no page.
  person_texts: 'text digits',
  provider_events: 'type',
  provider_invoices: 'billingReason hostedInvoiceUrl paidBy',
  provider_refunds: 'reason',
  purchase_attempts: 'termsVersion outcome',
  push_keys: 'publicKey privateKey',
  push_subscriptions: 'sid endpoint p256dh auth',
  pushes: 'lastError',
  question_files: 'sha256 refusal type',
  question_messages: 'postSlug',
  quotient_orders: 'email termsVersion',
  recovery_codes: 'code',
  renewal_notices: 'cause',
  sign_in_codes: 'account browser code',
  site_settings: 'value',
  skipped_versions: 'film',
  users: 'email profileImageUrl tempPassword resetToken',
  video_texts: 'captionsFrom',
  video_versions: 'madeFrom',
}

test('every column of text is one that people type into, and is tried here, or is of one form', () => {
  const known = (table: string) => [...(typedColumns[table] ?? []), ...(ofOneForm[table]?.split(' ') ?? [])]
  const open = Object.values(tables).flatMap((table) => {
    if (!is(table, SQLiteTable)) return []
    const name = getTableName(table)
    return (
      Object.entries(getTableColumns(table))
        .filter(
          ([, { columnType, enumValues, primary }]) => columnType === 'SQLiteText' && !enumValues?.length && !primary,
        )
        .filter(([column]) => !/(^id|Id|At|Hash)$/.test(column) && !known(name).includes(column))
        // A tier's slug: the database knows which there are.
        .filter(([column]) => !/^(tier|\w+Tier)Slug$|Tier$|^tierBefore$/.test(column))
        .map(([column]) => `${name}.${column}`)
    )
  })
  expect(open).toEqual([])
})

const script = encodeURIComponent(`"'><script>alert(1)</script><img src=x onerror=alert(1)>`)
const pages = [
  ...[
    '/',
    '/blog',
    '/blog/post-0',
    '/podcast',
    '/membership-tiers',
    '/membership-application',
    '/coaching',
    '/members',
  ],
  ...['/book-call', '/catch-up', '/contact', '/terms', '/login', `/blog/${script}`, `/${script}`],
]
const asked = ['for', 'tab', 'tier', 'coach', 'redirect', 'email', 'q', 'token'].map((name) => `${name}=${script}`)

test('nothing that anybody typed, or put into an address, runs on a page of the server', async () => {
  const world = attackedWorld()
  const site = createApp(world.ctx, { site: siteIn(world.ctx.settings.dataDir) })
  const shown: string[] = []
  for (const path of pages)
    for (const address of [path, `${path}?${asked.join('&')}`]) {
      const response = await site.handle(new Request(new URL(address, 'http://localhost:3000')))
      const html = await response.text()
      expect([address, response.status < 500, dangersIn(html)]).toEqual([address, true, []])
      if (html.includes(mark.trim())) shown.push(address)
    }
  // Checks that the pages showing them were really requested.
  expect(shown).toEqual(expect.arrayContaining(['/blog', '/blog/post-0', '/podcast', '/membership-tiers']))
})

test('captions are captions, and the name of a file stays a name, whatever either says', {
  tags: ['full'],
}, async () => {
  const world = attackedWorld()
  const member = world.signIn(world.addMember({ tier: 'xl' }))
  const id = world.ctx.sqlite.prepare<[], string>('select videoId from video_texts limit 1').pluck().get()
  const captions = await member(captionsAddress(id ?? ''))
  expect([captions.status, (await captions.text()).includes('alert(1)')]).toEqual([200, true])
  expect(captions.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
  expect(captions.headers.get('x-content-type-options')).toBe('nosniff')
  for (const [at, name] of [
    ...Object.values(attacks),
    'a"; filename=b.html',
    'a\r\nSet-Cookie: a=b',
    'é🔧',
  ].entries()) {
    const content = new Blob([`WEBVTT\n\n00:01.000 --> 00:02.000\n${at}`])
    const { id: file } = await storeMedia(world.ctx, content, { name, isPublic: true })
    const { headers } = await world.call(`/media/${file}.vtt`)
    expect(headers.get('content-disposition')).toMatch(/^inline; filename\*=UTF-8''[\w.%!~*'()-]*$/)
    expect([headers.get('set-cookie'), headers.get('x-content-type-options')]).toEqual([null, 'nosniff'])
    expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
  }
})

/** Parses the response as a browser or feed reader would. JSON, spreadsheets, calendars and PDFs have their own tests. */
async function dangersOf(response: Response): Promise<string[]> {
  const type = response.headers.get('content-type') ?? ''
  if (/json|pdf|zip|octet-stream|image/.test(type)) return []
  const text = await response.text()
  if (type.startsWith('text/html')) return dangersIn(text)
  if (/xml/.test(type)) return text.match(/<(?:script|img|svg|iframe|a)\b[^>]{0,20}/gi) ?? []
  return []
}

test('nor in any feed or document that the server makes for owners and visitors', { tags: ['full'] }, async () => {
  const world = attackedWorld()
  const owner = world.signIn(world.addOwner())
  const seen = new Set<string>()
  for (const { method, path } of world.wholeApp().routes) {
    if (method !== 'GET' || path.includes(':') || path.includes('*')) continue
    const response = await owner(path)
    seen.add((response.headers.get('content-type') ?? '').split(';')[0] ?? '')
    expect([path, response.status < 500, await dangersOf(response)]).toEqual([path, true, []])
  }
  expect([...seen]).toEqual(expect.arrayContaining(['text/html', 'application/rss+xml', 'application/xml']))
})
