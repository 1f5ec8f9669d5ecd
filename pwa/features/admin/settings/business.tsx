import { Navigate, useSearch } from '@tanstack/react-router'
import { addressGroups } from './addresses.tsx'
import { SiteSettings } from './site-settings.tsx'
import '#pwa/features/admin/kit/list/list.css'
import './settings.css'

export default function BusinessSection() {
  const { group }: Record<string, unknown> = useSearch({ strict: false })
  // Old links name the group, from when one tab had all the settings.
  if (addressGroups.some((one) => one === group))
    return <Navigate to="/admin/$place" params={{ place: 'addresses' }} search={{ group }} replace />
  return (
    <SiteSettings
      title="Business"
      groups={['seller', 'consumers', 'emails', 'partner']}
      note="By law, most of these go on your legal pages and invoices."
    />
  )
}
