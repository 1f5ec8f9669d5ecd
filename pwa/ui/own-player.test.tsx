import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { OwnPlayer } from './own-player.tsx'

afterEach(() => vi.restoreAllMocks())

function beginWith(readyState: number) {
  vi.spyOn(HTMLMediaElement.prototype, 'readyState', 'get').mockReturnValue(readyState)
  render(<OwnPlayer files={['/media/a.mp4']} title="The week on one page" />)
}
const loading = () => screen.queryByText('Loading the video…')

test('a film says that it is loading until it can play', () => {
  beginWith(0)
  expect(loading()).not.toBeNull()
  fireEvent(screen.getByLabelText('The week on one page'), new Event('loadedmetadata'))
  expect(loading()).toBeNull()
})

test('a film that was ready before anybody listened does not say for ever that it is loading', () => {
  beginWith(1)
  expect(loading()).toBeNull()
})
