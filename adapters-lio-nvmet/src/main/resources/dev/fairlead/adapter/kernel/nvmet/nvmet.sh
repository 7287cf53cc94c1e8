# shellcheck shell=sh disable=SC2154  # what it is given stands before it
# Works on the kernel's NVMe target by its configfs, and on the configuration that is restored when the host starts.
# It runs on the storage host as root, under any shell of POSIX. Before it stand assignments, each a word as it is:
#
#   verb      export, revoke, unexport or expanded
#   root      the folder of nvmet in configfs
#   module    a folder that is there while the kernel's target is loaded
#   debug     the folder of nvmet in debugfs, which older kernels do not have
#   lock      the file by which all writers of this host take turns
#   patience  how many seconds to wait for that turn; a third of it for a device to appear
#   config    the saved configuration; its new content comes by standard input
#   seen      its checksum as the caller knows it, or "absent"; when it has another, nothing is done but to show it
#   wanted    the checksum that it is to have; where that is $seen it stays as it is
#   imported  a file without which nothing is done; empty for none
#   nqn, device, uuid, nguid, serial, ports     what is to be exported, and by which ports
#   closed    yes where nobody is let in but the hosts
#   hosts     the NQNs of those, each a word
#   others    yes where the saved configuration has other subsystems
# and the positional parameters: the subsystem's attributes, each name=value.
#
# It prints lines of a name, a tab and a value. Its exit codes are those of Ending.java.

fail() {
  code=$1
  shift
  printf '%s\n' "$*" >&2
  exit "$code"
}

say() {
  printf '%s\t%s\n' "$1" "$2"
}

# Sets v to the first line of a file, without the blanks that the kernel pads some values with.
value() {
  v=
  [ -r "$1" ] || return 1
  read -r v <"$1" || [ -n "$v" ]
}

# Writes an attribute where it has another value. The kernel takes what is written at once as one value; what it has
# against it is said by a program, since some shells do not say it.
takes() {
  value "$1"
  [ "$v" = "$2" ] && return
  printf '%s' "$2" 2>/dev/null >"$1" || env printf '%s' "$2" >"$1"
}

put() {
  takes "$1" "$2" || fail 75 "$1 does not take '$2'"
}

# Sets c to the checksum of a file.
sum() {
  c=absent
  [ ! -e "$1" ] || c=$(sha256sum <"$1") || fail 76 "$1 cannot be read"
  c=${c%% *}
}

# What is on its way is read to its end before others have to wait for it.
payload=$(cat && echo .) || fail 76 "the new configuration was cut on its way"
payload=${payload%.}

for program in flock sha256sum; do
  command -v "$program" >/dev/null 2>&1 || fail 65 "$program"
done
{ true >>"$lock"; } 2>/dev/null || fail 66 "$lock"
exec 9>>"$lock"
flock -w "$patience" 9 || fail 67 "$lock"

# Nothing is done before the saved configuration has been restored after a start of the host.
imported() {
  [ -z "$imported" ] || [ -e "$imported" ] || fail 68 "$imported"
}

