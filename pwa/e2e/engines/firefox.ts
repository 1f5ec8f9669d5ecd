import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer from 'puppeteer-core'
import { type Engine, type Launch, surroundings } from './engine.ts'
import { openPuppet, takeCreateWritable } from './puppet.ts'
import { openLoudspeakers } from './sound.ts'

export const firefoxProgram = '/usr/bin/firefox-esr'

/** Firefox by WebDriver BiDi. It tells pages nothing of the machine's network, so the protocol does. */
export async function openFirefox(launch: Launch): Promise<Engine> {
  const { isDark, isPrivate, hearsRequests, hasMicrophone, userAgent, downloads, width, features } = launch
  if (readdirSync(launch.profile).length === 0) cpSync(await begunProfile(), launch.profile, { recursive: true })
  const engine = await openPuppet(launch, {
    browser: 'firefox',
    networkEnabled: hearsRequests,
    executablePath: firefoxProgram,
    env: { ...surroundings, PULSE_SERVER: await openLoudspeakers() },
    extraPrefsFirefox: {
      'layout.css.prefers-color-scheme.content-override': isDark ? 0 : 1,
      'intl.accept_languages': 'en-GB, en',
      'media.autoplay.default': 0,
      'browser.privatebrowsing.autostart': isPrivate,
      'browser.download.dir': downloads,
      'browser.download.folderList': 2,
      // Sixty frames a second and a process in reserve are most of what a browser costs while a case waits.
      'layout.frame_rate': 20,
      'dom.ipc.processPrelaunch.enabled': false,
      // As on phones, they lie over the page.
      ...(width < 768 ? { 'ui.useOverlayScrollbars': 1, 'widget.gtk.overlay-scrollbars.enabled': true } : {}),
      ...(hasMicrophone ? { 'media.navigator.streams.fake': true, 'media.navigator.permission.disabled': true } : {}),
      ...(features.FileSystem === false ? { 'dom.fs.enabled': false } : {}),
      ...(userAgent ? { 'general.useragent.override': userAgent } : {}),
    },
  })
  if (features.FileSystemWritableStream === false) await takeCreateWritable(engine.page())
  return { ...engine, setSignal: (isThere) => engine.page().setOfflineMode(!isThere) }
}

let begun: Promise<string> | undefined

/** A profile that was opened once: Firefox makes its own files at the first start, which takes it longer than all else. */
async function begunProfile(): Promise<string> {
  begun ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'alliance-firefox-begun-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    const own = { executablePath: firefoxProgram, userDataDir: folder, env: surroundings }
    const browser = await puppeteer.launch({ browser: 'firefox', ...own })
    await browser.close()
    return folder
  })()
  return await begun
}
