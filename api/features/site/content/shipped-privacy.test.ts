import { readFileSync } from 'node:fs'
import { Glob } from 'bun'
import { expect, test } from 'vitest'
import { contentOf } from '#api/site/content.ts'
import { startWorld } from '#api/testing/world.ts'
import type { LegalText } from '#shared/contract/texts/legal.ts'

// Like shipped-texts.test.ts, this knows the text of data/content: it compares what exists with what the pages name. A new table,
// store, key or cookie fails here until a page names it, or the lists below say why it isn't about people.
const world = startWorld()
const { privacy, cookies, cancellation } = contentOf(world.ctx).read().pages

const entriesOf = ({ sections }: LegalText) =>
  new Map(
    sections.flatMap(({ body }) =>
      body.flatMap((part) =>
        typeof part === 'object' && 'items' in part ? part.items.map(({ title, text }) => [title, text] as const) : [],
      ),
    ),
  )
const words = (text: string) => text.trim().split(/\s+/)

/** Tables about people, by the /privacy entry that describes them. */
const tablesOfEntries: Record<string, string> = {
  'A message, an application or a request for a call':
    'coaching_applications contacts membership_applications idempotency_answers',
  'Your account': `users passkeys authenticators recovery_codes email_changes owner_addresses announcements_put_away
    person_texts people_found people_found_config people_found_data people_found_idx`,
  'Your photo': 'member_photos',
  Payments: `addresses card_changes payment_methods customers invoices credit_notes subscriptions tier_upgrades
    purchase_attempts price_moves provider_events provider_invoices provider_refunds quotient_orders withdrawals
    cancellations renewal_notices balance_transactions customer_credits adopted_subscriptions revenue_changes revenue_months document_csv_rows`,
  'Your progress': 'video_progress video_positions progress_days applied_changes',
  'Your calls': 'coaching_bookings call_allowances',
  'Your questions to the coach': `questions question_messages question_files question_file_pieces question_file_contents
    published_questions useful_questions`,
  'What you said you’d do': 'commitments applied_commitment_changes',
  'Notices on your phone': 'notices notice_choices pushes push_subscriptions',
  Logins: 'sessions kept_videos known_devices ended_logins sign_in_codes password_resets used_challenges api_tokens',
  'Emails we sent you': `mail_outbox mail_agreements mail_opt_outs mailing_recipients suppressed_addresses mail_refusals follow_ups
    member_invitations owner_invitations`,
  'What we note down': 'inbox_notes',
  'What we did': 'audit_entries',
  'Our own count of visits': 'daily_counts',
  'IP addresses': 'limit_hits',
  'Our sales partner, accountant and the authorities': 'commission_ledger manual_commissions',
}

/** Tables that aren't about people, by what they hold. */
const impersonalTables: Record<string, string> = {
  'what owners publish': `announcements announcement_tiers blog_posts blog_redirects blog_versions content_changes content_drafts
    content_overrides mailings mailing_tiers media media_checks media_pieces media_uploads member_videos membership_tiers podcast_episodes terms_versions
    tier_prices tier_slugs video_tiers
    video_files video_handouts video_tellings video_texts video_versions skipped_versions`,
  'answers that owners use again': 'saved_replies',
  'the coaches’ own hours and calendars': 'call_days call_feeds call_hours call_mornings call_rules',
  'what was moved in, by line and our own ids': 'imports import_rows imported_pictures old_addresses',
  'sums of everyone’s': 'month_sums movement_sums subscription_sums',
  'how the site is set and run':
    'commission_rates incidents job_leases push_keys settings site_settings skipped_numbers',
}