restored() {
  [ "$others" = yes ] || return 0
  for o in "$root"/subsystems/*/; do
    [ ! -d "$o" ] || return 0
  done
  fail 71 "$file"
}

file=$(readlink -f "$config" 2>/dev/null) || file=
[ -n "$file" ] || file=$config

# Shows the saved configuration to a caller who knows another, without keeping others waiting while it travels.
current() {
  sum "$file"
  [ "$c" = "$seen" ] && return
  content=
  [ "$c" = absent ] || content=$(cat "$file" && echo .) || fail 76 "$file cannot be read"
  exec 9>&-
  say stale "$c"
  printf '%s' "${content%.}"
  exit 0
}

# Replaces the saved configuration as a whole or not at all, also when the power fails.
save() {
  [ "$wanted" = "$seen" ] && return
  case $file in */*) folder=${file%/*} ;; *) folder=. ;; esac
  mkdir -p "$folder/" || fail 76 "$folder cannot be made"
  new=$file.fairlead
  rm -f "$new"
  umask 077
  if [ -e "$file" ]; then
    cp -p "$file" "$new" || fail 76 "$new cannot be made"
  fi
  { printf '%s' "$payload" >"$new"; } || fail 76 "$new cannot be written"
  sum "$new"
  if [ "$c" != "$wanted" ]; then
    rm -f "$new"
    fail 76 "$new is not what was sent"
  fi
  sync "$new" 2>/dev/null || sync
  mv -f "$new" "$file" || fail 76 "$file cannot be replaced"
  sync "$folder" 2>/dev/null || sync
  sum "$file"
}

# Sets mine where the subsystem shows the device, foreign where it shows another, or passes a whole controller through.
judge() {
  mine=no
  foreign=no
  for p in "$1"/namespaces/*/device_path; do
    [ -e "$p" ] || continue
    value "$p"
    case $v in
      "$device") mine=yes ;;
      '' | '(null)') ;;
      *) foreign=$v ;;
    esac
  done
  if [ -e "$1/passthru/device_path" ]; then
    value "$1/passthru/device_path"
    case $v in
      '' | '(null)') ;;
      *) foreign=$v ;;
    esac
  fi
}

present() {
  [ -d "$root/subsystems" ] || modprobe nvmet >/dev/null 2>&1
  [ -d "$root/subsystems" ] || fail 69 "$root"
  for port in $ports; do
    [ -d "$root/ports/$port" ] || fail 70 "$port"
  done
  judge "$s"
  [ "$foreign" = no ] || fail 72 "$nqn, which shows $foreign"
  restored
  turn=0
  until [ -e "$device" ]; do
    turn=$((turn + 1))
    [ "$turn" -le $((patience * 3)) ] || fail 73 "$device"
    sleep 0.1 2>/dev/null || sleep 1
  done
}

# What a host knows the disk by is given to it before it is shown, and not changed while it is. An attribute that is not taken
# keeps a new subsystem from being shown; one that is shown has had what it was to have, and is left as it is.
make() {
  [ -d "$s" ] || mkdir "$s" || fail 75 "$s cannot be made"
  v=0
  [ ! -d "$n" ] || value "$n/enable"
  shown=$v
  if [ "$shown" != 1 ]; then
    [ -d "$n" ] || mkdir "$n" || fail 75 "$n cannot be made"
    put "$n/device_path" "$device"
    put "$n/device_uuid" "$uuid"
    put "$n/device_nguid" "$nguid"
    [ ! -e "$s/attr_serial" ] || put "$s/attr_serial" "$serial"
  fi
  [ "$closed" = no ] || admit
  for pair in "$@"; do
    if [ "$shown" = 1 ] && [ "${pair%%=*}" != allow_any_host ]; then
      { [ -e "$s/attr_${pair%%=*}" ] && takes "$s/attr_${pair%%=*}" "${pair#*=}"; } || untaken="$untaken ${pair%%=*}"
      continue
    fi
    [ -e "$s/attr_${pair%%=*}" ] || fail 74 "${pair%%=*}"
    put "$s/attr_${pair%%=*}" "${pair#*=}"
  done
  [ "$shown" = 1 ] || put "$n/enable" 1
  if [ "$closed" = yes ] && [ -z "$hosts" ]; then
    withdraw "$nqn"
    return
  fi
  for port in $ports; do
    l=$root/ports/$port/subsystems/$nqn
    [ -L "$l" ] || ln -s "$s" "$l" || fail 75 "port $port cannot be opened for $nqn"
  done
  [ "$closed" = no ] || disconnect
}
untaken=
unread=no

