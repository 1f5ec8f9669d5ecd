import { Brand, ThemeSwitch } from '#pwa/features/chrome/header.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import type { Office } from './find/use-office.tsx'
import { PlaceLink } from './place-links.tsx'
import { type PlaceName, placeNames } from './places.ts'
import { RailFigures } from './rail-figures.tsx'
import { RailTools } from './rail-tools.tsx'

type Props = { place: PlaceName; office: Office; isFolded: boolean; onFold: () => void }

export const Rail = ({ place, office, isFolded, onFold }: Props) => (
  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the page’s own header is a banner, and the page being edited has one too
  <header className="rail" aria-label="Owners">
    <Brand />
    <nav aria-label="Admin">
      <ul className="plain">
        {placeNames.map((name) => (
          <li key={name}>
            <PlaceLink place={name} open={place} hasKeys />
          </li>
        ))}
      </ul>
    </nav>
    <RailFigures />
    <RailTools office={office} />
    <div className="rail__last">
      <ThemeSwitch />
      <button
        className="iconbtn rail__fold"
        type="button"
        aria-label={isFolded ? 'Unfold the menu' : 'Fold the menu'}
        onClick={onFold}
      >
        <Icon name="back" />
      </button>
    </div>
  </header>
)
