import { Banner } from '#pwa/ui/banner.tsx'

const names: Record<string, string> = {
  caches: 'pages and invoices',
  films: 'kept videos',
  forms: 'forms',
}

/** What a logout couldn't delete from this phone, by the names in `unwiped`. It goes once it's deleted. */
export default function UnwipedNotice({ left }: { left: string }) {
  const parts = [...new Set(left.split(' ').map((name) => names[name] ?? 'videos list and details'))]
  return (
    <Banner tone="bad" role="status" title="Logging out didn’t clear everything">
      {`Still on this phone: your ${new Intl.ListFormat('en-GB').format(parts)}. `}
      Close our other tabs and we’ll try again next time you open us. Or clear your browser’s data for this site.
    </Banner>
  )
}
