import { expect, test } from 'vitest'
import { shippedTierSlugs } from '#shared/contract/tier.ts'
import { videoTypes } from '#shared/values/column-values.ts'
import { openDatabase } from './open.ts'

const { sqlite } = openDatabase(':memory:')
for (const slug of shippedTierSlugs) {
  sqlite.exec(`insert into membership_tiers (id, slug, name, description, features, createdAt, updatedAt)
    values ('${slug}', '${slug}', '${slug}', '', '[]', '2026-01-01T09:00:00.000Z', '2026-01-01T09:00:00.000Z')`)
}

type Column = { name: string; dflt_value: string | null; notnull: 0 | 1 }
const columnsOf = (table: string) =>
  sqlite.prepare<[string], Column>('select name, dflt_value, "notnull" from pragma_table_info(?)').all(table)

/** `names` are the specification's, with a question mark for optional ones. `defaults` are in SQL. */
function expectColumns(table: string, names: string, defaults: Record<string, string> = {}) {
  const columns = new Map(columnsOf(table).map((column) => [column.name, column]))
  const wanted = names.split(' ')
  expect([...columns.keys()]).toEqual(expect.arrayContaining(wanted.map((name) => name.replace('?', ''))))
  for (const name of wanted.filter((one) => one.endsWith('?'))) {
    expect([name, columns.get(name.replace('?', ''))?.notnull]).toEqual([name, 0])
  }
  const seen = Object.fromEntries(Object.keys(defaults).map((name) => [name, columns.get(name)?.dflt_value]))
  expect(seen).toEqual(defaults)
}

function isUnique(table: string, ...columns: string[]): boolean {
  const indexes = sqlite
    .prepare<[string], { name: string }>('select name from pragma_index_list(?) where "unique" = 1')
    .all(table)
  const columnsIn = sqlite.prepare<[string], { name: string }>('select name from pragma_index_info(?)')
  return indexes.some(
    ({ name }) =>
      columnsIn
        .all(name)
        .map((column) => column.name)
        .join() === columns.join(),
  )
}

const at = '2026-06-12T07:40:00.000Z'
let number = 0

function attempt(table: string, row: Record<string, string | number | null>): void {
  const whole = { id: `id-${++number}`, createdAt: at, ...row }
  const names = Object.keys(whole)
  sqlite.exec('savepoint attempt')
  try {
    sqlite
      .prepare(`insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`)
      .run(...Object.values(whole))
  } finally {
    sqlite.exec('rollback to attempt; release attempt')
  }
}

function expectChoices(table: string, row: Record<string, string | number>, column: string, values: readonly string[]) {
  for (const value of values) expect(() => attempt(table, { ...row, [column]: value })).not.toThrow()
  for (const value of ['nonsense', '', `${values[0]} `]) {
    expect(() => attempt(table, { ...row, [column]: value })).toThrow(/CHECK constraint failed/)
  }
}

function expectTiers(table: string, row: Record<string, string | number>, column: string) {
  for (const value of shippedTierSlugs) expect(() => attempt(table, { ...row, [column]: value })).not.toThrow()
  for (const value of ['nonsense', '', 'lite ']) {
    expect(() => attempt(table, { ...row, [column]: value })).toThrow(/FOREIGN KEY/)
  }
}

const coaching = {
  name: 'Sam',
  email: 'sam@example.com',
  phone: '07700 900123',
  trade: 'plumber',
  biggestChallenge: 'Time',
  goals: 'Rest',
  timeCommitment: '1-2',
  investment: 'under-1k',
}
const application = {
  selectedTier: 'standard',
  firstName: 'Sam',
  lastName: 'Field',
  email: 'sam@example.com',
  phone: '07700 900123',
  businessName: 'Field',
  trade: 'Painter',
  businessStage: 'growing',
  yearsInTrade: '12',
  currentChallenges: 'Time',
  goals: 'Rest',
  whyJoin: 'A mate',
  hearAboutUs: 'Podcast',
  agreeTerms: 1,
}
const tier = { slug: 'lite', name: 'Lite', description: '', features: '[]', updatedAt: at }
const video = { title: 'T', videoId: 'abc', category: 'Money', updatedAt: at }
const order = {
  firstName: 'Sam',
  lastName: 'Field',
  email: 'sam@example.com',
  businessName: 'Field',
  agreeToTerms: 1,
  net: 45_000,
  vat: 9_000,
  total: 54_000,
}

