import { Bone } from '#pwa/ui/bone.tsx'

/** In the shape of what comes. */
export const BlogBones = () => (
  <div className="waiting wrap job" role="status">
    <span className="vh">Loading…</span>
    <Bone size="figure" />
    <Bone isShort />
    <Bone size="block" />
  </div>
)
