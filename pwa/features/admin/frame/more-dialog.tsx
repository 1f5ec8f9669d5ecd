import { ThemeSwitch } from '#pwa/features/chrome/header.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import type { Office } from './find/use-office.tsx'
import { PlaceLink } from './place-links.tsx'
import { type PlaceName, placeNames } from './places.ts'
import { RailFigures } from './rail-figures.tsx'
import { RailTools } from './rail-tools.tsx'

type Props = { place: PlaceName; office: Office; onClose: () => void }

/** On a phone, everything the bar has no room for. */
export const MoreDialog = ({ place, office, onClose }: Props) => (
  <Dialog isOpen onClose={onClose} title="More">
    <nav className="moreplaces" aria-label="All places">
      {placeNames.map((name) => (
        <PlaceLink key={name} place={name} open={place} onClick={onClose} />
      ))}
    </nav>
    <div className="moretools">
      <RailFigures onClick={onClose} />
      <RailTools
        office={{
          ...office,
          open: (dialog) => {
            onClose()
            office.open(dialog)
          },
        }}
      />
      <ThemeSwitch />
    </div>
  </Dialog>
)
