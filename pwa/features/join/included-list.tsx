import { TickList } from '#pwa/ui/list.tsx'
import { includedIn, type TierFlags } from './included.ts'

/** What the membership includes, ticked. */
export const IncludedList = ({ tier }: { tier: TierFlags }) => <TickList items={includedIn(tier)} />
