# Takes initiators away from the targets that lead to the device, whatever they are called, and does nothing else: whatever
# the attributes, credentials and portals are by now, and whether the device is there.
find_targets
if [ -n "$targets" ] || grep -qF -e "\"$DEVICE\"" -e "\"${IQN:-$DEVICE}\"" "$SAVED" 2>/dev/null; then
  prepare
  still_recorded
  # Shutting out comes first: what others have saved and lost stands in the way of saving alone.
  if [ -z "$targets" ]; then
    [ -z "$INITIATORS" ] || refuse 117 "the target ${IQN:-of $DEVICE} is saved, and is not there;\
 run 'targetcli restoreconfig clear_existing=true'"
    keep_what_runs
  fi
  begun $targets

  # Initiators that are let in by a portal group and are not to be.
  outsiders() {
    for entry in "$1"/acls/*; do
      [ -d "$entry" ] || continue
      case " $INITIATORS " in
        *" rw=${entry##*/} "* | *" ro=${entry##*/} "*) continue ;;
      esac
      printf '%s\n' "${entry##*/}"
    done
  }

  groups() {
    for target in $targets; do
      for group in "$LIO/iscsi/$target"/tpgt_*; do
        [ ! -d "$group" ] || printf '%s\n' "$group"
      done
    done
  }

  # The names of others may be anybody's, and each is a word here.
  commands() {
    for group in $(groups); do
      node=/iscsi/${group#"$LIO/iscsi/"}
      node=${node%/tpgt_*}/tpg${node##*/tpgt_}
      is "$group/attrib/generate_node_acls" 0 || printf '%s set attribute generate_node_acls=0\n' "$node"
      outsiders "$group" | while IFS= read -r name; do
        case $name in *[!A-Za-z0-9.:_-]*) continue ;; esac
        printf '%s/acls delete %s\n' "$node" "$name"
      done
    done
  }
  run_targetcli
  wrong=
  for group in $(groups); do
    is "$group/attrib/generate_node_acls" 0 || wrong="$wrong generate_node_acls"
    for name in $(outsiders "$group"); do wrong="$wrong $name"; done
  done
  [ -z "$wrong" ] || refuse 117 "not so:$wrong: $(what_it_said)"
  for target in $targets; do printf '%s\n' "$target"; done >>"$WORK/own"
  save
fi
echo revoked