test('every table is named by /privacy, or holds nothing about a person', () => {
  const tables = world.ctx.sqlite
    .prepare<[], string>(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '\\_\\_%' escape '\\'`,
    )
    .pluck()
    .all()
  const known = [...Object.values(tablesOfEntries), ...Object.values(impersonalTables)].flatMap(words)
  expect(known.sort()).toEqual(tables.sort())
  expect([...entriesOf(privacy).keys()]).toEqual(expect.arrayContaining(Object.keys(tablesOfEntries)))
})

const sources = ['pwa/**/*.{ts,tsx}', 'api/{http,identity}/*.ts']
  .flatMap((files) => [...new Glob(files).scanSync('.')])
  .filter((file) => !/test|\/e2e\/|\/dist\/|\/design\//.test(file))
  .map((file) => ({ file, source: readFileSync(file, 'utf8') }))
const filesWith = (pattern: RegExp) =>
  sources
    .filter(({ source }) => pattern.test(source))
    .map(({ file }) => file.replace(/^pwa\//, ''))
    .sort()

/** Stores in the phone's database, by the /cookies entry that describes them. */
const storesOfEntries: Record<string, string> = {
  'The members’ area': `videos progress outbox confirmed meta snapshots positions texts kept keepable commitments commitmentOutbox
    confirmedCommitments session stores sealed keys
    questions questionRecords questionOutbox questionConfirmed questionFiles questionBytes questionDrafts`,
  Forms: 'entries receipts meta',
}

test('every store of the phone’s own database is named by /cookies', () => {
  const found = sources.flatMap(({ source }) =>
    [...source.matchAll(/\.stores\(\{([^}]*)\}/g)].flatMap(([, list = '']) =>
      [...list.matchAll(/(\w+):/g)].map(([, name = '']) => name),
    ),
  )
  expect(found.sort()).toEqual(Object.values(storesOfEntries).flatMap(words).sort())
  expect([...entriesOf(cookies).keys()]).toEqual(expect.arrayContaining(Object.keys(storesOfEntries)))
})

/** Files that write to local or session storage or caches, by the same entries. */
const filesOfEntries: Record<string, string> = {
  Forms: 'lib/draft.ts lib/left-forms.ts lib/stored-forms-flag.ts',
  'The members’ area': `features/members/calls/agreed-draft-storage.ts features/members/commitments/make-draft-storage.ts features/billing/invoices/invoice-storage.ts
    features/profile/profile-draft-storage.ts features/notices/phone-store.ts features/notices/tell-me-when-answered.tsx
    lib/shared-cache.ts
    sync/browser-platform.ts sync/progress/jotted.ts sync/questions/notes.ts sync/shelf/page-device.ts sync/shelf/piece-files.ts`,
  'Pages and pictures': `lib/cached-responses.ts lib/uncached-pages.ts lib/load-file.ts sw.ts worker/app-files.ts
    lib/page-caches.ts worker/page-cache.ts`,
  'Small choices': `features/admin/kit/forms/draft-storage.ts features/admin/frame/layout.tsx
    features/admin/kit/shortcuts/shortcuts-storage.ts features/admin/today/setup/setup.tsx features/auth/session-store.ts
    features/billing/paid/paid-notice-storage.ts features/chrome/install-notice.tsx
    features/chrome/header.tsx features/chrome/storage-notice.tsx features/chrome/unwiped-notice.tsx
    features/join/join-storage.ts features/members/frame/member-gate.tsx features/admin/inbox/questions/voice-storage.ts
    features/questions/recorder/voice-recorder.tsx features/site-mode/site-mode-store.ts
    features/reactivation/reactivation-storage.ts features/tiers/selected-tier-storage.ts
    lib/owner-work.ts lib/privacy-choice.ts lib/unwiped.ts lib/viewing-as-flag.ts sync/page-platform.ts
    sync/session/sealed-owner-work.ts`,
}
/** The storage itself, and code that deletes from a cache. */
const writers = ['lib/storage.ts', 'sync/session/wipe.ts']

test('everything else that is kept on a device is named by /cookies', () => {
  const found = filesWith(/\.setItem\(|storage: (device|tab)Storage|caches\.open\(|precacheAndRoute\(/)
  expect(found).toEqual([...Object.values(filesOfEntries).flatMap(words), ...writers].sort())
  expect([...entriesOf(cookies).keys()]).toEqual(expect.arrayContaining(Object.keys(filesOfEntries)))
})

test('every cookie is named by /cookies, and no other', () => {
  const { source = '' } = sources.find(({ file }) => file === 'api/identity/session-cookies.ts') ?? {}
  const set = [...source.matchAll(/'(alliance_\w+)'/g)].map(([, name]) => name)
  expect([...entriesOf(cookies).keys()].filter((title) => title.startsWith('alliance_'))).toEqual(set)
})

test('the pages name what is easily forgotten', () => {
  const { sections } = privacy
  const onPhone = sections.find(({ heading }) => heading.includes('phone'))?.body.join(' ')
  for (const word of [
    'you keep on this phone',
    'transcripts',
    'where you stopped',
    'What you’ve sent stays',
    'photo',
    'what was agreed',
    'what you said you’d do',
    'questions with their answers, photos and voice notes',
    'billing',
    'invoices',
  ]) {
    expect(onPhone).toContain(word)
    expect(entriesOf(cookies).get('The members’ area')).toContain(word)
  }
  for (const press of ['Download a copy', 'Delete my account'])
    expect(JSON.stringify(sections)).toContain(`press ${press} under Profile, Your data`)
  expect(cancellation.lead).toContain('two presses')
})
