import { Link } from '@tanstack/react-router'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Mark } from '#pwa/ui/icon.tsx'

/** The mark and the name, leading home. */
export function Brand() {
  const { brand } = useSiteContent()
  return (
    <Link className="brand" to="/" activeProps={{ 'aria-current': undefined }}>
      <Mark />
      {brand.name}
    </Link>
  )
}
