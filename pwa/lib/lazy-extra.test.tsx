import { render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, test, vi } from 'vitest'
import { lazyExtra } from './lazy-extra.tsx'

test('an extra part whose file doesn’t come leaves its page, and what’s typed there', async () => {
  const asked = vi.fn(async () => new Response(null, { status: 503 }))
  vi.stubGlobal('fetch', asked)
  const load = async (): Promise<{ default: () => null }> => {
    throw new TypeError('Importing a module script failed.')
  }
  const Extra = lazyExtra(load)
  render(
    <>
      <input aria-label="Name" defaultValue="Rosalind" />
      <Suspense fallback={<p>Loading…</p>}>
        <Extra />
      </Suspense>
    </>,
  )
  await vi.waitFor(() => expect(screen.queryByText('Loading…')).toBeNull())
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Rosalind')
  expect(asked).toHaveBeenCalled()
  vi.unstubAllGlobals()
})
