import type { TierSlug } from '#shared/contract/tier.ts'
import type { Person } from './person.ts'

/** What a list of videos is made for: a tier (empty for none), or an owner, who sees everything published. No tier is called that. */
export type Audience = TierSlug | 'owner'

export function audienceOf(person: Person): Audience {
  return person.isAdmin ? 'owner' : (person.access.tier ?? '')
}
