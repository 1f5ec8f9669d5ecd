import { Bone } from '#pwa/ui/bone.tsx'

/** Where a form for a card, or for another way to pay, is about to come. */
export const FormBones = () => (
  <div className="pay__form" role="status">
    <span className="vh">Getting the payment form ready</span>
    <Bone size="button" />
    <Bone size="button" />
    <Bone size="button" isShort />
    <Bone size="button" />
  </div>
)
