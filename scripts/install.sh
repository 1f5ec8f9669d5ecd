#!/bin/sh
# Installs a release on Debian or Ubuntu: its user, folders, settings, service, https and cron. It asks before each step and does
# nothing twice, so run it again if it was cut off.
#
#   sudo sh install.sh alliance-0.1.0-…-linux-x64.tar.gz [--signers FILE] [--proxy caddy|nginx|none] [--yes]
set -eu
# The site's user reads what root unpacks, whatever root's own mask.
umask 022
archive='' signers='' proxy=caddy yes=0
while [ $# -gt 0 ]; do
  case $1 in
    --signers) signers=$2 && shift ;;
    --proxy) proxy=$2 && shift ;;
    --yes) yes=1 ;;
    -h | --help) sed -n '2,/^set -eu/s/^# \{0,1\}//p' "$0" && exit 0 ;;
    -*) echo "There’s no option $1." >&2 && exit 2 ;;
    *) archive=$1 ;;
  esac
  shift
done
# For trials in another folder.
prefix=${ALLIANCE_PREFIX:-}
root=$prefix/opt/alliance home=$prefix/var/lib/alliance

fail() { echo "$1" >&2 && exit 1; }
has() { command -v "$1" > /dev/null 2>&1; }
runs_systemd() { has systemctl && [ -d "$prefix/run/systemd/system" ]; }
is_started() { runs_systemd && systemctl is-active --quiet alliance; }

# True if the step is wanted. Without a terminal nothing is done that wasn't agreed to by --yes.
ask() {
  [ "$yes" = 0 ] || { echo "$1"; return 0; }
  [ -t 0 ] || fail "It asks before each step. Without a terminal, agree to all of them with --yes."
  printf '%s [Y/n] ' "$1" && read -r answer
  case $answer in '' | [Yy]*) return 0 ;; *) return 1 ;; esac
}

[ "$(id -u)" = 0 ] || fail "Run it with sudo."
[ -f /etc/debian_version ] || fail "This is for Debian and Ubuntu. docs/hosting.md says what it does, step by step."
[ -f "$archive" ] || fail "Name the release: sh install.sh alliance-….tar.gz"
case $proxy in caddy | nginx | none) ;; *) fail "--proxy is caddy, nginx or none." ;; esac

make_user() {
  id alliance > /dev/null 2>&1 && return
  ask "Add the user “alliance”, who runs the site and can’t log in?" || return 0
  useradd --system --user-group --home-dir "$home" --no-create-home --shell /usr/sbin/nologin alliance
}

make_folders() {
  mkdir -p "$root/releases"
  [ -d "$home/data" ] || install -d -o alliance -g alliance -m 700 "$home" "$home/data"
  [ -e "$root/site" ] || ln -s "$home" "$root/site"
}

# Of the copy, never of a file that somebody else could change once it's checked.
check_signature() {
  [ -n "$signers" ] || { ask "Install it without checking who signed it? (--signers FILE checks.)" || exit 1; return 0; }
  has ssh-keygen || fail "Install openssh-client first: it checks the signature."
  cp "$archive.sig" "$1.sig" || fail "Copy the archive and its .sig into one folder."
  ssh-keygen -Y verify -f "$signers" -I alliance -n alliance-release -s "$1.sig" < "$1" > /dev/null ||
    fail "$archive isn’t signed by $signers."
}

# The name becomes a folder. `alliance update` has the same rule.
release_name() {
  name=$(sed -n 's/.*"name": *"\([^"]*\)".*/\1/p' "$1/release.json")
  case $name in
    '' | *[!0-9A-Za-z.-]* | [!0-9A-Za-z]* | *..*) fail "This release is called “$name”, which can’t be a folder’s name." ;;
  esac
  echo "$name"
}

# Later releases come by `alliance update`, which checks, backs up and goes back if it has to.
unpack_release() {
  [ ! -e "$root/current" ] || { echo "A release is installed already. Update it: sudo alliance update FILE"; return 0; }
  # Only root can look into it.
  incoming=$(mktemp -d "$root/releases/.incoming-XXXXXX")
  trap 'rm -rf "$incoming"' EXIT
  cp "$archive" "$incoming/archive.tar.gz"
  check_signature "$incoming/archive.tar.gz"
  ask "Unpack $archive to $root?" || exit 1
  release=$incoming/release
  mkdir "$release"
  # As root, tar would keep the modes in the archive, also those by which a program runs as its owner.
  tar -xzf "$incoming/archive.tar.gz" -C "$release" --strip-components=1 --no-same-owner --no-same-permissions
  name=$(release_name "$release") || exit 1
  "$release/bin/bun" --version > /dev/null || fail "This release is for another kind of machine."
  # Left by a run that was cut off.
  rm -rf "${root:?}/releases/$name"
  mv "$release" "$root/releases/$name"
  ln -s "releases/$name" "$root/current"
}

link_command() {
  mkdir -p "$prefix/usr/local/bin"
  ln -sfn "$root/current/bin/alliance" "$prefix/usr/local/bin/alliance"
}

# The domain is checked later, by `alliance doctor`: the proxy comes after this, and needs its answer. What setup prints are the
# files of the service and the proxy, and what to do next. The next steps do all that.
set_up() {
  [ ! -e "$home/.env" ] || return 0
  ask "Set up the site now (address, owners, Stripe, email)?" || return 0
  "$root/current/bin/alliance" setup --skip domain --quiet > /dev/null || true
}

add_service() {
  unit=$prefix/etc/systemd/system/alliance.service
  [ ! -e "$unit" ] || return 0
  ask "Add the service, so the site starts with the machine?" || return 0
  mkdir -p "$(dirname "$unit")"
  cp "$root/current/deploy/alliance.service" "$unit"
  ! runs_systemd || systemctl daemon-reload
}

