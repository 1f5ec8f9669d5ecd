import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '#pwa/ui/button.tsx'
import { TabLink, Tabs } from '#pwa/ui/tabs.tsx'
import { firstPlace, placeGroups, places } from './places.ts'

type Props = { place: string }

/** The places beyond the seven tabs: all in view on a desktop, behind one button on a phone. */
export function MorePlaces({ place }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [shown, setShown] = useState(place)
  if (shown !== place) {
    setShown(place)
    setOpen(false)
  }
  useEffect(() => {
    if (isOpen) button.current?.scrollIntoView()
  }, [isOpen])
  const open = places[place]
  return (
    <nav
      className={isOpen ? 'more more--open' : 'more'}
      aria-label="More of the admin"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        setOpen(false)
        button.current?.focus()
      }}
    >
      <Button
        ref={button}
        className="more__button"
        look="line"
        icon="menu"
        second={open?.group && `${open.group}: ${open.label}`}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        More of the admin
      </Button>
      <div id={id} className="more__groups">
        {placeGroups.map((group) => (
          <div key={group} className="more__group">
            <p className="label" id={id + group}>
              {group}
            </p>
            <ul className="more__list" aria-labelledby={id + group}>
              {Object.entries(places).map(
                ([name, { label, group: own }]) =>
                  own === group && (
                    <li key={name}>
                      <PlaceLink name={name} label={label} />
                    </li>
                  ),
              )}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  )
}

/** Wider than a phone’s screen, so it scrolls the open tab into view. */
export function PlaceTabs({ place }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place is open
  useEffect(() => {
    const tab = frame.current?.querySelector<HTMLElement>('[aria-current]')
    const row = tab?.parentElement
    if (tab && row) row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2
  }, [place])
  return (
    <div ref={frame}>
      <Tabs label="Admin">
        {Object.entries(places).map(
          ([name, { label, group }]) => group === undefined && <PlaceLink key={name} name={name} label={label} />,
        )}
      </Tabs>
    </div>
  )
}

const PlaceLink = ({ name, label }: { name: string; label: string }) =>
  name === firstPlace ? (
    <TabLink to="/admin" activeOptions={{ exact: true, includeSearch: false }}>
      {label}
    </TabLink>
  ) : (
    <TabLink to="/admin/$place" params={{ place: name }} activeOptions={{ includeSearch: false }}>
      {label}
    </TabLink>
  )
