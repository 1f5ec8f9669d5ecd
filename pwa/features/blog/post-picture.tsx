type Props = { address: string | null; isFirst?: boolean }

/** A post's picture; it says nothing that the title beside it does not. */
export const PostPicture = ({ address, isFirst }: Props) =>
  address && (
    <img
      className="picture"
      src={address}
      alt=""
      width={1200}
      height={675}
      decoding="async"
      loading={isFirst ? undefined : 'lazy'}
      fetchPriority={isFirst ? 'high' : undefined}
    />
  )
