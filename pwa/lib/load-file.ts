import { isLeaving, whileHere } from './leaving.ts'
import { hasUnsavedForm } from './reload.ts'
import { RequestError } from './request-error.ts'
import { tabStorage } from './storage.ts'

/**
 * Loads a part of the app: every `import()` goes through here. A navigation stops loading: then it waits, and loads again if the
 * page stays. Where the server no longer has this page's version, or it fails again though the server has it, it reloads the page, once,
 * and never over an unsaved form: Firefox remembers a file that didn't come for as long as the page is there.
 */
export async function loadFile<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await whileHere(load)
  } catch {
    const status = await whileHere(askForOurFile).catch(() => 0)
    if (status === 200) return await whileHere(load).catch(reloadIfOurs)
    if (status !== 404) throw missing('offline')
    if (mayReload()) return reload()
    throw missing('unreadable')
  }
}

const notLoaded = 'Not loaded'
const missing = (code: 'offline' | 'unreadable') => new RequestError({ status: 0, code, message: notLoaded })

/** Whether it's of a file that didn't come. React and some browsers remember that for as long as the page is there. */
export const isOfFile = (error: unknown): boolean => error instanceof RequestError && error.message === notLoaded

/** The browsers' words for a module that didn't come, and Vite's for a style. Other errors are the module's own. */
function reloadIfOurs(error: unknown): Promise<never> {
  if (!/module|preload CSS/.test(String(error))) throw error
  if (!mayReload()) throw missing('unreadable')
  return reload()
}

const askTimeoutMs = 8_000

/**
 * What the server says of the file that this is built into. Its name is a hash of all that it loads, so it's there exactly as long
 * as the rest of its version; not every browser names the file that failed. Fails without signal.
 */
async function askForOurFile(): Promise<number> {
  const signal = AbortSignal.timeout(askTimeoutMs)
  return (await fetch(import.meta.url, { method: 'HEAD', cache: 'no-store', signal })).status
}

/** Whether the server itself answers: one that's starting, or only the proxy before it, answers with a fault. */
export const isServerThere = (): Promise<boolean> =>
  askForOurFile().then(
    (status) => status < 500,
    () => false,
  )

const lastReloadKey = 'reloaded-at'
const minReloadIntervalMs = 60_000

const mayReload = () =>
  !isLeaving() && !hasUnsavedForm() && Date.now() - Number(tabStorage.getItem(lastReloadKey)) > minReloadIntervalMs

/** Never settles, so that nothing shows a failure while the page goes. */
function reload(): Promise<never> {
  tabStorage.setItem(lastReloadKey, String(Date.now()))
  window.location.reload()
  return new Promise(() => {})
}