# Once: the site's user can write to .env at any time, and what was checked has to be what goes into root's files.
read_settings() { settings=$(cat "$home/.env" 2> /dev/null || true); }

# The host of PUBLIC_URL, once it's set up.
host() {
  printf '%s\n' "$settings" |
    sed -n -e 's/[[:space:]]\{1,\}#.*//' -e 's#^PUBLIC_URL=[^/]*//\([^/"'"'"']*\).*#\1#p' |
    sed -n -e 's/[[:space:]]*$//' -e '$p'
}

check_host() {
  case $(host) in
    *[!0-9A-Za-z.-]* | [.-]*) fail "PUBLIC_URL in $home/.env: “$(host)” isn’t a host name. Use only letters, digits, dots and hyphens." ;;
  esac
}

# The port of the site, 3000 unless .env names another.
port() {
  printf '%s\n' "$settings" | sed -n 's/^PORT=["'"'"']\{0,1\}\([0-9]\{1,\}\).*/\1/p' | tail -n 1 | grep . || echo 3000
}

# As a whole name, and not in a comment.
names_host() {
  sed 's/#.*//' "$1" 2> /dev/null |
    grep -Eiq "(^|[^0-9A-Za-z.-])$(host | sed 's/\./\\./g')([^0-9A-Za-z.-]|$)"
}

add_proxy() {
  [ "$proxy" != none ] && [ -n "$(host)" ] || return 0
  check_host
  if [ "$proxy" = caddy ]; then from=Caddyfile to=$prefix/etc/caddy/alliance.caddy; else from=nginx.conf to=$prefix/etc/nginx/conf.d/alliance.conf; fi
  if names_host "$to"; then
    has_another_port "$to" && ask "Change the port in $to to $(port), as in .env?" || return 0
  elif names_host "$prefix/etc/caddy/Caddyfile"; then
    echo "$(host) is in $prefix/etc/caddy/Caddyfile already, so we left the proxy as it is."
    return 0
  else
    ask "Install $proxy and put $(host) into $to?" || return 0
    has "$proxy" || { apt-get update -q && apt-get install -qy "$proxy"; }
    mkdir -p "$(dirname "$to")"
    sed "s/alliance\.example/$(host)/g" "$root/current/deploy/$from" > "$to"
    if [ "$proxy" = caddy ]; then import_ours; fi
  fi
  sed -i "s/127\.0\.0\.1:[0-9]\{1,\}/127.0.0.1:$(port)/g" "$to"
  # Without its certificate nginx refuses all of its files.
  needs_certificate || ! runs_systemd || systemctl reload-or-restart "$proxy" || echo "$proxy didn’t take it. See: journalctl -u $proxy"
}

has_another_port() { grep -q '127\.0\.0\.1:[0-9]' "$1" && ! grep -Eq "127\.0\.0\.1:$(port)([^0-9]|$)" "$1"; }

# Other sites in the Caddyfile stay as they are.
import_ours() {
  line='import /etc/caddy/alliance.caddy' file=$prefix/etc/caddy/Caddyfile
  grep -qsx "$line" "$file" || printf '\n%s\n' "$line" >> "$file"
}

needs_certificate() { [ "$proxy" = nginx ] && [ -n "$(host)" ] && [ ! -e "$prefix/etc/letsencrypt/live/$(host)/fullchain.pem" ]; }

# With the first machine's settings and no data yet. Two sites with one Stripe key would charge people twice.
waits_for_takeover() { printf '%s\n' "$settings" | grep -q '^LITESTREAM_URL=.' && ! find "$home/data" -name alliance.sqlite | grep -q .; }

# Also when it’s run again: the site may have been set up since.
start_site() {
  [ -e "$home/.env" ] && runs_systemd && ! is_started || return 0
  ! waits_for_takeover || return 0
  ask "Start the site, now and with the machine?" || return 0
  systemctl enable --now alliance
}

add_cron() {
  lines=$prefix/etc/cron.d/alliance
  if [ ! -e "$lines" ]; then
    ask "Add cron lines that tell root when something’s wrong?" || return 0
    mkdir -p "$(dirname "$lines")"
    cp "$root/current/deploy/alliance.cron" "$lines"
    chmod 644 "$lines"
  fi
  has crontab || { ask "Install cron, which runs these lines?" && apt-get update -q && apt-get install -qy cron; } || true
}

how_to_start() {
  if runs_systemd; then echo "sudo systemctl enable --now alliance"; else echo "sudo $root/current/bin/alliance-server (there’s no systemd here)"; fi
}

say_whats_next() {
  has crontab || [ ! -e "$prefix/etc/cron.d/alliance" ] || echo "No cron here, so its lines don’t run: sudo apt install cron"
  if needs_certificate; then
    echo "nginx needs a certificate first:"
    echo "  sudo apt install certbot"
    echo "  sudo certbot certonly --standalone -d $(host) --pre-hook 'systemctl stop nginx' --post-hook 'systemctl start nginx'"
  fi
  if waits_for_takeover; then
    echo "The site isn’t started: its settings name copies, and there’s no data here yet."
    echo "To take over from another machine: sudo alliance takeover. If it’s the first: sudo systemctl enable --now alliance"
  elif [ -e "$home/.env" ]; then
    is_started || echo "The site isn’t started. Start it: $(how_to_start)"
    echo "Done. See what’s missing: sudo alliance doctor"
  else
    echo "Not set up yet. Run: sudo alliance setup --skip domain. Then run this again."
  fi
}

make_user
make_folders
unpack_release
link_command
set_up
read_settings
add_service
add_proxy
start_site
add_cron
say_whats_next
