import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ShownProgress } from '#pwa/sync/progress/status.ts'
import type { MemberVideo } from '#shared/contract/video.ts'
import { VideoCategorySection } from './video-category.tsx'

const video = (id: string, duration: number | null): MemberVideo => ({
  id,
  slug: id,
  title: `Video ${id}`,
  description: null,
  videoType: 'wistia',
  videoId: 'abc',
  embedUrl: null,
  category: 'Money',
  orderIndex: 0,
  isPublished: true,
  tierAccess: ['lite'],
  duration,
  createdAt: '',
  updatedAt: '',
})

const sent = (completed: boolean): ShownProgress => ({ completed, completedAt: null, tick: { kind: 'sent' } })
const acts = {
  newIds: new Set<string>(),
  refused: [],
  kept: new Map(),
  hasSignal: true,
  onWatch: () => {},
  onOpen: () => {},
  onTick: () => {},
  onRetry: () => {},
}

const counted = (id: string, draws: Map<string, number>): MemberVideo =>
  Object.defineProperty(video(id, 5), 'description', {
    get: () => {
      draws.set(id, (draws.get(id) ?? 0) + 1)
      return null
    },
  })

test('MEMB-19 a tick draws its own row again and no other', () => {
  const draws = new Map<string, number>()
  const videos = ['a', 'b', 'c'].map((id) => counted(id, draws))
  const category = { name: 'Money', isListed: true, videos, minutes: 15 }
  const before = new Map([['a', sent(true)]])
  const { rerender } = render(<VideoCategorySection category={category} context={{ ...acts, progress: before }} />)
  const drawnOnce = new Map(draws)
  const after = new Map([
    ['a', sent(true)],
    ['b', sent(true)],
  ])
  rerender(<VideoCategorySection category={category} context={{ ...acts, progress: after }} />)
  expect([...draws].filter(([id, count]) => count > (drawnOnce.get(id) ?? 0)).map(([id]) => id)).toEqual(['b'])
  expect(screen.getAllByText('Completed')).toHaveLength(2)
})

test('VID-9 a length is in seconds under a minute, in minutes otherwise, and 5 minutes where nobody entered one', () => {
  const videos = [video('a', 0.5), video('b', 12), video('c', null)]
  const category = { name: 'Money', isListed: true, videos, minutes: 18 }
  render(<VideoCategorySection category={category} context={{ ...acts, progress: new Map() }} />)
  const lengths = screen.getAllByText(/^\d+ (sec|min)$/).map(({ textContent }) => textContent)
  expect(lengths).toEqual(['30 sec', '12 min', '5 min'])
})

test('MEMB-15 a category that is not one of the nine is in capitals and grey', () => {
  const category = { name: 'Guest evenings', isListed: false, videos: [video('a', 5)], minutes: 5 }
  render(<VideoCategorySection category={category} context={{ ...acts, progress: new Map() }} />)
  const heading = screen.getByRole('heading', { name: 'GUEST EVENINGS' })
  expect(heading.closest('.cat--other')).not.toBeNull()
})