test('DATA-01 ENT-24 membership tiers: columns, defaults, slug and name unique, a price each period', () => {
  expectColumns(
    'membership_tiers',
    'id slug name description features hasWeeklyAccountability callDuration? hasMonthlyCoaching hasVideoAccess hasCommunityAccess isActive orderIndex stripeProductId? createdAt updatedAt',
    {
      hasMonthlyCoaching: 'false',
      hasVideoAccess: 'true',
      hasCommunityAccess: 'true',
      isActive: 'true',
      orderIndex: '0',
    },
  )
  expect([isUnique('membership_tiers', 'slug'), isUnique('membership_tiers', 'name')]).toEqual([true, true])
  expectColumns('tier_prices', 'id tierSlug every net nextPrice? stripePriceId? createdAt updatedAt', {
    isOffered: 'true',
  })
  const price = { tierSlug: 'standard', net: 12_500, updatedAt: at }
  expectChoices('tier_prices', price, 'every', ['month', 'year'])
  expect(() => attempt('tier_prices', { ...price, every: 'month', net: -1 })).toThrow(/CHECK/)
  expect(() => attempt('tier_prices', { ...price, every: 'month', tierSlug: 'gold' })).toThrow(/FOREIGN KEY/)
  expect(() => attempt('membership_tiers', tier)).toThrow(/UNIQUE/)
})

test('DATA-02 contacts', () => {
  expectColumns('contacts', 'id name email trade? message createdAt')
})

test('DATA-03 coaching applications: columns, what is optional, pending at first', () => {
  expectColumns(
    'coaching_applications',
    'id name email phone trade businessName? yearsInBusiness? currentRevenue? biggestChallenge goals timeCommitment investment heardAbout? additionalInfo? status createdAt',
    { status: `'pending'` },
  )
  expect(() => attempt('coaching_applications', { ...coaching, goals: null })).toThrow(/NOT NULL/)
})

test('SIMP-7 a coaching application’s status is one of four', () => {
  expectChoices('coaching_applications', coaching, 'status', ['pending', 'contacted', 'approved', 'rejected'])
})

test('DATA-04 a coaching application’s trade', () => {
  const trades = 'plumber electrician builder carpenter painter roofer heating landscaper other'.split(' ')
  expectChoices('coaching_applications', coaching, 'trade', trades)
})

test('DATA-05 a coaching application’s revenue', () => {
  const ranges = 'under-50k 50k-100k 100k-200k 200k-500k over-500k'.split(' ')
  expectChoices('coaching_applications', coaching, 'currentRevenue', ranges)
})

test('DATA-06 a coaching application’s time', () => {
  expectChoices('coaching_applications', coaching, 'timeCommitment', ['1-2', '3-5', '5-10', '10+'])
})

test('DATA-07 a coaching application’s investment', () => {
  expectChoices('coaching_applications', coaching, 'investment', ['under-1k', '1k-3k', '3k-5k', '5k+'])
})

test('DATA-08 where a coaching applicant heard of the programme', () => {
  const sources = 'podcast youtube social-media google referral other'.split(' ')
  expectChoices('coaching_applications', coaching, 'heardAbout', sources)
})

test('DATA-09 SIMP-8 bookings: columns, defaults, statuses', () => {
  expectColumns(
    'coaching_bookings',
    'id name email phone businessName trade bookingDate duration timeZone status notes? reminderSent salesLionBookingId? createdAt updatedAt',
    { duration: '30', timeZone: `'Europe/London'`, status: `'scheduled'`, reminderSent: 'false' },
  )
  const booking = { name: 'Sam', email: 'sam@example.com', bookingDate: '2026-06-13', updatedAt: at }
  expectChoices('coaching_bookings', booking, 'status', ['scheduled', 'completed', 'cancelled', 'no-show'])
})

test('DATA-10 membership applications: columns, all of them needed, a known tier, pending at first', () => {
  expectColumns(
    'membership_applications',
    'id firstName lastName email phone businessName trade businessStage yearsInTrade currentChallenges goals whyJoin hearAboutUs agreeTerms selectedTier status createdAt',
    { status: `'pending'` },
  )
  const ours = ['id', 'termsVersion']
  const optional = columnsOf('membership_applications').filter(({ notnull }) => notnull === 0)
  expect(optional.filter(({ name }) => !ours.includes(name))).toEqual([])
  expectTiers('membership_applications', application, 'selectedTier')
  expectChoices('membership_applications', application, 'status', ['pending', 'contacted', 'approved', 'rejected'])
})

