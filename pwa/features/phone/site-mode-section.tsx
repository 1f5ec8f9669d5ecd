import { RadioCard, RadioCards } from '#pwa/ui/radio-card.tsx'
import { setSiteMode, useSiteMode } from './site-mode-store.ts'

const choices = [
  { value: 'off', title: 'Off', second: 'The usual look' },
  { value: 'right', title: 'Right hand', second: 'Buttons at the right thumb' },
  { value: 'left', title: 'Left hand', second: 'Buttons at the left thumb' },
] as const

/** The switch for work outside. */
export function SiteModeSection() {
  const { isOn, hand } = useSiteMode()
  const chosen = isOn ? hand : 'off'
  return (
    <section className="sheet profile" aria-labelledby="site-mode">
      <h2 className="panel__title" id="site-mode">
        Site mode
      </h2>
      <p>For work outside: black on white, larger buttons, one hand. This phone remembers it.</p>
      <RadioCards label="Site mode">
        {choices.map(({ value, title, second }) => (
          <RadioCard
            key={value}
            name="site-mode"
            title={title}
            second={second}
            checked={chosen === value}
            onChange={() => setSiteMode(value === 'off' ? { isOn: false, hand } : { isOn: true, hand: value })}
          />
        ))}
      </RadioCards>
    </section>
  )
}
