import { useState } from 'react'
import { areShortcutsOn, turnShortcuts } from '#pwa/features/admin/kit/shortcuts/shortcuts-storage.ts'
import type { AdminPlace } from '#pwa/features/admin/kit/shortcuts/use-shortcuts.ts'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { CheckField } from '#pwa/ui/field.tsx'
import './menu.css'

const general: readonly (readonly [keys: string, what: string])[] = [
  ['Ctrl K', 'Find a member, a page or an action'],
  ['?', 'These shortcuts'],
  ['/', 'Search the list, or open Find if there’s none'],
  ['j', 'Next row, or what’s next on Today'],
  ['k', 'Previous one'],
  ['↓', 'Go from the search to the list'],
  ['Enter', 'Open the row, or press its first button'],
  ['u', 'Undo, while you still can'],
]

type Props = { places: readonly AdminPlace[]; onClose: () => void }

export default function ShortcutsDialog({ places, onClose }: Props) {
  const [isOn, setOn] = useState(areShortcutsOn)
  const toPlaces = places.flatMap(({ key, label }) => (key ? [[`g ${key}`, label] as const] : []))
  return (
    <Dialog isOpen isWide onClose={onClose} title="Help">
      <p>Press Find and say what you want to do, such as “refund” or “day off”. Or type a member’s name.</p>
      <div className="keyhelp">
        <h3>Keyboard shortcuts</h3>
        <dl className="keys">
          {[...general, ...toPlaces].map(([keys, what]) => (
            <div key={keys}>
              <dt>
                {keys.split(' ').map((one) => (
                  <kbd key={one}>{one}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <CheckField
          label="Use single keys on this device"
          hint="Ctrl K works either way. They’re off while you type."
          checked={isOn}
          onChange={({ target: { checked } }) => {
            turnShortcuts(checked)
            setOn(checked)
          }}
        />
      </div>
    </Dialog>
  )
}
