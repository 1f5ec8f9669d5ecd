import { BoldText } from './bold.tsx'
import { Icon } from './icon.tsx'

/** What is included, ticked; a pair of ** makes what stands between bold. */
export const TickList = ({ items }: { items: readonly string[] }) => (
  <ul className="ticklist">
    {items.map((item) => (
      <li key={item}>
        <Icon name="tick" />
        <span>
          <BoldText text={item} />
        </span>
      </li>
    ))}
  </ul>
)
