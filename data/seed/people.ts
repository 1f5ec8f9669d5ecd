import type { TierSlug } from '#shared/contract/tier.ts'

/** Every sandbox account has this password, and none exists anywhere else. */
export const sandboxPassword = 'sandbox-password'

export type PersonSeed = {
  email: string
  firstName: string
  lastName: string
  trade: string
  businessName: string
  tier: TierSlug | null
  state: 'owner' | 'active' | 'trialing' | 'past_due' | 'canceled' | 'never'
  role: string
}

const person = (
  email: string,
  name: [string, string],
  work: [string, string],
  membership: [TierSlug | null, PersonSeed['state'], string],
) => ({
  email: `${email}@alliance.test`,
  firstName: name[0],
  lastName: name[1],
  trade: work[0],
  businessName: work[1],
  tier: membership[0],
  state: membership[1],
  role: membership[2],
})

/** One of Ofcom’s for drama. */
export const namedPhone = '07700 900123'

export const peopleSeeds: PersonSeed[] = [
  person('owner', ['Olive', 'Hart'], ['Coach', 'The Alliance'], [null, 'owner', 'owner']),
  person('owner2', ['Owen', 'Pike'], ['Coach', 'The Alliance'], [null, 'owner', 'owner']),
  person('lite', ['Danny', 'Marsh'], ['Plumber', 'Marsh Plumbing'], ['lite', 'active', 'member, Alliance Lite']),
  person('standard', ['Priya', 'Shah'], ['Electrician', 'Shah Electrical'], ['standard', 'active', 'member, Alliance']),
  person('xl', ['Tom', 'Okafor'], ['Builder', 'Okafor & Sons'], ['xl', 'active', 'member, Alliance XL']),
  person(
    'delayed',
    ['Mo', 'Rahman'],
    ['Heating engineer', 'Rahman Heating'],
    ['standard', 'trialing', 'first payment still to come'],
  ),
  person(
    'pastdue',
    ['Gareth', 'Lloyd'],
    ['Roofer', 'Lloyd Roofing'],
    ['standard', 'past_due', 'last payment failed 3 days ago'],
  ),
  person('lapsed', ['Kelly', 'Byrne'], ['Carpenter', 'Byrne Joinery'], ['standard', 'canceled', 'membership ended']),
  person('visitor', ['Sam', 'Field'], ['Painter', 'Field Decorating'], [null, 'never', 'account, never a member']),
]

type AddressSeed = { line1: string; town: string; postcode: string }

/** Invoice addresses, by email. */
export const addressSeeds: Record<string, AddressSeed> = {
  'lite@alliance.test': { line1: '4 Ferry Road', town: 'Hull', postcode: 'HU1 1AA' },
  'standard@alliance.test': { line1: '1 Mill Lane', town: 'Leeds', postcode: 'LS1 1AA' },
  'xl@alliance.test': { line1: 'Unit 7, Canal Wharf', town: 'Stoke-on-Trent', postcode: 'ST1 1AA' },
  'delayed@alliance.test': { line1: '22 Chapel Street', town: 'Truro', postcode: 'TR1 1AA' },
  'pastdue@alliance.test': { line1: '9 Castle Hill', town: 'Cardiff', postcode: 'CF1 1AA' },
  'lapsed@alliance.test': { line1: '3 Harbour View', town: 'Plymouth', postcode: 'PL1 1AA' },
}
