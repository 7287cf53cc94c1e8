# Takes initiators away from the targets that lead to the device, whatever they are called, and does nothing else: whatever
# the attributes, credentials and portals are by now, and whether the device is there.
find_targets
if [ -n "$targets$shared$odd" ] || grep -qF -e "\"$DEVICE\"" -e "\"${IQN:-$DEVICE}\"" "$SAVED" 2>/dev/null; then
  prepare
  still_recorded
  # Shutting out comes first: what others have saved and lost stands in the way of saving alone.
  if [ -z "$targets$shared$odd" ]; then
    [ -z "$INITIATORS" ] || refuse 117 "the target ${IQN:-of $DEVICE} is saved, and is not there;\
 run 'targetcli restoreconfig clear_existing=true'"
    keep_what_runs
  fi
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
    for target in "$@"; do
      for group in "$LIO/iscsi/$target"/tpgt_*; do
        [ ! -d "$group" ] || printf '%s\n' "$group"
      done
    done
  }

  shows() {
    for lun in "$LIO/iscsi/$1"/tpgt_*/lun/lun_*; do
      if [ "$(device_of "$lun")" = "$DEVICE" ]; then return 0; fi
    done
    return 1
  }

  # Who goes from targets that show the device and another's too: who was let in by the record. Whom an administrator lets
  # in there may be there for the other device.
  leavers() {
    for target in $shared; do
      shows "$target" || continue
      for group in $(groups "$target"); do
        outsiders "$group" | while IFS= read -r name; do
          case $name in *[!A-Za-z0-9.:_-]*) continue ;; esac
          case " $RECORD " in *" $name "*) printf '%s\n' "$group/acls/$name" ;; esac
        done
      done
    done
  }
  leaving=$(leavers)
  begun $targets
  for entry in $leaving; do printf '%s\n' "${entry#"$LIO/"}"; done | tee -a "$WORK/own" >>"$WORK.begun" || exit 1

  # What targetcli calls a portal group.
  node_of() {
    node=/iscsi/${1#"$LIO/iscsi/"}
    printf '%s\n' "${node%/tpgt_*}/tpg${node##*/tpgt_}"
  }

  # The names of others may be anybody's, and each is a word here.
  commands() {
    for entry in $leaving; do
      printf '%s/acls delete %s\n' "$(node_of "${entry%/acls/*}")" "${entry##*/}"
    done
    for group in $(groups $targets); do
      node=$(node_of "$group")
      is "$group/attrib/generate_node_acls" 0 || printf '%s set attribute generate_node_acls=0\n' "$node"
      outsiders "$group" | while IFS= read -r name; do
        case $name in *[!A-Za-z0-9.:_-]*) continue ;; esac
        printf '%s/acls delete %s\n' "$node" "$name"
      done
    done
  }
  run_targetcli
  wrong=
  for entry in $leaving; do
    [ ! -d "$entry" ] || wrong="$wrong ${entry##*/}"
  done
  for group in $(groups $targets); do
    is "$group/attrib/generate_node_acls" 0 || wrong="$wrong generate_node_acls"
    for name in $(outsiders "$group"); do wrong="$wrong $name"; done
  done
  [ -z "$wrong" ] || refuse 117 "not so:$wrong: $(what_it_said)"
  for target in $targets; do printf '%s\n' "$target"; done >>"$WORK/own"
  save
  [ -z "$odd" ] || refuse 114 "the target $odd, which shows the volume too"
  for group in $(groups $shared); do
    is "$group/attrib/generate_node_acls" 0 || refuse 114 "the target ${group#"$LIO/iscsi/"}, which shows another device\
 and lets anybody in; set its attribute generate_node_acls=0"
    others=$(outsiders "$group" | head -n 1)
    [ -z "$others" ] || refuse 114 "the target ${group#"$LIO/iscsi/"}, which shows another device and lets $others in;\
 take that device or that ACL away from it"
  done
fi
echo revoked
