import { ThemeSwitch } from '#pwa/features/chrome/header.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { DeskFigures } from './desk-figures.tsx'
import { DeskTools } from './desk-tools.tsx'
import type { Office } from './find/use-office.tsx'
import { PlaceLink } from './place-links.tsx'
import { type PlaceName, placeNames } from './places.ts'

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
      <DeskFigures onClick={onClose} />
      <DeskTools
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
