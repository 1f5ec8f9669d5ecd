import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#pwa/lib/query-client.ts'
import { useSlowTimers } from '#pwa/testing/slow-timers.ts'
import { ToastProvider } from '#pwa/ui/toast.tsx'
import { ActivationWait } from './activation.tsx'

afterEach(() => {
  vi.useRealTimers()
})

test('PAY-08 ERR-20 without a subscription it says that the payment is being processed, waits 3 seconds and continues', async () => {
  useSlowTimers()
  const onFinished = vi.fn()
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ToastProvider>
        <ActivationWait subscriptionId={null} onFinished={onFinished} />
      </ToastProvider>
    </QueryClientProvider>,
  )
  expect(await screen.findByText('Your payment is being processed.')).toBeTruthy()
  expect(screen.getAllByText('Processing Payment').length).toBeGreaterThan(0)
  // The wait started a moment ago at most: the clock runs on while we look for the text.
  await act(() => vi.advanceTimersByTimeAsync(2_500))
  expect(onFinished).not.toHaveBeenCalled()
  await act(() => vi.advanceTimersByTimeAsync(500))
  expect(onFinished.mock.calls).toEqual([[{ isActive: false }]])
})
