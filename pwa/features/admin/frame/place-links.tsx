import { createLink } from '@tanstack/react-router'
import { type ComponentProps, useEffect, useRef } from 'react'
import { TabLink, Tabs } from '#pwa/ui/tabs.tsx'
import { PlaceIcon } from './place-icon.tsx'
import { desk, firstTab, firstTabOf, type PlaceName, tabKeys } from './places.ts'

type AnchorProps = ComponentProps<'a'> & { place: PlaceName; keys?: string | undefined }

const PlaceAnchor = ({ place, keys, ...rest }: AnchorProps) => (
  <a {...rest} aria-keyshortcuts={keys} data-keys={keys}>
    <PlaceIcon name={place} />
    <span>{desk[place].label}</span>
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

/** Wider than a phone’s screen, so it scrolls the open tab into view. */
export function PlaceTabs({ place, tab }: { place: PlaceName; tab: string }) {
  const frame = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is open
  useEffect(() => {
    const open = frame.current?.querySelector<HTMLElement>('[aria-current]')
    const row = open?.parentElement
    if (open && row) row.scrollLeft = open.offsetLeft - row.offsetLeft - (row.clientWidth - open.offsetWidth) / 2
  }, [tab])
  const { label, tabs } = desk[place]
  if (Object.keys(tabs).length === 1) return null
  return (
    <div ref={frame}>
      <Tabs label={label}>
        {Object.entries(tabs).map(([name, { label: own }]) => (
          <TabLink key={name} to="/admin/$place" params={{ place: name }} activeOptions={{ includeSearch: false }}>
            {own}
          </TabLink>
        ))}
      </Tabs>
    </div>
  )
}
