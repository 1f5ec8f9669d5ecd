import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useSiteContent, useSiteLinks } from '#pwa/lib/site-content.tsx'
import { useOpenedOnce } from '#pwa/ui/use-opened-once.ts'
import { toFirmContacts } from '#shared/rules/firm.ts'
import { Brand } from './header.tsx'

export function Footer() {
  const { brand, disclosure } = useSiteContent()
  return (
    <footer className="foot">
      <div className="wrap">
        <div>
          <Brand />
          <p className="foot__say">{brand.tagline}</p>
        </div>
        <QuickLinks />
        <CoachLinks />
        <Networks />
        <div className="foot__legal">
          <p>{brand.copyright}</p>
          {legalPages.map(([path, label]) => (
            <Link key={path} to={path}>
              {label}
            </Link>
          ))}
          <PrivacyButton />
          {disclosure && <p>{disclosure}</p>}
        </div>
      </div>
    </footer>
  )
}

const legalPages = [
  ['/privacy', 'Privacy'],
  ['/terms', 'Terms'],
  ['/cookies', 'Cookies'],
  ['/cancellation', 'Cancelling'],
  ['/accessibility', 'Accessibility'],
] as const

function QuickLinks() {
  const { quickLinks } = useSiteContent()
  const { toSiteLinks } = useSiteLinks()
  const pages = toSiteLinks(quickLinks)
  return (
    <div hidden={pages.length === 0}>
      <p className="label">Quick links</p>
      <ul className="plain">
        {pages.map(({ label, to }) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

function CoachLinks() {
  const { brand, coaches } = useSiteContent()
  return (
    <div id="coaches">
      <p className="label">Talk to a coach</p>
      <ul className="plain">
        {coaches.map(({ name, chat }) => (
          <li key={chat}>
            <a href={chat} target="_blank" rel="noreferrer">
              WhatsApp {name}
            </a>
          </li>
        ))}
        {coaches.map(({ name, email }) => (
          <li key={email}>
            <a href={`mailto:${email}`}>Email {name}</a>
          </li>
        ))}
        {toFirmContacts(brand).map(({ label, href }) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
        {brand.openingHours && <li>{brand.openingHours}</li>}
      </ul>
    </div>
  )
}

function Networks() {
  const { links } = useSiteContent()
  const networks = [
    { name: 'Facebook', url: links.facebook },
    { name: 'Instagram', url: links.instagram },
  ].filter(({ url }) => url !== '')
  if (networks.length === 0) return null
  return (
    <div>
      <p className="label">Follow</p>
      <ul className="plain">
        {networks.map(({ name, url }) => (
          <li key={name}>
            <a href={url} target="_blank" rel="noreferrer">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

const ConsentDialog = lazy(() => loadFile(() => import('#pwa/features/privacy/consent-dialog.tsx')))

/** The dialog loads at the first press. */
function PrivacyButton() {
  const { isOpen, wasOpened, open, close } = useOpenedOnce()
  return (
    <>
      <button className="foot__choice" type="button" aria-haspopup="dialog" onClick={open}>
        Privacy choices
      </button>
      {wasOpened && (
        <Suspense>
          <ConsentDialog isOpen={isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
