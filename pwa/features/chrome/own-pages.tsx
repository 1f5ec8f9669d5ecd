import { Link } from '@tanstack/react-router'
import { listenTitle, shelfTitle, walletTitle } from '#pwa/features/places/account-places.ts'
import { memberPages } from '#pwa/features/places/member-places.ts'

const places = { shelf: shelfTitle, listen: listenTitle, wallet: walletTitle }

/** A logged-in member's own pages, first in the phone's menu. */
export default function OwnPages() {
  return (
    <li>
      <p className="label">Your pages</p>
      <ul>
        {Object.values(memberPages).map(({ label, link }) => (
          <li key={label}>
            <Link {...link}>{label}</Link>
          </li>
        ))}
        {Object.entries(places).map(([place, title]) => (
          <li key={place}>
            <Link to="/members/$place" params={{ place }}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </li>
  )
}
