import { expect, test } from 'vitest'
import { DraftError } from '#pwa/sync/questions/draft-error.ts'
import { failureText, notAddedText } from './photo-texts.ts'

test('a photo that isn’t added says what really failed, and that there’s no room only where there’s none', () => {
  expect(notAddedText(new DraftError('full'), 'a.jpg')).toBe(
    'a.jpg: there’s no room left on this phone. Free up some space, then add it again.',
  )
  expect(notAddedText(new DraftError('too-many'), 'a.jpg')).toBe(
    'a.jpg: you’ve got 3 photos already. Remove one first.',
  )
  for (const error of [new DraftError('too-large'), new DraftError('insecure'), new Error('Logged out.')])
    expect(notAddedText(error, 'a.jpg')).toMatch(/^a\.jpg: (?!.*no room)/)
  expect(failureText('heic', 'a.heic')).toContain('Settings, Camera, Formats and choose Most Compatible')
})
