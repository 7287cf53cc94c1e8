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
  if [ -z "$(cat "$backstore/udev_path")" ] || ! is "$backstore/enable" 1; then
    sweep "$backstore" "${backstore%/*}"
  elif ! is "$backstore/udev_path" "$DEVICE"; then
    refuse 114 "the backstore $ASSET of $(cat "$backstore/udev_path")"
  fi
done
for backstore in $(backstores); do
  [ "${backstore##*/}" = "$ASSET" ] || refuse 114 "the backstore ${backstore##*/} on the same device"
done
stranger=
is_ours "$IQN" || refuse 114 "the target $IQN of $stranger"
fresh=yes
if [ -d "$tpg/lun/lun_0" ]; then
  if [ -n "$(device_of "$tpg/lun/lun_0")" ]; then fresh=no; else sweep "$tpg/lun/lun_0"; fi
fi

# A target whose making was cut has no portal yet, and creating it again gives it none of what targetcli gives a new one.
cut=no
if [ -d "$LIO/iscsi/$IQN" ] && [ -z "$(ls "$tpg/np" 2>/dev/null)" ]; then cut=yes; fi
commands() {
  if [ "$cut" = yes ]; then
    printf '/iscsi/%s create 1\n' "$IQN"
    printf '/iscsi/%s/tpg1 set attribute authentication=0\n' "$IQN"
    printf '/iscsi/%s/tpg1/portals create\n' "$IQN"
  fi
  cat
}
run_targetcli

wrong=
need() {
  is "$1" "$2" || wrong="$wrong ${1##*/}"
}
need_secret() {
  [ -z "$2" ] || need "$tpg/auth/$1" "$2"
}
need_secret userid "$userid"
need_secret password "$password"
need_secret userid_mutual "$userid_mutual"
need_secret password_mutual "$password_mutual"
for backstore in "$LIO"/core/iblock_*/"$ASSET"; do
  backstore_needs
done
tpg_needs
refused=$wrong
need "$tpg/enable" 1
need "$tpg/lun/lun_0/"*/udev_path "$DEVICE"
need "$tpg/lun/lun_0/"*/enable 1
[ -n "$(ls "$tpg/np" 2>/dev/null)" ] || wrong="$wrong portals"
if [ -n "$wrong" ]; then
  # Nobody is to reach a volume whose target is not as it should be; one that was reachable before stays so.
  if [ "$fresh" = yes ]; then
    for entry in "$tpg/lun/lun_0"/*; do
      if [ -L "$entry" ]; then rm -f "$entry"; fi
    done
    rmdir "$tpg/lun/lun_0" 2>/dev/null
  fi
  [ "$wrong" != "$refused" ] || refuse 118 "$refused: $(what_it_said)"
  refuse 117 "not so:$wrong: $(what_it_said)"
fi
save
echo exported
