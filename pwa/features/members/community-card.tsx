import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Icon } from '#pwa/ui/icon.tsx'

/** The way to the members' community on another site. */
export function CommunityCard() {
  const { community } = useSiteContent().links
  if (!community)
    return (
      <p className="club club--none">
        <span>
          <b>Community</b>
          The community’s address is not set up yet.
        </span>
      </p>
    )
  return (
    <a className="club" href={community} target="_blank" rel="noreferrer">
      <span>
        <b>Community</b>
        Ask the other members. Opens in a new tab.
      </span>
      <Icon name="ext" />
    </a>
  )
}
