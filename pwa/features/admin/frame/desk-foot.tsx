import { Link } from '@tanstack/react-router'
import { useSiteContent } from '#pwa/lib/site-content.tsx'

export function DeskFoot({ onHelp }: { onHelp: () => void }) {
  const { brand } = useSiteContent()
  return (
    <footer className="desk__foot">
      <p>{brand.copyright}</p>
      <Link to="/privacy">Privacy</Link>
      <Link to="/cookies">Cookies</Link>
      <button type="button" aria-haspopup="dialog" onClick={onHelp}>
        Help
      </button>
    </footer>
  )
}
