#!/bin/sh
# Node in a network of its own, whose signal can be lost and come back. The runner starts its workers with it. Who asks it for a
# name is refused at once: waiting for an answer took each Firefox four seconds more to close.
inside='
  ip link set lo up
  ip link add signal type dummy 2>/dev/null || ip link add signal type bridge
  ip address add 192.0.2.2/24 dev signal
  ip link set signal up
  ip route add default dev signal && export OWN_NETWORK=1
  names=$(mktemp) && echo nameserver 127.0.0.1 > "$names" && mount --bind "$names" /etc/resolv.conf
  rm "$names"
  exec "$0" "$@"'
for option in -nm -rnm; do
  unshare "$option" true 2>/dev/null && exec unshare "$option" sh -c "$inside" "$NODE" "$@"
done
exec "$NODE" "$@"
