import { Link } from '@tanstack/react-router'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Brand } from './brand.tsx'
import { PhoneMenu } from './phone-menu.tsx'
import { type ShownEntry, useExistingRoutes } from './site-route.ts'
import { SoftwareMenu } from './software-menu.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

/** The ink bar on every page: brand, pages, theme, and the way in. */
export function Header() {
  const { navigation } = useSiteContent()
  const { exists, keepEntries } = useExistingRoutes()
  const entries = keepEntries(navigation)
  const join = '/membership-application'
  return (
    <header className="nav">
      <nav className="wrap" aria-label="Main">
        <Brand />
        <ul className="nav__list">
          {entries.map((entry) => (
            <li key={entry.label}>
              <DesktopEntry entry={entry} />
            </li>
          ))}
        </ul>
        <ThemeSwitch />
        <PhoneMenu entries={entries} joinTo={exists(join) ? join : undefined} />
        {exists(join) && (
          <Link className="nav__cta" to={join}>
            JOIN THE MOVEMENT
          </Link>
        )}
      </nav>
    </header>
  )
}

const DesktopEntry = ({ entry }: { entry: ShownEntry }) =>
  'items' in entry ? (
    <SoftwareMenu label={entry.label} items={entry.items} />
  ) : (
    <Link to={entry.to} activeOptions={{ exact: entry.to === '/', includeSearch: false }}>
      {entry.label}
    </Link>
  )
