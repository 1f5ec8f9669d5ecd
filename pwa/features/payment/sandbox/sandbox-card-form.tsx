import { type KeyboardEvent, useEffect, useSyncExternalStore } from 'react'
import { TextField, type TextFieldProps } from '#pwa/ui/field.tsx'
import {
  type CardField,
  type CardStore,
  formatCode,
  formatExpiry,
  formatNumber,
  type MethodType,
} from './sandbox-card-store.ts'
import '#pwa/ui/styles/tabs.css'

const formats: Record<CardField, (text: string) => string> = {
  name: (text) => text,
  number: formatNumber,
  expiry: formatExpiry,
  code: formatCode,
}

export function SandboxCardForm({ store, onReady }: { store: CardStore; onReady: () => void }) {
  const { methods, method } = useSyncExternalStore(store.subscribe, store.get)
  useEffect(() => onReady(), [onReady])
  if (methods.length < 2) return <CardFields store={store} />
  return (
    <div className="pay__part">
      <MethodTabs methods={methods} chosen={method} onChoose={(chosen) => store.set({ method: chosen })} />
      <div role="tabpanel" id={panelId} aria-labelledby={tabId(method)}>
        {method === 'card' ? <CardFields store={store} /> : <PayPalNote />}
      </div>
    </div>
  )
}

const PayPalNote = () => (
  <p className="second">
    Press the button, agree in PayPal, and you’ll come back here. No money moves in the payment sandbox.
  </p>
)

function CardFields({ store }: { store: CardStore }) {
  const { text, errors, asksName } = useSyncExternalStore(store.subscribe, store.get)
  const fieldOf = (field: CardField): Partial<TextFieldProps> => ({
    name: field,
    required: true,
    value: text[field],
    error: errors[field],
    onChange: ({ target }) =>
      store.set({
        text: { ...text, [field]: formats[field](target.value) },
        errors: { ...errors, [field]: undefined },
      }),
  })
  const digits = { inputMode: 'numeric', autoCorrect: 'off', spellCheck: false } as const
  return (
    <div className="fields">
      {asksName && <TextField label="Name on card" autoComplete="cc-name" {...fieldOf('name')} />}
      <TextField label="Card number" autoComplete="cc-number" {...digits} {...fieldOf('number')} />
      <TextField
        className="f3"
        label="Expiry date"
        autoComplete="cc-exp"
        placeholder="MM / YY"
        {...digits}
        {...fieldOf('expiry')}
      />
      <TextField
        className="f3"
        label="Security code"
        autoComplete="cc-csc"
        placeholder="3 digits on the back"
        {...digits}
        {...fieldOf('code')}
      />
      <p className="second">
        Payment sandbox: no money moves. 4242 4242 4242 4242 pays, 4000 0025 0000 3155 asks the bank, 4000 0000 0000
        0002 is declined. Any future date and any code will do.
      </p>
    </div>
  )
}

const labels: Record<MethodType, string> = { card: 'Card', paypal: 'PayPal' }

const panelId = 'sandbox-method'
const tabId = (method: MethodType) => `${panelId}-${method}`

type TabsProps = { methods: readonly MethodType[]; chosen: MethodType; onChoose: (method: MethodType) => void }

/** The arrow keys move between tabs, as in Stripe's own form. */
function MethodTabs({ methods, chosen, onChoose }: TabsProps) {
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent<HTMLElement>) => {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
    const next = methods[(methods.indexOf(chosen) + step + methods.length) % methods.length]
    if (step === 0 || next === undefined) return
    onChoose(next)
    currentTarget.querySelector<HTMLElement>(`#${tabId(next)}`)?.focus()
  }
  return (
    <div className="tabs" role="tablist" aria-label="How to pay" onKeyDown={onKeyDown}>
      {methods.map((method) => (
        <button
          key={method}
          type="button"
          role="tab"
          id={tabId(method)}
          aria-selected={method === chosen}
          aria-controls={panelId}
          tabIndex={method === chosen ? 0 : -1}
          onClick={() => onChoose(method)}
        >
          {labels[method]}
        </button>
      ))}
    </div>
  )
}
