# Reads four lines, the credentials, each empty or not, and then the commands for targetcli.
IFS= read -r userid
IFS= read -r password
IFS= read -r userid_mutual
IFS= read -r password_mutual
tpg=$LIO/iscsi/$IQN/tpgt_1
begin

tries=0
until [ -e "$DEVICE" ]; do
  tries=$((tries + 1))
  [ "$tries" -le "$LOOKS" ] || refuse 116 "$DEVICE is not there"
  sleep 0.2
done

for backstore in "$LIO"/core/iblock_*/"$ASSET"; do
  [ -d "$backstore" ] || continue
  if ! is "$backstore/enable" 1; then
    sweep "$backstore" "${backstore%/*}"
  elif ! is "$backstore/udev_path" "$DEVICE"; then
    refuse 114 "the backstore $ASSET of $(cat "$backstore/udev_path")"
  fi
done
for backstore in $(backstores); do
  [ "${backstore##*/}" = "$ASSET" ] || refuse 114 "the backstore ${backstore##*/} on the same device"
done
[ "$CLOSED" = no ] || still_recorded
stranger=
is_ours "$IQN" || refuse 114 "the target $IQN of $stranger"
begun
fresh=yes
if [ -d "$tpg/lun/lun_0" ]; then
  if [ -n "$(device_of "$tpg/lun/lun_0")" ]; then fresh=no; else sweep "$tpg/lun/lun_0"; fi
fi
[ "$fresh" = no ] || begun "fresh $IQN"

# Initiators that a closed target lets in and is not to let in, or not in this way.
unwelcome() {
  for entry in "$tpg"/acls/*; do
    [ -d "$entry" ] || continue
    case " $INITIATORS " in
      *" rw=${entry##*/} "*) if is "$entry/lun_0/write_protect" 0 && is_linked "$entry/lun_0"; then continue; fi ;;
      *" ro=${entry##*/} "*) if is "$entry/lun_0/write_protect" 1 && is_linked "$entry/lun_0"; then continue; fi ;;
    esac
    printf '%s\n' "${entry##*/}"
  done
}

# The sessions of who is let in no more end with this. The names of others may be anybody's, and each is a word here.
shut() {
  unwelcome | while IFS= read -r name; do
    case $name in *[!A-Za-z0-9.:_-]*) continue ;; esac
    printf '/iscsi/%s/tpg1/acls delete %s\n' "$IQN" "$name"
  done
}

# Nobody sees the LUN before it is known who he is and what he may: so it comes last.
welcome() {
  for initiator in $INITIATORS; do
    acl=/iscsi/$IQN/tpg1/acls/${initiator#*=}
    printf '%s create %s add_mapped_luns=false\n' "${acl%/*}" "${acl##*/}"
    [ -z "$userid" ] || printf '%s set auth userid=%s\n' "$acl" "$userid"
    [ -z "$password" ] || printf '%s set auth password=%s\n' "$acl" "$password"
    [ -z "$userid_mutual" ] || printf '%s set auth mutual_userid=%s\n' "$acl" "$userid_mutual"
    [ -z "$password_mutual" ] || printf '%s set auth mutual_password=%s\n' "$acl" "$password_mutual"
    case $initiator in
      ro=*) printf '%s create 0 0 1\n' "$acl" ;;
      *) printf '%s create 0 0\n' "$acl" ;;
    esac
  done
}

# A target whose making was cut has no portal yet, and creating it again gives it none of what targetcli gives a new one.
cut=no
if [ -d "$LIO/iscsi/$IQN" ] && [ -z "$(ls "$tpg/np" 2>/dev/null)" ]; then cut=yes; fi
commands() {
  if [ "$CLOSED" = yes ]; then
    echo 'set global auto_add_mapped_luns=false'
    shut
  fi
  if [ "$cut" = yes ]; then
    printf '/iscsi/%s create 1\n' "$IQN"
    printf '/iscsi/%s/tpg1 set attribute authentication=0\n' "$IQN"
    printf '/iscsi/%s/tpg1/portals create\n' "$IQN"
  fi
  cat
  [ "$CLOSED" = no ] || welcome
}
run_targetcli

wrong=
need() {
  is "$1" "$2" || wrong="$wrong ${1##*/}"
}
need_secret() {
  [ -z "$2" ] || need "$1" "$2"
}
need_secrets() {
  need_secret "$1/userid" "$userid"
  need_secret "$1/password" "$password"
  need_secret "$1/userid_mutual" "$userid_mutual"
  need_secret "$1/password_mutual" "$password_mutual"
}
for backstore in "$LIO"/core/iblock_*/"$ASSET"; do
  backstore_needs
done
# The kernel does not change some of a disk's attributes while it is in use: that is told, and the disk is as it was.
# A disk that was never saved may be what a killed run has left: it has never been as it should be.
untaken=
if [ "$fresh" = no ] && [ -n "$wrong" ]; then
  if awk -v OWN=/dev/null "$ENTRIES" "$SAVED" 2>/dev/null |
    grep -Fx -e "iscsi/$IQN/tpgt_1/lun/lun_0 /backstores/block/$ASSET" >/dev/null; then
    untaken=$wrong
    wrong=
  else
    fresh=yes
  fi
fi
need_secrets "$tpg/auth"
tpg_needs
refused=$wrong
need "$tpg/enable" 1
need "$tpg/lun/lun_0/"*/udev_path "$DEVICE"
need "$tpg/lun/lun_0/"*/enable 1
[ -n "$(ls "$tpg/np" 2>/dev/null)" ] || wrong="$wrong portals"
if [ "$CLOSED" = yes ]; then
  for initiator in $INITIATORS; do
    [ -d "$tpg/acls/${initiator#*=}" ] || wrong="$wrong ${initiator#*=}"
    need_secrets "$tpg/acls/${initiator#*=}/auth"
  done
  for name in $(unwelcome); do wrong="$wrong $name"; done
fi
if [ -n "$wrong" ]; then
  # Nobody is to reach a volume whose target is not as it should be; one that was reachable before stays so.
  [ "$fresh" = no ] || take_down "$tpg"
  [ "$wrong" != "$refused" ] || refuse 118 "$refused: $(what_it_said)"
  refuse 117 "not so:$wrong: $(what_it_said)"
fi
save
for name in $untaken; do printf 'untaken %s\n' "$name"; done
echo exported
