# shellcheck shell=sh disable=SC2154
# Makes of a plain folder what configfs is: a folder that is made has its attributes, one that is removed takes them
# along, and what is in use stays. With kill_after it also ends the shell after so many changes, as a crash would.
changes=0

changed() {
  changes=$((changes + 1))
  [ "$changes" != "$kill_after" ] || kill -9 $$
}

modprobe() {
  return 1
}

attribute() {
  command printf '%s\n' "$2" >"$1"
}

mkdir() {
  command mkdir "$@" || return
  for made in "$@"; do :; done
  case $made in
    "$root"/subsystems/*/namespaces/*)
      attribute "$made/ana_grpid" 1
      attribute "$made/device_nguid" 00000000-0000-0000-0000-000000000000
      attribute "$made/device_path" '(null)'
      attribute "$made/device_uuid" "$(cat /proc/sys/kernel/random/uuid)"
      attribute "$made/enable" 0
      attribute "$made/revalidate_size" ''
      ;;
    "$root"/subsystems/*)
      command mkdir "$made/namespaces" "$made/allowed_hosts"
      attribute "$made/attr_allow_any_host" 0
      attribute "$made/attr_model" Linux
      attribute "$made/attr_serial" "$(head -c 8 /dev/urandom | od -An -tx1 | tr -d ' \n')    "
      attribute "$made/attr_version" 1.3
      ;;
  esac
  changed
}

rmdir() {
  gone=${1%/}
  case $gone in
    "$root"/subsystems/*/namespaces/*) ;;
    "$root"/subsystems/*)
      for held in "$gone"/namespaces/*/ "$gone"/allowed_hosts/* "$root"/ports/*/subsystems/"${gone##*/}"; do
        if [ -e "$held" ]; then
          echo "rmdir: $gone: Device or resource busy" >&2
          return 1
        fi
      done
      ;;
    *) return 1 ;;
  esac
  rm -r "$gone" || return
}

ln() {
  case $3 in
    */allowed_hosts/*)
      if [ "$(cat "${3%/allowed_hosts/*}/attr_allow_any_host")" = 1 ]; then
        echo "ln: $3: Invalid argument" >&2
        return 1
      fi
      ;;
  esac
  command ln "$@" && changed
}

rm() {
  command rm "$@" && changed
}

mv() {
  command mv "$@" && changed
}

printf() {
  command printf "$@" && changed
}