test('DATA-11 a membership application’s stage', () => {
  const stages = ['startup', 'established', 'growing', 'scaling']
  expectChoices('membership_applications', application, 'businessStage', stages)
})

test('DATA-12 users: columns, defaults, the address unique, known tiers and overrides', () => {
  expectColumns(
    'users',
    'id email firstName? lastName? phone? businessName? trade? profileImageUrl? isAdmin isMember membershipTier? stripeCustomerId? stripeSubscriptionId? membershipStartDate? tempPassword? passwordChanged resetToken? resetTokenExpiry? commissionPaid commissionPaidDate? lastCommissionMonth? commissionAmount? createdAt updatedAt',
    { isAdmin: 'false', isMember: 'false', passwordChanged: 'false', commissionPaid: 'false' },
  )
  expect(isUnique('users', 'email')).toBe(true)
  const user = { email: 'sam@example.com', updatedAt: at }
  expectTiers('users', user, 'membershipTier')
  expectChoices('users', user, 'accessOverride', ['granted', 'revoked'])
})

test('DATA-14 password resets', () => {
  expectColumns('password_resets', 'id email token expiresAt used createdAt', { used: 'false' })
  expect(isUnique('password_resets', 'token')).toBe(true)
  expectChoices('password_resets', { email: 'a@b.example', token: 't', expiresAt: at }, 'purpose', ['password', 'join'])
})

test('DATA-15 sessions', () => {
  expectColumns('sessions', 'sid sess expire')
  expect(isUnique('sessions', 'sid')).toBe(true)
})

test('DATA-16 ENT-1 VID-2 videos: columns, defaults, the four types, no order below 0', () => {
  expectColumns(
    'member_videos',
    'id title description? videoType videoId embedUrl? category orderIndex isPublished duration? version createdAt updatedAt slug',
    {
      slug: `''`,
      videoType: `'wistia'`,
      orderIndex: '0',
      isPublished: 'true',
      version: '1',
    },
  )
  expectChoices('member_videos', video, 'videoType', videoTypes)
  expect(() => attempt('member_videos', { ...video, orderIndex: -1 })).toThrow(/CHECK/)
})

test('DATA-17 ENT-3 progress: columns, defaults, one row per member and video', () => {
  expectColumns('video_progress', 'id userId videoId completed completedAt? watchTime createdAt updatedAt', {
    completed: 'false',
    watchTime: '0',
  })
  expect([isUnique('video_progress', 'userId', 'videoId'), isUnique('video_progress', 'id')]).toEqual([true, true])
})

test('ENT-5 blog posts: columns, a draft by a coach at first, one address each', () => {
  expectColumns(
    'blog_posts',
    'id title slug excerpt? content author isPublished featuredImage? publishedAt? version createdAt updatedAt shareImage? featuredImageAlt?',
    { author: `'The coaches'`, isPublished: 'false', version: '1' },
  )
  expect(isUnique('blog_posts', 'slug')).toBe(true)
})

test('ENT-15 up-sells', () => {
  expectColumns('manual_commissions', 'id description totalAmount commissionAmount saleDate commissionPaid', {
    commissionPaid: 'false',
  })
})

test('ENT-28 set-up orders: columns, what is optional, what may be chosen', () => {
  expectColumns(
    'quotient_orders',
    'id firstName lastName email phone? businessName tradeType? preferredManufacturer? warrantyBoostPrice? cheapestCarePlanPrice? generalHourlyRate? generalInstallRate? generalDayRate? vatRegistered? additionalRequirements? agreeToTerms',
    { packageType: `'professional'`, status: `'pending'` },
  )
  expectChoices('quotient_orders', order, 'packageType', ['professional', 'master'])
  expectChoices('quotient_orders', order, 'vatRegistered', ['yes', 'no'])
})

test('ENT-30 ENT-31 an order’s trade and manufacturer', () => {
  const trades = 'heating plumbing gas electrical bathroom general other'.split(' ')
  expectChoices('quotient_orders', order, 'tradeType', trades)
  const makers = 'worcester vaillant baxi ideal viessmann alpha other'.split(' ')
  expectChoices('quotient_orders', order, 'preferredManufacturer', makers)
})
