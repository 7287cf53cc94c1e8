# Variables that stand before these lines: LIO (the kernel's folder of targets), MODULE (a folder that is there while the
# kernel may have any), SAVES (folders where targetcli saves),
# WORK (a folder for targetcli's own things), LIMIT (seconds for one run of it), LOOKS (for a device), TARGETCLI_LOCK,
# BASE (of every name), IQN, ASSET (both may be empty), DEVICE; for an export and a revocation also CLOSED (yes or no) and
# INITIATORS (of a closed target, each as rw=name or ro=name). ENTRIES is the program that reads a saved configuration.
# For an export that is closed and a revocation also RECORD, who was let in by the volume's record when INITIATORS were planned from it, and a
# function `recorded` that prints who is now.
set -u

# What it says goes to the standard error; its code tells the reader what it is.
refuse() {
  code=$1
  shift
  printf '%s\n' "$*" >&2
  exit "$code"
}

# What the kernel exports goes on while its folder is not mounted: nothing can be told of it then.
[ -d "$LIO" ] || [ ! -d "$MODULE" ] || refuse 119 "$LIO is not there, and the kernel's target is loaded;\
 run 'mount -t configfs none /sys/kernel/config'"

is() {
  [ "$(cat "$1" 2>/dev/null)" = "$2" ]
}

# What a LUN leads to: a device, or a storage object that has none (a ramdisk); empty for one that was left half made.
device_of() {
  for entry in "$1"/*; do
    if [ -L "$entry" ]; then
      device=$(cat "$entry/udev_path" 2>/dev/null)
      printf '%s\n' "${device:-$(readlink "$entry")}"
      return
    fi
  done
}

is_linked() {
  for link in "$1"/*; do
    if [ -L "$link" ]; then return 0; fi
  done
  return 1
}

# Whether each LUN of a target leads to our device, or nowhere.
is_ours() {
  for lun in "$LIO/iscsi/$1"/tpgt_*/lun/lun_*; do
    [ -d "$lun" ] || continue
    device=$(device_of "$lun")
    if [ -n "$device" ] && [ "$device" != "$DEVICE" ]; then
      stranger=$device
      return 1
    fi
  done
}

# The backstores on our device, each by its path.
backstores() {
  for entry in $(grep -lFx -e "$DEVICE" "$LIO"/core/iblock_*/*/udev_path 2>/dev/null); do
    printf '%s\n' "${entry%/udev_path}"
  done
}

# What others have in a saved configuration, each a line.
entries() {
  awk -v OWN="$WORK/own" "$ENTRIES" "$1"
}

# The same of what runs. What a fabric calls a target in the kernel is not always what targetcli calls it, and some
# storage objects have no path there: of these it says nothing.
COMPARED='^\(iscsi\|loopback\|vhost\)/\|^core/\(block\|fileio\|ramdisk\|pscsi\)/'
running() {
  (
    cd "$LIO" || exit 1
    for fabric in iscsi loopback vhost; do
      printf '%s\n' "$fabric"/* "$fabric"/*/tpgt_* "$fabric"/*/tpgt_*/np/* "$fabric"/*/tpgt_*/lun/lun_* \
        "$fabric"/*/tpgt_*/acls/* "$fabric"/*/tpgt_*/acls/*/lun_*
    done
    printf '%s\n' core/*/* | sed -e 's,^core/iblock_[0-9]*/,core/block/,' -e 's,^core/fileio_[0-9]*/,core/fileio/,' \
      -e 's,^core/rd_mcp_[0-9]*/,core/ramdisk/,' -e 's,^core/pscsi_[0-9]*/,core/pscsi/,'
  )
}

# Refuses where one file has lines that another has not: saving would lose them for good.
keep_others() {
  lost=$(grep -Fxv -f "$2" "$1")
  [ -z "$lost" ] || refuse 115 "$(printf '%s\n' "$lost" | grep -c .) of them, such as $(printf '%s\n' "$lost" | tail -n 1)"
}

saved_entries() {
  : >"$WORK/saved"
  [ ! -s "$SAVED" ] || entries "$SAVED" >"$WORK/saved" || refuse 121 "$SAVED"
}

# Takes away what a run that was cut has left in the kernel, under the lock that targetcli itself takes.
sweep() {
  (
    flock -w 10 8 || exit 0
    for entry in "$@"; do
      rmdir "$entry" 2>/dev/null
    done
  ) 8>>"$TARGETCLI_LOCK"
}

