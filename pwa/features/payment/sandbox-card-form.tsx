import { useEffect, useSyncExternalStore } from 'react'
import { TextField, type TextFieldProps } from '#pwa/ui/field.tsx'
import { type CardField, formatCode, formatExpiry, formatNumber } from './sandbox-card.ts'
import type { CardStore } from './sandbox-card-element.tsx'
import { MethodTabs, panelId, tabId } from './sandbox-method-tabs.tsx'

const formats: Record<CardField, (text: string) => string> = {
  name: (text) => text,
  number: formatNumber,
  expiry: formatExpiry,
  code: formatCode,
}

/** The sandbox's card form, in the fields of the site. Nothing typed here is kept anywhere. */
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
    The next press opens PayPal, where you agree to it; then you come back here. In the payment sandbox no money moves.
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
        0002 is declined; any date to come, any code.
      </p>
    </div>
  )
}
