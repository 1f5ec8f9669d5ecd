import { SiteSettings } from './site-settings.tsx'
import '#pwa/features/admin/list/list.css'
import './settings.css'

export const addressGroups = ['calls', 'community', 'podcast', 'films', 'sales', 'measuring'] as const

export default function AddressesSection() {
  return (
    <SiteSettings
      title="Addresses"
      groups={addressGroups}
      note="Web addresses: where the site’s buttons and players go. Without one, calls are booked in your own calendar here, and other buttons are left off. Your own address is under Business."
    />
  )
}