# What targetcli was killed at, by whoever: backstores that were never in use, and LUNs under our names that lead nowhere,
# be they the targets' or an initiator's.
halves() {
  for entry in $(grep -Lx -e 1 "$LIO"/core/iblock_*/*/enable 2>/dev/null); do
    printf '%s\n' "${entry%/enable}"
  done
  for lun in "$LIO/iscsi/$BASE":*/tpgt_*/lun/lun_* "$LIO/iscsi/$BASE":*/tpgt_*/acls/*/lun_*; do
    [ -d "$lun" ] || continue
    if is_linked "$lun"; then continue; fi
    printf '%s\n' "$lun"
  done
}

# Its settings are none of the administrator's, so it does not save by itself when it ends, and keeps no history.
feed_targetcli() {
  {
    echo 'set global auto_save_on_exit=false'
    "$1"
    printf '/ saveconfig savefile=%s\n' "$NEW"
  } | TARGETCLI_HOME="$WORK" timeout -k 5 "$LIMIT" targetcli >>"$WORK/said" 2>&1
  ended=$?
}

# Runs targetcli on what the function `commands` prints. It saves nothing while anything is half made, whosever it is,
# and what one has saved that was killed may be half a file.
run_targetcli() {
  feed_targetcli commands
  if [ "$ended" -ne 124 ] && [ "$ended" -ne 137 ] && [ ! -s "$NEW" ]; then
    sweep $(halves)
    feed_targetcli :
  fi
  [ "$ended" -eq 0 ] || rm -f "$NEW"
}

what_it_said() {
  [ "$ended" -ne 124 ] && [ "$ended" -ne 137 ] || echo "targetcli did not end within $LIMIT s; is somebody using it?"
  # Without its prompts, and without what it was told: it repeats the credentials.
  sed -e 's,^\(/[^ ]*> *\)*,,' -e '/^$/d' "$WORK/said" | grep -v -i -e password -e userid | tail -n 12
}

# Puts the new saved configuration in the place of the old one, whole or not at all.
save() {
  [ -s "$NEW" ] || refuse 117 "targetcli has not saved its configuration: $(what_it_said)"
  entries "$NEW" >"$WORK/kept" || refuse 117 "targetcli has not saved its configuration to its end: $(what_it_said)"
  saved_entries
  keep_others "$WORK/saved" "$WORK/kept"
  sync "$NEW" && mv -f "$NEW" "$SAVED" && sync "${SAVED%/*}" || refuse 117 "$SAVED could not be replaced"
  rm -f "$WORK.begun"
}

SAVED=
for folder in $SAVES; do
  if [ -z "$SAVED" ] && [ -d "$folder" ]; then SAVED=$folder/saveconfig.json; fi
done
[ -n "$SAVED" ] || SAVED=${SAVES%% *}/saveconfig.json
NEW=$SAVED.fairlead

# To be called before anything is changed.
begin() {
  prepare
  keep_what_runs
}

prepare() {
  for program in targetcli awk; do
    command -v "$program" >/dev/null || refuse 120 "$program is not installed on the storage host"
  done
  mkdir -p "${SAVED%/*}" || exit 1
  rm -rf "$WORK" "$NEW" "$NEW.temp"
  mkdir "$WORK" || exit 1
  trap 'rm -rf "$WORK" "$NEW" "$NEW.temp"' EXIT
  trap 'exit 1' HUP INT TERM PIPE
  printf '%s\n' "$IQN" "$DEVICE" >"$WORK/own" || exit 1
  if [ -e "$WORK.begun" ]; then
    cat "$WORK.begun" >>"$WORK/own" || exit 1
    # What was made anew and never looked at is nobody's way in, and is not to be saved with all the rest.
    sed -n 's/^fresh //p' "$WORK.begun" | sort -u | while IFS= read -r name; do take_down "$LIO/iscsi/$name/tpgt_1"; done
  fi
}

# Takes the LUN of a portal group away, its initiators' first.
take_down() {
  for lun in "$1"/acls/*/lun_* "$1/lun/lun_0"; do
    for entry in "$lun"/*; do
      if [ -L "$entry" ]; then rm -f "$entry"; fi
    done
    rmdir "$lun" 2>/dev/null
  done
}

# Refuses where others are saved and do not run: once this is saved they would be lost for good.
keep_what_runs() {
  saved_entries
  running >"$WORK/kept"
  # A name with an escape is written otherwise in the kernel; it is compared at the end.
  sed -n -e '/\\/d' -e 's/ .*//' -e "\#$COMPARED#p" "$WORK/saved" >"$WORK/looked"
  keep_others "$WORK/looked" "$WORK/kept"
}

# Who is let in was planned before the turn came; whoever had it first may have changed the record.
still_recorded() {
  now=$(recorded) || refuse 123 "the volume's property cannot be read"
  [ "$now" = - ] || [ "$now" = "$RECORD" ] || refuse 122 "$now"
}

# Sets known to the backstores on our device, targets to those that lead to it and nowhere else, whatever they are called,
# shared to those that lead to it, or have our name, and lead elsewhere too, and odd to one that targetcli cannot be told of.
find_targets() {
  known=$(backstores)
  targets=
  shared=
  odd=
  if [ -n "$IQN" ] && [ -d "$LIO/iscsi/$IQN" ]; then add_target "$IQN"; fi
  for backstore in $known; do
    for link in $(find "$LIO"/iscsi/*/tpgt_*/lun -maxdepth 2 -type l -lname "*/${backstore#"$LIO/core/"}" 2>/dev/null); do
      link=${link#"$LIO/iscsi/"}
      add_target "${link%%/*}"
    done
  done
}

add_target() {
  case " $targets $shared " in *" $1 "*) return ;; esac
  case $1 in
    *[!A-Za-z0-9.:_-]*)
      odd=$1
      return
      ;;
  esac
  if is_ours "$1"; then targets="$targets $1"; else shared="$shared $1"; fi
}

# Notes what is going to be changed: until it is saved it is not as it was saved, and nobody else has lost it. Behind
# "fresh" stands a target whose LUN is made anew.
begun() {
  printf '%s\n' "$IQN" "$DEVICE" "$@" >>"$WORK.begun" || exit 1
}
