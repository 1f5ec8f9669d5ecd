import { Link } from '@tanstack/react-router'
import { Icon } from '#pwa/ui/icon.tsx'
import type { Office } from './find/use-office.tsx'

/** What an owner can reach from every place. */
export const RailTools = ({ office: { open, logout } }: { office: Office }) => (
  <ul className="plain rail__tools">
    <li>
      <button type="button" aria-haspopup="dialog" onClick={() => open('view-as')}>
        <Icon name="eye" />
        <span>View as Member</span>
      </button>
    </li>
    <li>
      {/* A new document: this one's texts are from before what they've just published. */}
      <Link to="/" reloadDocument>
        <Icon name="arrow" />
        <span>Back to Site</span>
      </Link>
    </li>
    <li>
      <button type="button" onClick={logout}>
        <Icon name="lock" />
        <span>Logout</span>
      </button>
    </li>
  </ul>
)
