import { OwnAddress, SiteSettings } from './site-settings.tsx'
import '#pwa/features/admin/kit/list/list.css'
import './settings.css'

export const addressGroups = ['calls', 'community', 'podcast', 'films', 'sales', 'measuring'] as const

export default function AddressesSection() {
  return (
    <SiteSettings
      title="Addresses"
      groups={addressGroups}
      note="Where the site’s buttons and players go. Leave a kind of call empty to book it in your own calendar here. Leave any other empty and it’s left off the site."
      before={<OwnAddress />}
    />
  )
}
