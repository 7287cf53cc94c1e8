# From a JUnit report of Ginkgo: "STATUS<tab>NAME<tab>WHY" for each spec. WHY is empty for what a filter left out.
function text(s) {
  gsub(/&#34;|&quot;/, "\"", s); gsub(/&#39;|&apos;/, "\047", s); gsub(/&#x[0-9A-Fa-f]+;/, " ", s)
  gsub(/&lt;/, "<", s); gsub(/&gt;/, ">", s); gsub(/&amp;/, "\\&", s); gsub(/\t/, " ", s)
  return s
}
function attribute(line, key, rest) {
  if (!match(line, " " key "=\"[^\"]*\"")) return ""
  rest = substr(line, RSTART, RLENGTH)
  sub("^ " key "=\"", "", rest); sub("\"$", "", rest)
  return text(rest)
}
function flush() { if (name != "") print status "\t" name "\t" why; name = "" }
/<testcase / {
  flush()
  name = attribute($0, "name"); status = attribute($0, "status"); why = ""
  if (name !~ /^\[It\] /) name = ""
  sub(/^\[It\] /, "", name)
}
/<skipped / { why = attribute($0, "message"); if (!sub(/^skipped - /, "", why)) why = "" }
/<failure |<error / { why = attribute($0, "message") }
END { flush() }
