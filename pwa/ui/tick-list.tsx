import { Icon } from './icon.tsx'
import './styles/tick-list.css'

/** What is included, ticked. */
export const TickList = ({ items }: { items: readonly string[] }) => (
  <ul className="ticklist">
    {items.map((item) => (
      <li key={item}>
        <Icon name="tick" />
        {item}
      </li>
    ))}
  </ul>
)
