import { RouterContextProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createQueryClient } from '#pwa/lib/query-client.ts'
import { AppProviders, createAppRouter } from '#pwa/router.tsx'
import { siteContent } from './public-data.ts'

export function renderInApp(part: ReactNode) {
  const queryClient = createQueryClient()
  const router = createAppRouter({ queryClient, content: siteContent })
  render(
    <AppProviders router={router}>
      <RouterContextProvider router={router}>{part}</RouterContextProvider>
    </AppProviders>,
  )
  return { queryClient, router }
}
