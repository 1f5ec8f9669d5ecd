import { api, ask } from '#pwa/lib/api.ts'
import { MembershipTierList } from '#shared/contract/tier.ts'

export const askForTiers = async () => (await ask(MembershipTierList, api.api['membership-tiers'].get())).tiers
