import { useShelf } from '#pwa/features/members/stored/use-shelf.ts'
import type { ShelfView } from '#pwa/sync/progress/status.ts'
import { CheckField, SelectField } from '#pwa/ui/field.tsx'
import { type ShelfForm, shelfForms } from '#shared/contract/shelf.ts'
import { formLabels, limits, wifiHint } from './shelf-texts.ts'

/** How the member wants videos kept from now on. */
export function ShelfChoices({ view: { keepable, shelf } }: { view: ShelfView }) {
  const run = useShelf()
  const choose = (choices: {
    form?: ShelfForm
    isWifiOnly?: boolean
    keepsNext?: boolean
    mostBytes?: number | null
    hasChosen?: boolean
  }) => void run((own) => own.choose(choices)).catch(reportError)
  const forms = shelfForms.filter((form) => [...keepable.values()].some((video) => video[form] !== null))
  return (
    <section className="sheet account__sheet" aria-labelledby="choices">
      <h2 className="panel__title" id="choices">
        How to keep them
      </h2>
      {forms.length > 1 && (
        <SelectField
          label="Keep the"
          value={shelf.form}
          onChange={({ target }) =>
            choose({ form: forms.find((form) => form === target.value) ?? 'film', hasChosen: true })
          }
        >
          {forms.map((form) => (
            <option key={form} value={form}>
              {formLabels[form]}
            </option>
          ))}
        </SelectField>
      )}
      <SelectField
        label="Space they can take"
        value={String(shelf.mostBytes)}
        onChange={({ target }) =>
          choose({ mostBytes: limits.find(([bytes]) => String(bytes) === target.value)?.[0] ?? null })
        }
      >
        {limits.map(([bytes, label]) => (
          <option key={label} value={String(bytes)}>
            {label}
          </option>
        ))}
      </SelectField>
      <CheckField
        label="Only on Wi-Fi"
        hint={wifiHint()}
        checked={shelf.isWifiOnly}
        onChange={({ target }) => choose({ isWifiOnly: target.checked })}
      />
      <CheckField
        label="Keep the next two for me"
        hint="Always the next two you haven’t ticked. Tick one and we’ll swap it for the next."
        checked={shelf.keepsNext}
        onChange={({ target }) => choose({ keepsNext: target.checked })}
      />
      <p className="second">Videos are saved in your browser on this phone. They go when you log out.</p>
    </section>
  )
}
