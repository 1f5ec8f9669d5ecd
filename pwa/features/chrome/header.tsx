import { Link } from '@tanstack/react-router'
import { type SiteEntry, useSiteContent, useSiteLinks } from '#pwa/lib/site-content.tsx'
import { deviceStorage } from '#pwa/lib/storage.ts'
import { Icon, Mark } from '#pwa/ui/icon.tsx'
import { DropdownMenu, PhoneMenu } from './menu.tsx'

export function Header() {
  const { navigation } = useSiteContent()
  const { exists, toSiteEntries } = useSiteLinks()
  const entries = toSiteEntries(navigation)
  const joinPath = '/membership-application'
  return (
    <header className="nav">
      <nav className="wrap" aria-label="Main">
        <Brand />
        <ul className="nav__list">
          {entries.map((entry) => (
            <li key={entry.label}>
              <HeaderEntry entry={entry} />
            </li>
          ))}
        </ul>
        <ThemeSwitch />
        <PhoneMenu entries={entries} joinTo={exists(joinPath) ? joinPath : undefined} />
        {exists(joinPath) && (
          <Link className="nav__cta" to={joinPath}>
            JOIN THE MOVEMENT
          </Link>
        )}
      </nav>
    </header>
  )
}

const HeaderEntry = ({ entry }: { entry: SiteEntry }) =>
  'items' in entry ? (
    <DropdownMenu label={entry.label} items={entry.items} />
  ) : (
    <Link to={entry.to} activeOptions={{ exact: entry.to === '/', includeSearch: false }}>
      {entry.label}
    </Link>
  )

/** Drawn inline; any other logo is a picture. */
const shippedMark = '/icons/icon.svg'

export function Brand() {
  const { brand, look } = useSiteContent()
  return (
    <Link className="brand" to="/" activeProps={{ 'aria-current': undefined }}>
      {brand.logo === shippedMark ? (
        <Mark />
      ) : (
        <img src={`/icons/logo.svg?look=${look}`} alt="" width={48} height={48} />
      )}
      {brand.name}
    </Link>
  )
}

/** The script in index.html that runs before the first paint reads it too. */
const themeKey = 'theme'

type Theme = 'light' | 'dark'

const currentTheme = (): Theme => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light')

export function switchTheme() {
  const next = currentTheme() === 'dark' ? 'light' : 'dark'
  document.documentElement.dataset.theme = next
  deviceStorage.setItem(themeKey, next)
}

/** Light or dark. Until the visitor chooses, the script in the document's head follows the device. */
export function ThemeSwitch() {
  return (
    <button className="iconbtn swap" type="button" onClick={switchTheme} aria-label="Switch between light and dark">
      <Icon name="torch" className="i--day" />
      <Icon name="sun" className="i--night" />
    </button>
  )
}
