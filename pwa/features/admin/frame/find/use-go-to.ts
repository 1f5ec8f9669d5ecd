import { useNavigate } from '@tanstack/react-router'
import { firstTab } from '#pwa/features/admin/frame/places.ts'

export type GoTo = (place: string, search?: Record<string, string | undefined>, hash?: string) => void

export function useGoTo(): GoTo {
  const navigate = useNavigate()
  return (place, search = {}, hash = '') => {
    const at =
      place === firstTab
        ? navigate({ to: '/admin', search })
        : navigate({ to: '/admin/$place', params: { place }, search, hash })
    at.catch(reportError)
  }
}
