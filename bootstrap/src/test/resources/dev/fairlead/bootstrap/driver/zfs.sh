#!/bin/sh
# A zfs for one test, without snapshots: each dataset is a folder in the folder "pool" beside this file, and each property
# that was set is a file in it.
pool=${0%/*}/pool

folder() { printf '%s/%s\n' "$pool" "$(printf '%s' "$1" | tr / :)"; }
missing() { # dataset
  echo "cannot open '$1': dataset does not exist" >&2
  status=1
}
assign() { # dataset, property=value
  printf '%s\n' "${2#*=}" >"$(folder "$1")/${2%%=*}"
}
print_property() { # dataset, property
  value=- source=-
  if [ -f "$(folder "$1")/$2" ]; then
    value=$(cat "$(folder "$1")/$2") source=local
  else
    case $2 in
      type) value=filesystem ;;
      guid) value=$(stat -c %i "$(folder "$1")") ;;
      mountpoint) value=/$1 source=default ;;
      mounted) value=yes ;;
      available) value=1000000000000 ;;
      used | referenced | refquota | refreservation) value=0 source=default ;;
    esac
  fi
  case $only,$source in local*,local | ,*) ;; *) return ;; esac
  line=
  for column in $(echo "$columns" | tr , ' '); do
    case $column in
      name) cell=$1 ;;
      property) cell=$2 ;;
      value) cell=$value ;;
      source) cell=$source ;;
    esac
    line=$line${line:+	}$cell
  done
  printf '%s\n' "$line"
}
print_dataset() { # dataset
  for property in $(echo "$properties" | tr , ' '); do print_property "$1" "$property"; done
}

status=0
verb=$1
shift
case $verb in
  create)
    set_at_birth=
    parents=
    while getopts po: option; do
      case $option in
        p) parents=yes ;;
        *) set_at_birth="$set_at_birth$OPTARG
" ;;
      esac
    done
    shift $((OPTIND - 1))
    if [ -z "$parents" ] && [ -d "$(folder "$1")" ]; then
      echo "cannot create '$1': dataset already exists" >&2
      exit 1
    fi
    mkdir -p "$(folder "$1")"
    printf '%s' "$set_at_birth" | while IFS= read -r pair; do assign "$1" "$pair"; done
    ;;
  get)
    only='' columns=name,property,value,source depth=0
    while getopts Hps:d:t:o: option; do
      case $option in
        s) only=$OPTARG ;;
        d) depth=$OPTARG ;;
        o) columns=$OPTARG ;;
        *) ;;
      esac
    done
    shift $((OPTIND - 1))
    properties=$1
    shift
    for dataset in "$@"; do
      if [ ! -d "$(folder "$dataset")" ]; then
        missing "$dataset"
        continue
      fi
      print_dataset "$dataset"
      [ "$depth" != 0 ] || continue
      for child in "$(folder "$dataset")":*/; do
        [ ! -d "$child" ] || print_dataset "$(basename "$child" | tr : /)"
      done
    done
    ;;
  set)
    for dataset; do :; done
    [ -d "$(folder "$dataset")" ] || { missing "$dataset"; exit 1; }
    for pair; do case $pair in *=*) assign "$dataset" "$pair" ;; esac; done
    ;;
  list)
    for dataset; do :; done
    if [ -d "$(folder "$dataset")" ]; then echo "$dataset"; else missing "$dataset"; fi
    ;;
  destroy)
    for dataset; do :; done
    if [ -d "$(folder "$dataset")" ]; then rm -r "$(folder "$dataset")"; else missing "$dataset"; fi
    ;;
  mount) ;;
  *)
    echo "internal error: no $verb here" >&2
    exit 2
    ;;
esac
exit $status
