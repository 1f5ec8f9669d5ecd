import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteDepartures } from './leaving.ts'
import { isServerThere, loadFile } from './load-file.ts'

const reload = vi.fn()
const failing = () => Promise.reject(new TypeError('Importing a module script failed.'))
let status: number

noteDepartures()

beforeEach(() => {
  vi.useFakeTimers()
  sessionStorage.clear()
  reload.mockClear()
  document.body.innerHTML = ''
  status = 200
  vi.stubGlobal('location', { ...location, reload })
  vi.stubGlobal('fetch', async () => new Response(null, { status }))
})
afterEach(() => {
  // Ends any departure that a test began, for the files after this one too: their clock isn't where this one's has got to.
  window.dispatchEvent(new Event('pageshow'))
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Fails so many times, then loads. */
function loads(failures: number) {
  const load = vi.fn(async () => (load.mock.calls.length > failures ? 'the module' : failing()))
  return load
}

test('a version that the server no longer has reloads the page, once', async () => {
  status = 404
  const settled = vi.fn()
  loadFile(failing).finally(settled)
  await vi.advanceTimersByTimeAsync(100)
  expect([reload.mock.calls.length, settled.mock.calls.length]).toEqual([1, 0])
  await expect(loadFile(failing)).rejects.toMatchObject({ code: 'unreadable' })
  expect(reload).toHaveBeenCalledTimes(1)
})

test('an unsaved form is never reloaded over', async () => {
  status = 404
  document.body.innerHTML = '<form data-touched></form>'
  await expect(loadFile(failing)).rejects.toMatchObject({ code: 'unreadable' })
  expect(reload).not.toHaveBeenCalled()
})

test('a file that is still there is loaded again; without signal or a server it says so; nothing reloads', async () => {
  await expect(loadFile(loads(1))).resolves.toBe('the module')
  status = 503
  await expect(loadFile(failing)).rejects.toMatchObject({ code: 'offline' })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Load failed')))
  await expect(loadFile(failing)).rejects.toMatchObject({ code: 'offline' })
  expect(reload).not.toHaveBeenCalled()
})

test('a file that fails again though the server has it reloads the page, once and never over an unsaved form', async () => {
  document.body.innerHTML = '<form data-touched></form>'
  await expect(loadFile(failing)).rejects.toMatchObject({ code: 'unreadable' })
  document.body.innerHTML = ''
  const settled = vi.fn()
  loadFile(failing).finally(settled)
  await vi.advanceTimersByTimeAsync(100)
  expect([reload.mock.calls.length, settled.mock.calls.length]).toEqual([1, 0])
  await expect(loadFile(failing)).rejects.toMatchObject({ code: 'unreadable' })
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a server that answers is back, with an old version too; a fault from it, or from what stands before it, isn’t', async () => {
  const isThere = async (answer: number) => {
    status = answer
    return await isServerThere()
  }
  expect([await isThere(200), await isThere(404)]).toEqual([true, true])
  expect([await isThere(500), await isThere(502), await isThere(503)]).toEqual([false, false, false])
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Load failed')))
  expect(await isServerThere()).toBe(false)
})

test('a fault in a module is told as it is', async () => {
  const broken = () => Promise.reject(new TypeError('undefined is not a function'))
  await expect(loadFile(broken)).rejects.toThrow('undefined is not a function')
})

const departures = {
  'a navigation by script': () => window.dispatchEvent(new Event('beforeunload')),
  'a page that goes': () => window.dispatchEvent(new Event('pagehide')),
  'a press on a link, on an iPhone': () => {
    document.body.innerHTML = '<a href="/sandbox/mail">Mail</a>'
    // Nothing here can navigate.
    window.addEventListener('click', (press) => press.preventDefault(), { once: true })
    document.querySelector('a')?.click()
  },
}
for (const [name, leave] of Object.entries(departures))
  test(`${name} stops what loads: nothing fails or reloads, even where the file is gone, and a page that stays loads it`, async () => {
    status = 404
    const load = vi.fn(() => {
      if (load.mock.calls.length > 1) return Promise.resolve('the module')
      leave()
      return failing()
    })
    const loaded = vi.fn()
    loadFile(load).then(loaded, loaded)
    await vi.advanceTimersByTimeAsync(9_000)
    expect([loaded.mock.calls.length, reload.mock.calls.length]).toEqual([0, 0])
    status = 200
    await vi.advanceTimersByTimeAsync(2_000)
    expect(loaded.mock.calls).toEqual([['the module']])
    expect(reload).not.toHaveBeenCalled()
  })
