import type { KeyboardEvent } from 'react'
import '#pwa/ui/styles/tabs.css'
import type { MethodType } from './sandbox-card-element.tsx'

const names: Record<MethodType, string> = { card: 'Card', paypal: 'PayPal' }

export const panelId = 'sandbox-method'
export const tabId = (method: MethodType) => `${panelId}-${method}`

type Props = { methods: readonly MethodType[]; chosen: MethodType; onChoose: (method: MethodType) => void }

/** The sandbox's ways to pay, as tabs: the arrows go from one to the next, as the provider's own do. */
export function MethodTabs({ methods, chosen, onChoose }: Props) {
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
          {names[method]}
        </button>
      ))}
    </div>
  )
}
