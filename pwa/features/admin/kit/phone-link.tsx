import { TextAnchor } from '#pwa/ui/link.tsx'

/** `of` says whose number it is, where nothing around it does. */
export const PhoneLink = ({ phone, of, isTap }: { phone: string; of?: string; isTap?: boolean }) => (
  <TextAnchor
    {...(isTap && { isTap })}
    href={`tel:${phone.replace(/[^\d+]/g, '')}`}
    aria-label={of && `Ring ${of}, ${phone}`}
  >
    {phone}
  </TextAnchor>
)
