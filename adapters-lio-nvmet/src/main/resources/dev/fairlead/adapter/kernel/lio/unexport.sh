# Removes what leads to the device, and what was left half made under the names; nothing else.
find_targets
names=
for backstore in $known; do
  name=${backstore##*/}
  case $name in *[!A-Za-z0-9.:_-]*) continue ;; esac
  names="$names $name"
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
