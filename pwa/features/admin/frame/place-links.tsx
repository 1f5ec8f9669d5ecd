import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { PlaceIcon } from '#pwa/features/admin/kit/place-icon.tsx'
import { TabLink, Tabs } from '#pwa/ui/tabs.tsx'
import { adminPlaces, firstTab, firstTabOf, type PlaceName, tabKeys } from './places.ts'

type AnchorProps = ComponentProps<'a'> & { place: PlaceName; keys?: string | undefined }

const PlaceAnchor = ({ place, keys, ...rest }: AnchorProps) => (
  <a {...rest} aria-keyshortcuts={keys} data-keys={keys}>
    <PlaceIcon name={place} />
    <span>{adminPlaces[place].label}</span>
  </a>
)

const RoutedAnchor = createLink(PlaceAnchor)

type LinkProps = { place: PlaceName; open: PlaceName; hasKeys?: boolean; onClick?: () => void }

/** Opens a place by its first tab. Marked as current on all of its tabs. */
export function PlaceLink({ place, open, hasKeys, onClick }: LinkProps) {
  const tab = firstTabOf(place)
  const key = tabKeys[tab]
  const shared = {
    place,
    onClick,
    keys: hasKeys && key ? `g ${key}` : undefined,
    activeOptions: { exact: true, includeSearch: false },
    'aria-current': place === open ? ('true' as const) : undefined,
  }
  return tab === firstTab ? (
    <RoutedAnchor to="/admin" {...shared} />
  ) : (
    <RoutedAnchor to="/admin/$place" params={{ place: tab }} {...shared} />
  )
}

export function PlaceTabs({ place }: { place: PlaceName }) {
  const { label, tabs } = adminPlaces[place]
  if (Object.keys(tabs).length === 1) return null
  return (
    <Tabs label={label}>
      {Object.entries(tabs).map(([name, { label: own }]) => (
        <TabLink key={name} to="/admin/$place" params={{ place: name }} activeOptions={{ includeSearch: false }}>
          {own}
        </TabLink>
      ))}
    </Tabs>
  )
}
