import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ToastProvider, useToast } from './toast.tsx'
import type { ToastMessage } from './toast-region.tsx'

function Buttons({ messages }: { messages: ToastMessage[] }) {
  const toast = useToast()
  return messages.map((message, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a test never move
    <button key={index} type="button" onClick={() => toast(message)}>
      {`Show ${index}`}
    </button>
  ))
}

const show = (...messages: ToastMessage[]) =>
  render(
    <ToastProvider>
      <Buttons messages={messages} />
    </ToastProvider>,
  )

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

test('TOAST-01 a new message takes the place of the one that shows', { tags: ['full'] }, async () => {
  show({ title: 'Video Completed' }, { title: 'Profile Updated', description: 'Saved.' })
  press('Show 0')
  await screen.findByText('Video Completed')
  press('Show 1')
  await screen.findByText('Profile Updated')
  expect(document.querySelectorAll('.toast')).toHaveLength(1)
})

test('TOAST-02 a message goes after 5000 ms, or after its own time', async () => {
  show({ title: 'Default' }, { title: 'Welcome', duration: 8000 })
  press('Show 0')
  await screen.findByText('Default')
  vi.useFakeTimers()
  try {
    press('Show 0')
    await pass(4900)
    expect(screen.queryByText('Default')).not.toBeNull()
    await pass(200)
    expect(screen.queryByText('Default')).toBeNull()
    press('Show 1')
    await pass(7900)
    expect(screen.queryByText('Welcome')).not.toBeNull()
    await pass(200)
    expect(screen.queryByText('Welcome')).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

test('TOAST-01 a reload or another page doesn’t bring a message back', async () => {
  show({ title: 'Video Completed' }, { title: 'Said after it' })
  press('Show 0')
  await screen.findByText('Video Completed')
  openPage(window.location.pathname)
  show({ title: 'Video Completed' }, { title: 'Said after it' })
  press('Show 1')
  await screen.findByText('Said after it')
  expect(screen.queryByText('Video Completed')).toBeNull()
  openPage('/next')
  show()
  await act(async () => {})
  expect(document.querySelector('.toast')).toBeNull()
})

test('TOAST-03 a swipe of more than 50 to the right takes it away, a shorter one does not', async () => {
  show({ title: 'Swipe me' })
  press('Show 0')
  await screen.findByText('Swipe me')
  swipe(40)
  expect(screen.queryByText('Swipe me')).not.toBeNull()
  swipe(60)
  await waitFor(() => expect(screen.queryByText('Swipe me')).toBeNull())
})

test('TOAST-04 F8 focuses the notification area', async () => {
  show({ title: 'Here' })
  press('Show 0')
  await screen.findByText('Here')
  fireEvent.keyDown(document, { key: 'F8', code: 'F8' })
  expect(document.activeElement?.className).toContain('toasts')
})

/** What's left of a page once the browser opens another document. */
function openPage(path: string) {
  window.dispatchEvent(new Event('pagehide'))
  window.history.pushState(null, '', path)
  document.body.replaceChildren()
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

function swipe(pixels: number) {
  const toast = document.querySelector('.toast')
  if (!(toast instanceof HTMLElement)) throw new Error('Nothing to swipe')
  toast.setPointerCapture = () => {}
  toast.releasePointerCapture = () => {}
  toast.hasPointerCapture = () => true
  const at = (clientX: number) => ({ pointerId: 1, pointerType: 'touch', button: 0, clientX, clientY: 5 })
  fireEvent.pointerDown(toast, at(0))
  fireEvent.pointerMove(toast, at(20))
  fireEvent.pointerMove(toast, at(pixels))
  fireEvent.pointerUp(toast, at(pixels))
}