# Lets in the hosts of a closed subsystem and no others; nobody anew where the saved configuration cannot be read, since then
# nothing tells a script that comes late. By configfs alone a host that is connected stays so until it goes;
# only where no host is left is the subsystem taken from its ports, which ends every connection.
admit() {
  put "$s/attr_allow_any_host" 0
  for l in "$s"/allowed_hosts/*; do
    [ -L "$l" ] || continue
    case " $hosts " in
      *" ${l##*/} "*) ;;
      *) rm -f "$l" || fail 75 "$l cannot be removed" ;;
    esac
  done
  [ "$unread" = no ] || return 0
  for h in $hosts; do
    [ -d "$root/hosts/$h" ] || mkdir "$root/hosts/$h" || fail 75 "$root/hosts/$h cannot be made"
    l=$s/allowed_hosts/$h
    [ -L "$l" ] || ln -s "$root/hosts/$h" "$l" || fail 75 "$l cannot be made"
  done
}

# Ends the connections of hosts that are not let in, and nobody else's, where the kernel can: Linux 6.11 and later, built
# with NVME_TARGET_DEBUGFS. The kernel takes its time for that.
disconnect() {
  turn=0
  until [ "$turn" -gt $((patience * 3)) ]; do
    connected=
    for k in "$debug/$nqn"/ctrl*/; do
      { [ -e "${k}state" ] && value "${k}hostnqn"; } || continue
      case " $hosts " in
        *" $v "*) continue ;;
      esac
      connected=$v
      [ "$turn" != 0 ] || { printf fatal >"${k}state"; } 2>/dev/null
    done
    [ -n "$connected" ] || return 0
    turn=$((turn + 1))
    sleep 0.1 2>/dev/null || sleep 1
  done
  fail 75 "$connected is shut out of $nqn and stays connected"
}

# Lets in the hosts and no others wherever the device is shown, and does nothing else: whatever the ports and attributes are
# by now, and whether the device is there. What stands in the way at one subsystem does not keep others open.
revoke() {
  found=no
  strange=
  early=no
  (imported) 2>/dev/null || early=yes
  set --
  for o in "$root"/subsystems/*/; do
    [ -d "$o" ] || continue
    s=${o%/}
    judge "$s"
    [ "$mine" = yes ] || [ "${s##*/}" = "$nqn" ] || continue
    found=yes
    if [ "$foreign" != no ]; then
      strange="${s##*/}, which shows $foreign"
      continue
    fi
    admit
    [ -n "$hosts" ] || withdraw "${s##*/}"
    set -- "$@" "${s##*/}"
  done
  [ -z "$strange" ] || fail 72 "$strange"
  if [ "$found" = no ]; then
    imported
    restored
  fi
  # What cannot be saved, on a full disk for example, keeps nobody connected.
  unsaved=0
  if [ "$unread" = yes ]; then
    unsaved=76
    printf '%s\n' "$file cannot be read; the hosts are shut out until the storage host starts anew" >&2
  else
    (save) || unsaved=$?
  fi
  for nqn in "$@"; do
    [ -z "$hosts" ] || disconnect
    lefts
  done
  [ "$unsaved" = 0 ] || exit "$unsaved"
  [ "$wanted" = "$seen" ] || sum "$file"
  # What is restored meanwhile may have been read before, and bring a host back: it is looked at again afterwards.
  [ "$early" = no ] || fail 68 "$imported"
}

# Tells who is let in by a subsystem and is not to be.
lefts() {
  for l in "$root/subsystems/$nqn"/allowed_hosts/*; do
    [ -L "$l" ] || continue
    case " $hosts " in
      *" ${l##*/} "*) ;;
      *) say left "${l##*/}" ;;
    esac
  done
  value "$root/subsystems/$nqn/attr_allow_any_host"
  [ "$v" != 1 ] || say left "any host"
  [ -z "$hosts" ] || return 0
  for l in "$root"/ports/*/subsystems/"$nqn"; do
    [ ! -L "$l" ] || say left "$l"
  done
}

withdraw() {
  for l in "$root"/ports/*/subsystems/"$1"; do
    [ ! -L "$l" ] || rm -f "$l" || fail 75 "$l cannot be removed"
  done
}

