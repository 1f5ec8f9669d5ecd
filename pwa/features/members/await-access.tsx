import { useEffect, useState } from 'react'
import { Banner } from '#pwa/ui/banner.tsx'

const firstMs = 2000
const everyMs = 1000
const mostTries = 30

/** A payment went through and its access has not come yet: asks again and again, and says so. */
export function AwaitAccess({ check }: { check: () => void }) {
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (tries >= mostTries) return
    const ask = () => {
      check()
      setTries(tries + 1)
    }
    const timer = setTimeout(ask, tries === 0 ? firstMs : everyMs)
    return () => clearTimeout(timer)
  }, [tries, check])
  return tries < mostTries ? (
    <Banner role="status" title="Your payment is being confirmed">
      It takes a few seconds. This page opens by itself.
    </Banner>
  ) : (
    <Banner role="status" title="The confirmation is taking longer">
      You will have an e-mail as soon as it is there. Nothing more is needed from you.
    </Banner>
  )
}
