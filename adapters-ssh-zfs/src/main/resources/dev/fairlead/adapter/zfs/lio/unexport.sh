# Removes what leads to the device, and what was left half made under the names; nothing else.
known=$(backstores)
targets=
add() {
  case " $targets " in *" $1 "*) return ;; esac
  case $1 in *[!A-Za-z0-9.:_-]*) return ;; esac
  if is_ours "$1"; then targets="$targets $1"; fi
}
if [ -n "$IQN" ] && [ -d "$LIO/iscsi/$IQN" ]; then add "$IQN"; fi
names=
for backstore in $known; do
  name=${backstore##*/}
  case $name in *[!A-Za-z0-9.:_-]*) continue ;; esac
  names="$names $name"
  for link in $(find "$LIO"/iscsi/*/tpgt_*/lun -maxdepth 2 -type l -lname "*/${backstore#"$LIO/core/"}" 2>/dev/null); do
    link=${link#"$LIO/iscsi/"}
    add "${link%%/*}"
  done
done
half=
if [ -n "$ASSET" ]; then
  for backstore in "$LIO"/core/iblock_*/"$ASSET"; do
    if [ -d "$backstore" ] && ! is "$backstore/enable" 1; then half="$half $backstore"; fi
  done
fi

if [ -n "$targets$names$half" ] || grep -qF -e "\"$DEVICE\"" -e "\"${IQN:-$DEVICE}\"" "$SAVED" 2>/dev/null; then
  begin
  begun $targets
  sweep $half
  commands() {
    for target in $targets; do printf '/iscsi delete %s\n' "$target"; done
    for name in $names; do printf '/backstores/block delete %s\n' "$name"; done
  }
  run_targetcli
  wrong=
  for target in $targets; do
    [ ! -d "$LIO/iscsi/$target" ] || wrong="$wrong $target"
  done
  [ -z "$(backstores)" ] || wrong="$wrong $(backstores)"
  [ -z "$wrong" ] || refuse 117 "still there:$wrong: $(what_it_said)"
  for target in $targets; do printf '%s\n' "$target"; done >>"$WORK/own"
  save
fi
sweep "$LIO"/core/iblock_*
echo unexported
