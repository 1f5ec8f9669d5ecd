import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { OwnPlayer } from './own-player.tsx'

afterEach(() => vi.restoreAllMocks())

function beginWith(readyState: number) {
  vi.spyOn(HTMLMediaElement.prototype, 'readyState', 'get').mockReturnValue(readyState)
  render(<OwnPlayer files={['/media/a.mp4']} title="The week on one page" />)
}
const loading = () => screen.queryByText('Loading the video…')

test('a video says that it is loading until it can play', () => {
  beginWith(0)
  expect(loading()).not.toBeNull()
  fireEvent(screen.getByLabelText('The week on one page'), new Event('loadedmetadata'))
  expect(loading()).toBeNull()
})

test('a video without a picture here gives way to the next, and the last one says so', async () => {
  const shown = vi.spyOn(HTMLVideoElement.prototype, 'videoWidth', 'get').mockReturnValue(0)
  const current = vi.spyOn(HTMLMediaElement.prototype, 'currentSrc', 'get')
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue()
  render(<OwnPlayer files={['/api/media/a.mp4', '/api/media/b.mp4']} title="Vans" />)
  const begin = (file: string) => {
    current.mockReturnValue(`http://localhost${file}`)
    fireEvent(screen.getByLabelText('Vans'), new Event('loadedmetadata'))
  }
  const sources = () => Array.from(screen.getByLabelText('Vans').querySelectorAll('source'), ({ src }) => src)
  begin('/api/media/a.mp4')
  expect(sources()).toEqual(['http://localhost:3000/api/media/b.mp4'])
  begin('/api/media/b.mp4')
  expect(screen.getByRole('status').textContent).toMatch(/^We can’t show this video on this device\./)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(sources()).toHaveLength(2)
  shown.mockReturnValue(640)
  begin('/api/media/a.mp4')
  expect(screen.queryByRole('status')).toBeNull()
})

test('sound has no picture to miss', () => {
  vi.spyOn(HTMLVideoElement.prototype, 'videoWidth', 'get').mockReturnValue(0)
  vi.spyOn(HTMLMediaElement.prototype, 'currentSrc', 'get').mockReturnValue('http://localhost/api/media/a.m4a')
  render(<OwnPlayer files={['/api/media/a.m4a']} title="Vans" />)
  fireEvent(screen.getByLabelText('Vans'), new Event('loadedmetadata'))
  expect(screen.queryByRole('status')).toBeNull()
})

test('a video that was ready before anybody listened does not say for ever that it is loading', () => {
  beginWith(1)
  expect(loading()).toBeNull()
})
