import { Navigate, useSearch } from '@tanstack/react-router'
import { addressGroups } from './addresses.tsx'
import { SiteSettings } from './site-settings.tsx'
import '#pwa/features/admin/list/list.css'
import './settings.css'

export default function BusinessSection() {
  const { group }: Record<string, unknown> = useSearch({ strict: false })
  // Links of before name the group, and this was the one tab for all of them.
  if (addressGroups.some((one) => one === group))
    return <Navigate to="/admin/$place" params={{ place: 'addresses' }} search={{ group }} replace />
  return (
    <SiteSettings
      title="Business"
      groups={['seller', 'consumers', 'partner']}
      note="The law wants most of these on your legal pages and invoices."
    />
  )
}
