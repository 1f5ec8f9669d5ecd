import type { Engine, Launch } from './engine.ts'
import { openPuppet, takeCreateWritable } from './puppet.ts'

export const firefoxProgram = '/usr/bin/firefox-esr'

/** Firefox by WebDriver BiDi. It tells pages nothing of the machine's network, so the protocol does. */
export async function openFirefox(launch: Launch): Promise<Engine> {
  const { isDark, isPrivate, skipsLinks, userAgent, downloads, width, features } = launch
  const engine = await openPuppet(launch, {
    browser: 'firefox',
    executablePath: firefoxProgram,
    extraPrefsFirefox: {
      'layout.css.prefers-color-scheme.content-override': isDark ? 0 : 1,
      'intl.accept_languages': 'en-GB, en',
      'media.autoplay.default': 0,
      'browser.privatebrowsing.autostart': isPrivate,
      'browser.download.dir': downloads,
      'browser.download.folderList': 2,
      // As on phones, they lie over the page.
      ...(width < 768 ? { 'ui.useOverlayScrollbars': 1, 'widget.gtk.overlay-scrollbars.enabled': true } : {}),
      ...(skipsLinks ? { 'accessibility.tabfocus': 3 } : {}),
      ...(features.FileSystem === false ? { 'dom.fs.enabled': false } : {}),
      ...(userAgent ? { 'general.useragent.override': userAgent } : {}),
    },
  })
  if (features.FileSystemWritableStream === false) await takeCreateWritable(engine.page())
  return { ...engine, setSignal: (isThere) => engine.page().setOfflineMode(!isThere) }
}
