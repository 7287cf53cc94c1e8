# Reads a configuration that targetcli has saved, and prints what others have in it, each a line: a target, its groups,
# portals, LUNs and initiators by their path below the kernel's folder of targets, and behind a LUN's a blank and its
# storage object; a storage object as core/plugin/name, and behind it a blank and its device. It prints nothing else of
# the file, which holds secrets. It ends with 1 where it cannot read the file to its end.
#
#   OWN   a file with the names of targets and the devices that are not others', each a line; a target of such a name that
#         leads to anything else is another's all the same, but for its initiators that stand there by their path
function value(text) {
  if (kind[depth] == "{" && key[depth] in KNOWN) of[object[depth], key[depth]] = text
}
function get(name) {
  return of[object[depth], name]
}
function open(bracket, parent) {
  parent = where[depth]
  if (kind[depth] == "{") parent = parent "/" key[depth]
  depth++
  kind[depth] = bracket
  where[depth] = parent
  key[depth] = ""
  object[depth] = ++objects
  first[depth] = lines + 1
}
function add(line, storage) {
  lines++
  path[lines] = line
  leads[lines] = storage
}
# Puts what is outside before what is inside, as the names stand behind what they name.
function below(name, i) {
  for (i = first[depth]; i <= lines; i++) path[i] = name "/" path[i]
  add(name, "")
}
# Whether it is, or is below, an initiator that is not another's.
function is_mine(name, i) {
  for (i in MINE) if (i ~ /\/acls\// && index(name "/", i "/") == 1) return 1
  return 0
}
function close_object(at, i) {
  at = where[depth]
  if (at == "/storage_objects") {
    if (get("dev") != "" && get("dev") in MINE) ours["/backstores/" get("plugin") "/" get("name")] = 1
    else add("core/" get("plugin") "/" get("name"), get("dev"))
  } else if (at == "/targets/tpgs/portals") {
    add("np/" get("ip_address") ":" get("port"), "")
  } else if (at == "/targets/tpgs/luns") {
    add("lun/lun_" get("index"), get("storage_object"))
    storage_of[get("index")] = get("storage_object")
  } else if (at == "/targets/tpgs/node_acls/mapped_luns") {
    add("lun_" get("index"), "=" get("tpg_lun"))
  } else if (at == "/targets/tpgs/node_acls") {
    below("acls/" get("node_wwn"))
  } else if (at == "/targets/tpgs") {
    for (i = first[depth]; i <= lines; i++)
      if (leads[i] ~ /^=/) leads[i] = storage_of[substr(leads[i], 2)]
    split("", storage_of)
    below("tpgt_" get("tag"))
  } else if (at == "/targets") {
    below(get("fabric") "/" get("wwn"))
    if (get("wwn") in MINE) for (i = first[depth]; i <= lines; i++) claimed[i] = lines
  }
}
function close_bracket(bracket) {
  if (kind[depth] != bracket) broken = 1
  if (broken) exit
  if (bracket == "{") close_object()
  if (--depth == 0) ended = 1
}
BEGIN {
  while ((getline line < OWN) > 0) if (line != "") MINE[line] = 1
  split("wwn fabric tag index storage_object tpg_lun node_wwn ip_address port name plugin dev", names, " ")
  for (i in names) KNOWN[names[i]] = 1
}
# What nearly every line is; most of these are not asked for.
/^[ \t]*"[A-Za-z0-9_]+": ("[^"\\]*"|[-+.A-Za-z0-9]+),?$/ {
  split($0, word, "\"")
  if (!(word[2] in KNOWN)) next
  rest = substr($0, index($0, "\": ") + 3)
  sub(/,$/, "", rest)
  gsub(/"/, "", rest)
  key[depth] = word[2]
  value(rest)
  next
}
{
  if (length($0) > 65536) broken = 1
  text = $0
  while (!broken) {
    sub(/^[ \t\r,]+/, "", text)
    if (text == "") break
    sign = substr(text, 1, 1)
    size = 1
    if (sign == "{" || sign == "[") open(sign)
    else if (sign == "}") close_bracket("{")
    else if (sign == "]") close_bracket("[")
    else if (match(text, /^"([^"\\]|\\.)*"[ \t]*:/)) {
      size = RLENGTH
      key[depth] = substr(text, 2, size - 2)
      sub(/"[ \t]*$/, "", key[depth])
    } else if (match(text, /^"([^"\\]|\\.)*"/)) {
      size = RLENGTH
      value(substr(text, 2, size - 2))
    } else if (match(text, /^[-+.A-Za-z0-9]+/)) {
      size = RLENGTH
      value(substr(text, 1, size))
    } else broken = 1
    text = substr(text, size + 1)
  }
  if (broken) exit
}
END {
  if (broken || !ended || depth != 0) exit 1
  for (i in claimed) if (leads[i] != "" && !(leads[i] in ours)) foreign[claimed[i]] = 1
  for (i = 1; i <= lines; i++)
    if (!(leads[i] in ours) && !(i in claimed && !(claimed[i] in foreign)) && !is_mine(path[i])) print (leads[i] == "" ? path[i] : path[i] " " leads[i])
}
