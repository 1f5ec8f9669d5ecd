import { useEffect } from 'react'
import { deviceStorage } from '#pwa/lib/storage.ts'
import { Icon } from '#pwa/ui/icon.tsx'

/** Also read by the script in index.html that runs before the first paint. */
const storageKey = 'theme'

type Theme = 'light' | 'dark'

function show(theme: Theme) {
  document.documentElement.dataset.theme = theme
}

const shown = (): Theme => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light')

/** Daylight or cellar; until somebody chooses, the device's own choice is followed. */
export function ThemeSwitch() {
  useEffect(() => {
    const night = window.matchMedia('(prefers-color-scheme: dark)')
    const follow = () => {
      if (!deviceStorage.getItem(storageKey)) show(night.matches ? 'dark' : 'light')
    }
    // The evening may have come while the scripts were on their way.
    follow()
    night.addEventListener('change', follow)
    return () => night.removeEventListener('change', follow)
  }, [])
  const swap = () => {
    const next = shown() === 'dark' ? 'light' : 'dark'
    show(next)
    deviceStorage.setItem(storageKey, next)
  }
  return (
    <button
      className="iconbtn swap"
      type="button"
      onClick={swap}
      aria-label="Switch between daylight and cellar colours"
    >
      <Icon name="torch" className="i--day" />
      <Icon name="sun" className="i--night" />
    </button>
  )
}
