/** Goes into the document's head and runs before the first paint: daylight or cellar, as chosen or as the device has it. */
const chosenTheme = () => {
  try {
    return localStorage.getItem('theme')
  } catch {
    return null
  }
}

const isNight = matchMedia('(prefers-color-scheme: dark)').matches
document.documentElement.dataset.theme = chosenTheme() ?? (isNight ? 'dark' : 'light')

export {}
