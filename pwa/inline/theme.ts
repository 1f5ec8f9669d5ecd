/** Runs in the document's head before the first paint: light or dark, as the visitor chose or as the device is set. */
function chosenTheme(): string | null {
  try {
    return localStorage.getItem('theme')
  } catch {
    return null
  }
}

const isDark = matchMedia('(prefers-color-scheme: dark)').matches
document.documentElement.dataset.theme = chosenTheme() ?? (isDark ? 'dark' : 'light')

export {}
