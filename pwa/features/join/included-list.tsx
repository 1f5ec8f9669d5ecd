import { Icon } from '#pwa/ui/icon.tsx'
import { includedIn, type TierFlags } from './included.ts'

/** What the membership includes, ticked. */
export const IncludedList = ({ tier }: { tier: TierFlags }) => (
  <ul className="join__included">
    {includedIn(tier).map((item) => (
      <li key={item}>
        <Icon name="tick" />
        {item}
      </li>
    ))}
  </ul>
)