identity() {
  value "$n/device_uuid"
  [ "$v" = "$uuid" ] || return
  value "$n/device_nguid"
  [ "$v" = "$nguid" ] || return
  [ ! -e "$s/attr_serial" ] || { value "$s/attr_serial" && [ "$v" = "$serial" ]; }
}

report() {
  count=0
  for o in "$s"/namespaces/*/; do
    [ ! -d "$o" ] || count=$((count + 1))
  done
  say namespaces "$count"
  for a in enable device_path device_uuid device_nguid; do
    value "$n/$a"
    say "$a" "$v"
  done
  for a in $untaken; do
    say untaken "$a"
  done
  for pair in "$@" serial=; do
    if value "$s/attr_${pair%%=*}"; then
      say "attr_${pair%%=*}" "$v"
    fi
  done
  for l in "$s"/allowed_hosts/*; do
    [ ! -L "$l" ] || say host "${l##*/}"
  done
  for port in $ports; do
    p=$root/ports/$port
    [ ! -L "$p/subsystems/$nqn" ] || say link "$port"
    for a in "$p"/addr_* "$p"/param_* "$p"/ana_groups/*/ana_* "$p"/referrals/*/*; do
      if [ -f "$a" ] && value "$a"; then
        say "port/$port/${a#"$p"/}" "$v"
      fi
    done
  done
}

remove() {
  withdraw "$1"
  for o in "$root/subsystems/$1"/namespaces/*/; do
    [ -d "$o" ] || continue
    put "${o}enable" 0
    rmdir "$o" || fail 75 "$o cannot be removed"
  done
  for o in "$root/subsystems/$1"/allowed_hosts/*; do
    [ ! -L "$o" ] || rm -f "$o" || fail 75 "$o cannot be removed"
  done
  rmdir "$root/subsystems/$1" || fail 75 "$root/subsystems/$1 cannot be removed"
}

# What the kernel shows goes on while its folder is not mounted: nothing can be told of it then.
[ -d "$root" ] || [ ! -d "$module" ] || fail 69 "$root"
s=$root/subsystems/$nqn
n=$s/namespaces/1
case $verb in
  export)
    imported
    current
    present
    make "$@"
    # What is saved is what is so: what has not been taken is not.
    [ -n "$untaken" ] || { identity && save; }
    report "$@"
    say file "$c"
    ;;
  revoke)
    (sum "$file") >/dev/null 2>&1 || unread=yes
    [ "$unread" = yes ] || current
    revoke
    say file "$c"
    ;;
  unexport)
    imported
    current
    set --
    for o in "$root"/subsystems/*/; do
      [ -d "$o" ] || continue
      name=${o%/}
      name=${name##*/}
      judge "${o%/}"
      if [ "$mine" = yes ]; then
        [ "$foreign" = no ] || fail 72 "$name, which shows $foreign too"
        set -- "$@" "$name"
      elif [ "$name" = "$nqn" ] && [ "$foreign" = no ]; then
        set -- "$@" "$name"
      fi
    done
    save
    for name in "$@"; do
      remove "$name"
    done
    for name in "$@"; do
      [ ! -e "$root/subsystems/$name" ] || say left "$name"
    done
    say file "$c"
    ;;
  expanded)
    imported
    judge "$s"
    if [ "$mine" = yes ]; then
      [ "$foreign" = no ] || fail 72 "$nqn, which shows $foreign too"
      value "$n/enable"
      if [ "$v" = 1 ] && [ -e "$n/revalidate_size" ]; then
        printf 1 >"$n/revalidate_size" || fail 75 "$n/revalidate_size"
      fi
    fi
    say told "$nqn"
    ;;
esac
