import type { Appearance } from '@stripe/stripe-js'
import { useMemo, useSyncExternalStore } from 'react'

type Token = 'ink' | 'ink-2' | 'sheet' | 'bad' | 'bad-wash' | 'focus' | 'rule-strong'

/** The page's computed colours, because Stripe's iframe can't see our custom properties. */
function readColours(): Record<Token, string> {
  const probe = document.createElement('span')
  document.body.append(probe)
  const colourOf = (token: Token) => {
    probe.style.color = `var(--${token})`
    return getComputedStyle(probe).color
  }
  const colours = {
    ink: colourOf('ink'),
    'ink-2': colourOf('ink-2'),
    sheet: colourOf('sheet'),
    bad: colourOf('bad'),
    'bad-wash': colourOf('bad-wash'),
    focus: colourOf('focus'),
    'rule-strong': colourOf('rule-strong'),
  }
  probe.remove()
  return colours
}

function makeAppearance(): Appearance {
  const colour = readColours()
  return {
    theme: 'flat',
    labels: 'floating',
    variables: {
      fontFamily: 'Archivo, Arial, sans-serif',
      fontSizeBase: '21px',
      colorText: colour.ink,
      colorTextSecondary: colour['ink-2'],
      colorTextPlaceholder: colour['ink-2'],
      colorBackground: colour.sheet,
      colorDanger: colour.bad,
      colorPrimary: colour.focus,
      borderRadius: '3px',
      gridRowSpacing: '16px',
      gridColumnSpacing: '16px',
    },
    rules: {
      '.Input': { border: `2px solid ${colour['rule-strong']}`, padding: '16px', boxShadow: 'none' },
      '.Input:focus': { border: `2px solid ${colour.focus}`, boxShadow: `0 0 0 2px ${colour.focus}` },
      '.Input--invalid': {
        border: `2px solid ${colour.bad}`,
        backgroundColor: colour['bad-wash'],
        boxShadow: 'none',
      },
      '.Label': { color: colour['ink-2'], fontSize: '15px', fontWeight: '640' },
      '.Error': { fontSize: '16px', fontWeight: '620' },
    },
  }
}

const currentTheme = () => document.documentElement.dataset.theme

function watchTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

/** Changes when the visitor switches between the light and dark themes. */
export function useAppearance(): Appearance {
  const theme = useSyncExternalStore(watchTheme, currentTheme)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are those of the theme
  return useMemo(makeAppearance, [theme])
}
