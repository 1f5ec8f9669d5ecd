import { Bone } from '#pwa/ui/bone.tsx'

/** Two categories, as ruled blanks. */
export const DashboardBones = () => (
  <div className="members__bones" role="status" aria-label="Loading the videos">
    {[0, 1].map((place) => (
      <div className="sheet members__bone" key={place}>
        <Bone size="title" isShort />
        <Bone />
        <Bone size="block" />
      </div>
    ))}
  </div>
)

/** The whole area, before this device has said whose it is. */
export const AreaBones = () => (
  <div className="members">
    <div className="members__side">
      <div className="mem" aria-hidden="true">
        <Bone size="figure" isShort />
        <Bone isShort />
        <Bone size="figure" />
      </div>
    </div>
    <div className="members__area">
      <DashboardBones />
    </div>
  </div>
)
